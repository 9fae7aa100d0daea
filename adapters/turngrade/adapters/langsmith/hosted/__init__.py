"""Specs as code evaluators that run inside LangSmith, where this package cannot be installed."""

from turngrade.adapters.langsmith.hosted.export import NotExportable, Refusal, export_code

__all__ = ["NotExportable", "Refusal", "export_code"]
