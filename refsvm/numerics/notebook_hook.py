"""What a notebook shows of a result: `html(result)`.

refsvm/__init__.py sets `html` to a function that imports plotting/notebook.py when a notebook
asks, as numerics must not know of pictures. The name has a file of its own so that setting it
imports nothing else.
"""

html = repr
