"""The text of an SVG file, which a notebook shows as what it draws."""

from __future__ import annotations


class Picture(str):
    """The text of an SVG file.

    It is a str: write it to a file. A notebook shows the picture, a terminal what it is.

    >>> Picture("<svg/>")
    <a picture: 6 characters of SVG, to be written to a file>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<a picture: {len(self):,} characters of SVG, to be written to a file>"

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return str(self)
