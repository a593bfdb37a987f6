"""Slides of what finds and proves the optimum: the dual, SMO, Pegasos, a certificate."""

from fractions import Fraction as F

from docs.pictures.convexity import best_weight
from docs.pictures.lines import street
from docs.pictures.multipliers import SIX as STEPS
from docs.pictures.paper import Chart
from docs.slides.paper import Slide, lines, text
from docs.slides.streets import BEST, LABELS, ROWS, SIX, six_points
from refsvm import Polynomial, Problem, certify, pegasos, smo, textbook_smo
from refsvm.numerics.linalg import total
from refsvm.numerics.picks import uniform


def primal_and_dual():
    """Primal and dual meet: that is the proof.

    Left, six points with the multiplier of each, a fraction, and their street. Right, the dual
    problem, how w is made of its multipliers, and two bars of equal length: the value of the
    primal and that of the dual are the same fraction.
    """
    chart = six_points((20, 56, 290, 270))
    chart.examples(ROWS, LABELS, 7)
    for x, a, side in zip(ROWS, BEST.alpha, SIDES):
        chart.word(x, f"α = {a}", "ink" if a else "soft", side)
    dual = SIX.dual(BEST.alpha)
    primal = dual + SIX.gap(BEST.alpha, BEST.b)
    written = lines(
        326,
        62,
        ("maximise  Σᵢ αᵢ", "key"),
        ("     − ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ ⟨xᵢ, xⱼ⟩", "key"),
        ("such that  0 ≤ αᵢ ≤ C", "key"),
        ("     and  Σᵢ αᵢ yᵢ = 0", "key"),
        ("then  w = Σᵢ αᵢ yᵢ xᵢ", "ink"),
    )
    for k, (name, value, ink) in enumerate([("primal", primal, "other"), ("dual", dual, "key")]):
        y = 202 + 54 * k
        written.append(text(326, y, f"{name} = {value}"))
        written.append(
            f'<path class="f-{ink}" d="M326 {y + 8}h{float(140 * value):.1f}v22H326z"/>'
        )
    written.append(text(326, 318, f"gap = {primal - dual}, with C = {SIX.C[0]}", "key"))
    return Slide(
        [chart], written, "Boser, Guyon, Vapnik 1992; Ng, Ma: CS229 notes; course, chapter 6"
    )


SIDES = ("above", "above", "above", "below", "below", "below")


def smo_steps():
    """SMO moves two multipliers a step.

    Six points after each of the first four steps of the textbook's SMO. The two points whose
    multipliers were moved have a ring; below each picture stand these multipliers, the value of
    the dual, which never falls, and the gap, which may rise on the way.
    """
    charts, written, before = [], [], [0] * len(STEPS.X)
    for k in range(4):
        solution = textbook_smo(STEPS, tol=0, max_iter=k + 1)
        moved = [i for i, a in enumerate(solution.alpha) if a != before[i]]
        before = solution.alpha
        left = 20 + 153 * k
        chart = Chart((F(-3, 4), F(19, 4)), (F(-3, 4),), (left, 88, 141, 141))
        street(chart, STEPS.weights(solution.alpha), solution.b)
        chart.examples(STEPS.X, STEPS.y, 6)
        chart.rings([STEPS.X[i] for i in moved], "other", 11)
        chart.heading(f"step {k + 1}")
        charts.append(chart)
        rows = [(f"α: {', '.join(str(solution.alpha[i]) for i in moved)}", "other")]
        rows += [(f"dual {STEPS.dual(solution.alpha)}", "ink")]
        rows += [(f"gap {STEPS.gap(solution.alpha, solution.b)}", "key")]
        for row, (told, ink) in enumerate(rows):
            written.append(text(left + 70, 254 + 26 * row, told, ink, "middle"))
    return Slide(charts, written, "Platt 1998; Keerthi et al. 2001; course, chapters 9 and 10")


def one_example_a_round():
    """Pegasos looks at one example a round.

    Left, the weight of a machine of one feature over 80 rounds: the iterates jump, and their
    average comes down towards the best weight, a dashed line. Right, what a round does, and the
    best weight as a fraction.
    """
    X, y = [[F(v)] for v in (-3, -2, -1, 1, 2, 3, -1)], [-1, -1, -1, 1, 1, 1, 1]
    lam, rounds = F(1, 4), 80
    run = pegasos(X, y, lam, uniform(len(X), rounds, seed=2))
    best = best_weight(X, y, lam)
    iterates = [w[0] for w in run.W[:-1]]
    averages = [total(iterates[:T]) / T for T in range(1, rounds + 1)]
    chart = Chart((0, rounds), (0, 4), (44, 76, 290, 220))
    chart.frame(("round t", "w"), range(0, rounds + 1, 20), range(5), grid=True)
    chart.line([(0, best), (rounds, best)], "s-ink", "dash")
    chart.line([p for t, w in enumerate(iterates) for p in ((t, w), (t + 1, w))], "s-other")
    chart.line(list(enumerate(averages, 1)), "s-key", "bold")
    chart.word((16, F(5, 2)), "average", "key")
    chart.word((24, F(1, 4)), "iterates", "other")
    written = lines(
        356,
        96,
        ("draw  i  at random", "key"),
        ("η = 1 / (λ t)", "key"),
        ("if  yᵢ ⟨w, xᵢ⟩ < 1 :", "key"),
        ("    w ← (1 − η λ) w + η yᵢ xᵢ", "key"),
        ("else :", "key"),
        ("    w ← (1 − η λ) w", "key"),
        f"λ = {lam}, {len(X)} examples",
        f"best w = {best} ≈ {float(best):.2f}",
        f"average ≈ {float(averages[-1]):.2f} after {rounds}",
    )
    source = "Shalev-Shwartz, Singer, Srebro, Cotter 2011; course, chapter 11"
    return Slide([chart], written, source)


def certificate():
    """A gap bounds how far off an answer is.

    Left, the score of a machine over one feature from a solver that was stopped early, and
    around it the band that its gap leaves: the exact optimum, dashed, is inside. Right, the
    inequality that the band comes from, and the gap, which was computed without the optimum.
    """
    X, y = [[F(v)] for v in (-4, -3, -2, -1, 0, 1, 2, 3)], [-1, -1, 1, -1, 1, -1, 1, 1]
    problem = Problem(X, y, Polynomial(2, coef0=1), C=F(1, 8))
    early, best = smo(problem, tol=F(1, 4)), smo(problem, tol=0)
    proof = certify(problem, early.alpha, early.b)
    places = [F(k, 8) for k in range(-36, 33)]
    s, optimum = (
        [answer.model().decision([u]) - answer.b for u in places] for answer in (early, best)
    )
    bounds = [proof.bound([u]) for u in places]
    chart = Chart((F(-9, 2), 4), (-4, 4), (44, 76, 290, 220))
    chart.frame(("x", "score s(x)"), range(-4, 5, 2), range(-4, 5, 2), grid=True)
    upper = [(u, v + d) for u, v, d in zip(places, s, bounds)]
    lower = [(u, v - d) for u, v, d in zip(places, s, bounds)]
    chart.area([*upper, *reversed(lower)], "key", "deep")
    chart.line(list(zip(places, s)), "s-key", "bold")
    chart.line(list(zip(places, optimum)), "s-ink", "dash")
    chart.word((-4, 3), "the optimum is", "key")
    chart.word((-4, F(9, 4)), "in the band", "key")
    written = lines(
        356,
        96,
        ("gap = primal − dual", "key"),
        ("primal − optimum  ≤  gap", "key"),
        ("|s(x) − s*(x)|", "key"),
        ("    ≤ √(2 gap K(x, x))", "key"),
        f"primal = {proof.primal}",
        f"dual = {proof.dual}",
        f"gap = {proof.gap}",
        step=28,
    )
    return Slide([chart], written, "List, Hush, Scovel, Steinwart 2007; course, chapter 13")
