"""Plain message lists, ``{"id": …, "messages": [{"role": …, "content": …}]}``, one a line or in a list."""

from turngrade.adapters.plain.messages import InvalidMessages, transcript_from_messages
from turngrade.adapters.plain.reader import is_messages, read_transcripts

__all__ = ["InvalidMessages", "is_messages", "read_transcripts", "transcript_from_messages"]
