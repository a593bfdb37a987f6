"""How Sphinx makes the site; `python3 -m docs` calls it."""

import inspect
import re
from importlib import import_module

from docutils import nodes
from sphinx import addnodes

import refsvm
from docs.pages import OPENED, PLAYED

project = "refsvm"
release = version = refsvm.__version__
copyright = "the refsvm authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
root_doc = "index"
html_theme = "furo"
html_title = f"refsvm {release}"
html_copy_source = False
html_static_path = ["static"]
html_favicon = "static/favicon.svg"
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_extra_path = ["../spec/course/sheet-a4.html", "../spec/course/slides.html"]
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

TYPES = [  # what stands in a signature, and what a reader calls it: numerics/types.py
    (r"~?(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", ""),
    (r"int \| float \| Fraction|\bNumber\b", "number"),
    (r"Callable\[\[Any, Any\], (?:number|Any)\]|\bKernelLike\b", "function"),
    (r"Sequence\[Sequence\[number\] \| str\] \| Shaped|\bRowsLike\b", "rows"),
    (r"Sequence\[Sequence\[number\] \| str\]|\bRows\b", "rows"),
    (r"Sequence\[int \| float \| str \| bool\] \| Shaped|\bLabels\b", "labels"),
    (r"\bint \| float \| str \| bool\b|\bLabel\b", "label"),
    (r"Sequence\[Sequence\[number\]\]|list\[list\[number\]\]|\bMatrix(?:Like)?\b", "matrix"),
    (r"Sequence\[number\]|list\[number\]|\bVector(?:Like)?\b", "numbers"),
    (r"type\[float\] \| type\[Fraction\]|\bKind\b", "kind"),
    (r"Mapping\[Any, number\]", "dict"),
    (r"(?<=\w)(: Any)(?=[,)]| =)", ""),
    (r" -> Any$", ""),
]
AS_IN = re.compile(r"those of (refsvm\.\w+)")
SIGNS = re.compile(r"([\\*|]|(?<=\w)_(?!\w))")
LISTED = re.compile(r'(class="sig-paren">\(</span>\s*)<dl>(.*?)</dl>', re.DOTALL)
COLUMNS = re.compile(r"^( *)(\S+) {2,}(?=\S)")


def escape(app, what, name, thing, options, lines):
    """Docstrings are plain text: |x| is no substitution, * no emphasis. Examples stay, columns
    stay apart."""
    in_example, written = False, []
    for line in lines:
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example:
            line = COLUMNS.sub(r"\1| \2 – ", SIGNS.sub(r"\\\1", line))
            begins = line.lstrip().startswith("| ") and written and " : " in written[-1]
            indent = line[: len(line) - len(line.lstrip())]
            written += [f"{indent}one of", ""] if begins else []  # below the head of a parameter
        written.append(line)
    lines[:] = written


def plain_types(app, what, name, thing, options, signature, returned):
    """A signature names types as a reader does, and none where nothing is known."""
    for pattern, word in TYPES:
        signature = signature and re.sub(pattern, word, signature)
        returned = returned and re.sub(pattern, word, f" -> {returned}").removeprefix(" -> ")
    return signature, returned or None


def from_base(app, what, name, thing, options, lines):
    """Parameters that are said to be those of another class are said as they are there."""
    for k in reversed(range(1, len(lines))):
        match = AS_IN.fullmatch(lines[k].strip())
        if match:
            base = getattr(refsvm, match[1].partition(".")[2])
            names = re.split(r",\s*", lines[k - 1].strip())
            lines[k - 1 : k + 1] = entries_of(inspect.getdoc(base), names)


def entries_of(text, names):
    """The lines on some parameters in a docstring, each with its names that are wanted."""
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\n|$)", text, re.DOTALL)[1]
    for entry in re.split(r"\n(?=\S)", section):
        head, _, rest = entry.partition("\n")
        known, colon, kind = head.partition(" : ")
        wanted = [name for name in known.split(", ") if name in names]
        if wanted:
            yield ", ".join(wanted) + colon + kind
            yield from rest.splitlines()


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


def link_play(app, pagename, templatename, context, doctree):
    """The entry of play in the sidebar leads to its page, which is no page of Sphinx.

    A caption there is a heading of the second level, where a page is read aloud.
    """
    way = context["pathto"](PLAYED, 1)
    for name in ("furo_navigation_tree", "toctree"):
        if isinstance(context.get(name), str):
            context[name] = (
                context[name]
                .replace(OPENED, way)
                .replace('role="heading"', 'role="heading" aria-level="2"')
                .replace(f'external" href="{way}', f'internal" href="{way}')
            )


def lay_out_parameters(app, pagename, templatename, context, doctree):
    """Parameters below each other are no list of terms, as who hears the page would be told."""
    if context.get("body"):
        context["body"] = LISTED.sub(in_lines, context["body"])


def in_lines(match):
    """Parameters below each other, as lines of a signature."""
    lines = match[2].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")
    return f'{match[1]}<span class="sig-lines">{lines}</span>'


def setup(app):
    app.connect("autodoc-process-docstring", from_base, priority=50)
    app.connect("autodoc-process-signature", plain_types)
    app.connect("html-page-context", link_play, priority=900)  # after the theme
    app.connect("html-page-context", lay_out_parameters)
    app.connect("autodoc-process-docstring", escape, priority=100)  # before napoleon
    app.connect("doctree-read", mark_examples)
    app.connect("doctree-read", add_captions)
    app.connect("doctree-read", add_anchors)
