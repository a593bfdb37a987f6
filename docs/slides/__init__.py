"""One-page slides for a lecture, each computed by refsvm and drawn as one SVG file.

    python3 -m docs.slides        writes them into spec/course/slides, and the page that shows all

A slide is a function without arguments, as a picture of the course is (docs/pictures). The first
line of its docstring is the sentence on top; the rest tells a reader who cannot see it what is
there. Every number on a slide is asked of refsvm when the slide is drawn, and is exact.

    paper      16 to 9, large letters, light; formulas; the page of all slides, one sheet each
    streets    widest street, slack, three cases, kernels
    solving    primal and dual, SMO, Pegasos, a certificate
"""
