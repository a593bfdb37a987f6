"""python3 -m docs.slides: write the slides, and the page that shows and prints them."""

from html import escape
from pathlib import Path

from docs.slides import solving, streets
from docs.slides.paper import drawing, title_of

COURSE = Path(__file__).resolve().parent.parent.parent / "spec" / "course"
FOLDER, PAGE = COURSE / "slides", COURSE / "slides.html"
STYLE = Path(__file__).with_name("slides.css")
SLIDES = {
    "street": streets.widest_street,
    "slack": streets.slack,
    "dual": solving.primal_and_dual,
    "cases": streets.three_cases,
    "smo": solving.smo_steps,
    "kernel": streets.kernel_trick,
    "pegasos": solving.one_example_a_round,
    "certificate": solving.certificate,
}


def page():
    """The page of all slides as HTML: a sheet of paper each, and nothing else is printed."""
    figures = "".join(
        f'<figure id="{name}"><a href="slides/{name}.svg">'
        f'<img src="slides/{name}.svg" alt="{escape(". ".join(title_of(slide)))}"></a></figure>\n'
        for name, slide in SLIDES.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Slides: support vector machines</title>\n<style>\n{STYLE.read_text('utf-8')}"
        "</style>\n<body>\n<main>\n<header><h1>Slides</h1>\n"
        f"<p>The course of refsvm in {len(SLIDES)} slides, one page each when printed. A click"
        " opens one alone, as an SVG file that fills the window.</p>\n"
        "<p>Use and change them under <a"
        ' href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>: keep the line below'
        " each slide.</p></header>\n"
        f"{figures}</main>\n</body>\n</html>\n"
    )


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, slide in SLIDES.items():
        (FOLDER / f"{name}.svg").write_text(drawing(slide), "ascii")
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
