"""How Sphinx makes the site; `python3 -m docs` calls it."""

import re
from importlib import import_module

from docutils import nodes
from sphinx import addnodes

import refsvm

project = "refsvm"
release = version = refsvm.__version__
copyright = "the refsvm authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
root_doc = "index"
html_theme = "furo"
html_title = f"refsvm {release}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["../spec/course/sheet-a4.html"]
smartquotes_action = "D"  # a dash between a name and what it is; x'Ax keeps its sign
default_role = "code"
python_maximum_signature_line_length = 80
maximum_signature_line_length = 80

myst_heading_anchors = 6
myst_links_external_new_tab = False
myst_url_schemes = {"http": None, "https": None, "mailto": None}
myst_url_schemes |= {"source": "{{path}}", "place": "{{path}}#{{fragment}}"}

autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_param = napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]

SIGNS = re.compile(r"([\\*|]|(?<=\w)_(?!\w))")
COLUMNS = re.compile(r"^( *)(\S+) {2,}(?=\S)")


def escape(app, what, name, thing, options, lines):
    """Docstrings are plain text: |x| is no substitution, * no emphasis. Examples stay, columns
    stay apart."""
    in_example = False
    for k, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example:
            lines[k] = COLUMNS.sub(r"\1| \2 – ", SIGNS.sub(r"\\\1", line))


def mark_examples(app, doctree):
    """Sessions of Python are shown as such, and end at their last line."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext().rstrip()
        if text.startswith(">>> "):
            block["language"], block.rawsource = "pycon", text
            block.children = [nodes.Text(text)]


def add_captions(app, doctree):
    """A picture that stands alone is a figure: what it shows is read below it, and once."""
    for image in list(doctree.findall(nodes.image)):
        if len(image.parent) == 1 and isinstance(image.parent, nodes.paragraph) and image["alt"]:
            caption = nodes.caption("", image["alt"])
            place = nodes.make_id(image["uri"])
            image.parent.replace_self(nodes.figure("", image, caption, ids=[place]))
            image["alt"] = ""


def add_anchors(app, doctree):
    """A name can be linked at in refsvm and in its module: the pages of sources use either."""
    for signature in doctree.findall(addnodes.desc_signature):
        name = signature["fullname"]
        thing = getattr(import_module(signature["module"]), name.partition(".")[0])
        for owner in "refsvm", thing.__module__:
            if f"{owner}.{name}" not in doctree.ids:
                doctree.ids[f"{owner}.{name}"] = signature
                signature["ids"].append(f"{owner}.{name}")


def setup(app):
    app.connect("autodoc-process-docstring", escape, priority=100)  # before napoleon
    app.connect("doctree-read", mark_examples)
    app.connect("doctree-read", add_captions)
    app.connect("doctree-read", add_anchors)
