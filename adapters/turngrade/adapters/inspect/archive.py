"""Members of a zip archive, decompressed within bounds: stored, deflate and zstd.

The standard library reads the directory; it cannot read zstd members (before Python 3.14), nor those of an
archive that was cut short.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

import zstandard
from msgspec import Struct

from turngrade.core.bounds import MAX_BYTES

from .deflate import checksum, inflate
from .problems import InvalidLog

MAX_MEMBER_SIZE = MAX_BYTES
"""Most bytes that one member may hold, decompressed. A sample of 2,000 long turns has some 20 MB."""

_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_ENCRYPTED, _SIZES_FOLLOW, _UTF8 = 0x1, 0x8, 0x800

_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_USED = (2, 3, 6, 7, 8, 9, 10)
_LOCAL_MAGIC = b"PK\x03\x04"
_ZIP64_ID, _ZIP64_SIZE = 1, 0xFFFFFFFF


class Member(Struct, frozen=True):
    """One file in an archive.

    Args:
        name: Its path in the archive.
        offset: Where its local header begins.
        method: Compression method, as the zip format numbers them.
        compressed: Bytes in the archive.
        size: Bytes when decompressed.
        crc: CRC-32 of the decompressed bytes.
        flags: The zip format's general purpose flags.
    """

    name: str
    offset: int
    method: int
    compressed: int
    size: int
    crc: int
    flags: int = 0


def members(file: BinaryIO) -> list[Member]:
    """The members that an archive's directory lists, in its order; of equal names all.

    Args:
        file: The archive, seekable.

    Raises:
        InvalidLog: There is no directory, or it is damaged.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, struct.error, ValueError) as error:
        raise InvalidLog(f"damaged zip archive: {error}") from error
    return [
        Member(
            i.orig_filename,
            i.header_offset,
            i.compress_type,
            i.compress_size,
            i.file_size,
            i.CRC,
            i.flag_bits,
        )
        for i in infos
    ]


def salvage(file: BinaryIO) -> Iterator[Member]:
    """The whole members of an archive without a directory: it was cut short, or its writer was killed.

    Inspect writes members one after the other, each behind a header that holds its sizes.

    Args:
        file: The archive, seekable.
    """
    length = file.seek(0, 2)
    offset = 0
    while True:
        file.seek(offset)
        header = file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(_LOCAL_MAGIC):
            return
        fields = _LOCAL_HEADER.unpack(header)
        flags, method, crc, compressed, size, name_length, extra_length = (fields[i] for i in _USED)
        name = _name(file.read(name_length), flags)
        if size == _ZIP64_SIZE or compressed == _ZIP64_SIZE:
            size, compressed = _zip64_sizes(file.read(extra_length), size, compressed)
        end = offset + _LOCAL_HEADER.size + name_length + extra_length + compressed
        if flags & _SIZES_FOLLOW or end > length:
            return
        yield Member(name, offset, method, compressed, size, crc, flags)
        offset = end


class Misnamed(InvalidLog):
    """A member whose own header has another name than the archive's directory: one of the two is damaged."""


class Unpacker:
    """Reads members of an archive, each checked against the size and the checksum that it claims.

    Args:
        file: The archive, seekable.
        limit: Most bytes to accept of a member, compressed or not.
    """

    def __init__(self, file: BinaryIO, limit: int = MAX_MEMBER_SIZE) -> None:
        self._file = file
        self._limit = limit
        self._zstd = zstandard.ZstdDecompressor()

    def read(self, member: Member) -> bytes | bytearray:
        """The decompressed bytes of a member.

        Args:
            member: A member of the archive.

        Raises:
            InvalidLog: It is damaged, encrypted, too large, or compressed in a way that Inspect does not use.
        """
        if member.flags & _ENCRYPTED:
            raise InvalidLog("the member is encrypted")
        if max(member.size, member.compressed) > self._limit:
            raise InvalidLog(f"the member holds {member.size:,} bytes; the limit is {self._limit:,}")
        data = self._decompressed(self.packed(member), member)
        if len(data) != member.size:
            raise InvalidLog(f"damaged member: {len(data):,} bytes instead of {member.size:,}")
        if checksum(data) != member.crc:
            raise InvalidLog("damaged member: its checksum does not match")
        return data

    def packed(self, member: Member) -> bytes:
        """The bytes of a member as they are in the archive.

        Args:
            member: A member of the archive.

        Raises:
            InvalidLog: They are not there, or those of another member are.
        """
        self.check_name(member)
        data = self._file.read(member.compressed)
        if len(data) < member.compressed:
            raise InvalidLog("the archive is cut short within this member")
        return data

    def check_name(self, member: Member) -> None:
        """Go to the bytes of a member, whose own header must call it as the archive's directory does.

        Names carry no checksum: a damaged one would make a sample pass for another, or for no sample at all.

        Args:
            member: A member of the archive.

        Raises:
            InvalidLog: There is no header.
            Misnamed: It has another name.
        """
        self._file.seek(member.offset)
        header = self._file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(_LOCAL_MAGIC):
            raise InvalidLog("damaged member: no header where the archive's directory says")
        fields = _LOCAL_HEADER.unpack(header)
        name = _name(self._file.read(fields[-2]), fields[2])
        if name != member.name:
            raise Misnamed(f"damaged member: its own header calls it {name!r}")
        self._file.seek(fields[-1], 1)

    def _decompressed(self, data: bytes, member: Member) -> bytes | bytearray:
        """A member's content; where it has more than it claims, at most one byte more."""
        if member.method == _ZSTD:
            try:
                return self._from_zstd(data, member.size)
            except zstandard.ZstdError as error:
                raise InvalidLog(f"damaged member: {error}") from error
        if member.method == _DEFLATED:
            return inflate(data, member.size + 1)
        if member.method == _STORED:
            return data
        raise InvalidLog(f"compressed by method {member.method}, which Inspect does not use")

    def _from_zstd(self, data: bytes, size: int) -> bytes | bytearray:
        """Decompress a single frame at once, or several (members of more than 200 MiB) in turn."""
        declared = zstandard.frame_content_size(data)
        if declared <= size:  # -1: the writer did not know
            whole = self._zstd.decompress(data, max_output_size=size or 1)
            if len(whole) == size:
                return whole
        room = bytearray(size + 1)
        filled = 0
        frames = self._zstd.stream_reader(data, read_across_frames=True)
        with frames as reader, memoryview(room) as view:
            while filled <= size and (count := reader.readinto(view[filled:])):
                filled += count
        del room[filled:]
        return room


def _name(data: bytes, flags: int) -> str:
    """A member's name, in the encoding that its flags say, as the standard library reads the directory."""
    return data.decode("utf-8", "replace") if flags & _UTF8 else data.decode("cp437")


def _zip64_sizes(extra: bytes, size: int, compressed: int) -> tuple[int, int]:
    """The sizes of a large member (or of one that was streamed) from its header's extra fields."""
    at = 0
    while at + 4 <= len(extra):
        id, length = struct.unpack_from("<HH", extra, at)
        if id == _ZIP64_ID:
            field = extra[at + 4 : at + 4 + length]
            values = iter(struct.unpack(f"<{len(field) // 8}Q", field[: len(field) // 8 * 8]))
            size = next(values, size) if size == _ZIP64_SIZE else size
            compressed = next(values, compressed) if compressed == _ZIP64_SIZE else compressed
            break
        at += 4 + length
    return size, compressed
