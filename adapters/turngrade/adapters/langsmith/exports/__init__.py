"""Readers of the files that LangSmith's runs are exported to."""
