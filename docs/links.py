"""Follows every link within a site."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page can be linked at, and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = {""}, set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


def broken_links(site):
    """A line for each link to a page of the site, or a place in one, that is not there."""
    site = Path(site)
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    broken = []
    for path, page in pages.items():
        for link in sorted(page.links):
            target = urlsplit(link)
            if target.scheme or target.netloc:
                continue
            file = (path.parent / unquote(target.path)).resolve() if target.path else path
            known = pages.get(file)
            state = target.fragment.startswith("1;") and file.parent.name == "play"
            there = state or unquote(target.fragment) in known.anchors if known else file.exists()
            if not there:
                broken.append(f"{path.relative_to(site.resolve())}: {link} leads nowhere")
    return broken
