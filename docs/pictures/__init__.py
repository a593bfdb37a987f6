"""The pictures of the course, each computed by refsvm and drawn as one SVG file.

    python3 -m docs.pictures        writes them all into spec/course/pictures

A picture is a function without arguments whose docstring is its title, the sentence that it shows;
what stands below the first line of the docstring tells a reader who cannot see it what is there.
The same code gives the same text, byte for byte: tests/test_pictures.py compares.

    paper     the sheet, its colours in light and in dark, charts and what is drawn on them
    others    the pictures, by what they are about
"""
