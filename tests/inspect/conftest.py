from tests.s3_server import s3, s3_server

__all__ = ["s3", "s3_server"]
