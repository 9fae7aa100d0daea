"""What can be wrong with a log."""

from __future__ import annotations


class InvalidLog(ValueError):
    """A log, or one member of it, that cannot be read.

    Args:
        message: What is wrong, where, and what to do about it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidSample(ValueError):
    """A sample that is no sample: broken JSON, or JSON of another shape.

    Args:
        message: What is wrong.
        id: The sample's id, where it could be read.
        epoch: Its epoch, where it could be read.
    """

    def __init__(self, message: str, id: str | None = None, epoch: int | None = None) -> None:
        super().__init__(message, id, epoch)
        self.message = message
        self.id = id
        self.epoch = epoch

    def __str__(self) -> str:
        return self.message
