"""The verbs, one a module; each has its click command as ``command``."""
