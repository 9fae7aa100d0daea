"""Adapters between the core and the frameworks, one a subpackage. Nothing is imported until asked for."""
