"""The version, in a file that imports nothing: every file may import it."""

__version__ = "0.3.0"
