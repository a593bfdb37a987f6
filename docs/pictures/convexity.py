"""Pictures of convex functions: losses, tangents, subgradients, descent, duality."""

from fractions import Fraction as F

from docs.pictures.paper import Chart, Sheet
from refsvm import Problem, coordinate_ascent, pegasos
from refsvm.numerics.linalg import add_scaled, total
from refsvm.numerics.picks import uniform
from refsvm.solvers.step_sizes import inverse_root
from refsvm.solvers.subgradient_descent import subgradient_descent
from refsvm.svm.conventions import from_mean_hinge_halved
from refsvm.theory import losses, qp_duality, subgradients
from refsvm.theory.convex_functions import absolute_sum, polyhedral

TENT = absolute_sum([F(1), F(2)])


def five_losses():
    """The hinge is never below the count of mistakes; the perceptron loss is.

    Five losses over the margin m = y f(x), from −2 to 3. The zero-one loss is 1 up to m = 0 and 0
    beyond. The perceptron loss max(0, −m) is 0 at m = 0. The hinge max(0, 1 − m) touches the
    zero-one loss at m = 0 and from m = 1 on. The squared hinge is its square, and the squared
    error (1 − m)² rises again beyond m = 1.
    """
    chart = Chart((-2, 3), (0, 4), (52, 36, 568, 330))
    chart.frame(("margin m = y f(x)", "loss"), range(-2, 4), range(5), grid=True)
    chart.curve(lambda m: losses.squared_error(m, 1), "soft", "dots", (-1, 3))
    chart.curve(losses.squared_hinge, "other", "dash", (-1, 3))
    chart.curve(losses.perceptron_loss, "plus", cells=10)
    chart.line([(-2, 1), (0, 1)], "s-minus", "bold")
    chart.line([(0, 0), (3, 0)], "s-minus", "bold")
    chart.dots([(0, 1)], "minus", 5)
    chart.curve(losses.hinge, "key", "bold", cells=10)
    chart.word((F(-5, 3), F(27, 10)), "hinge", "key")
    chart.word((F(-3, 5), F(7, 20)), "perceptron", "plus", "left")
    chart.word((F(-19, 10), F(4, 5)), "zero-one", "minus")
    chart.word((F(-3, 5), F(13, 5)), "squared hinge", "other")
    chart.word((F(5, 2), F(9, 4)), "squared error", "soft", "left")
    return Sheet([chart], 410)


def tangents_at_the_kink():
    """At the kink of the hinge every slope from −1 to 0 stays below the graph.

    The hinge max(0, 1 − m) and lines through its kink (1, 0). Those with the slopes −1, −3/4,
    −1/2, −1/4 and 0 are nowhere above the hinge: each slope is a subgradient. The line with the
    slope −3/2 is above it left of the kink, so −3/2 is none.
    """
    hinge = polyhedral([[F(0)], [F(-1)]], [F(0), F(1)])
    chart = Chart((-1, 3), (F(-11, 5), F(11, 5)), (52, 36, 568, 330))
    chart.frame(("m", ""), range(-1, 4), range(-2, 3), grid=True)
    chart.curve(lambda m: hinge([m]), "ink", "bold", cells=8)
    chart.curve(lambda m: F(-3, 2) * (F(m) - 1), "plus", "dash", cells=4)
    low, high = subgradients.slope_interval(hinge, [F(1)])
    for k in range(5):
        slope = low + (high - low) * F(k, 4)
        chart.curve(lambda m, slope=slope: slope * (F(m) - 1), "key", cells=4)
        chart.word((F(14, 5), slope * F(9, 5)), str(slope).replace("-", "−"), "key", "above")
    chart.dots([(1, 0)], "ink", 5)
    chart.word((F(-3, 4), F(7, 4)), "hinge", "ink", "below")
    chart.word((F(1, 5), F(6, 5)), "slope −3/2: above the hinge, no subgradient", "plus")
    return Sheet([chart], 410)


def tent_and_level_set():
    """A subgradient is the normal of a line that the level set does not cross.

    Level sets of |x₁| + 2 |x₂| are nested diamonds around the minimum at 0. At the corner (3, 0)
    of the diamond of level 3 the vector (1, 2) is a subgradient: the line through (3, 0) at a
    right angle to it has the whole diamond on one side. A step against it leaves the diamond, and
    yet comes closer to the minimum.
    """
    chart = Chart((-6.5, 7), (-3.9,))
    x, g = [F(3), F(0)], subgradients.subgradient(TENT, [F(3), F(0)])
    diamond = [(3, 0), (0, F(3, 2)), (-3, 0), (0, F(-3, 2))]
    chart.area(diamond, "key", "deep")
    for level in (1, 2, 3, 4, 5, 6):
        corners = [(level, 0), (0, F(level, 2)), (-level, 0), (0, F(-level, 2)), (level, 0)]
        chart.line(corners, "s-key", "bold" if level == 3 else "thin")
    chart.levels(lambda z: g[0] * (z[0] - 3) + g[1] * z[1], (0,), "ink", "dash")
    chart.arrow(x, add_scaled(x, F(4, 5), g), "plus", "bold", 13)
    step = add_scaled(x, -1, g)
    chart.arrow(x, step, "other", "bold", 13)
    chart.dots([x, (0, 0)], "ink", 5)
    chart.word(add_scaled(x, F(4, 5), g), "g = (1, 2)", "plus")
    chart.word(step, f"f = {TENT(step)}, yet nearer to 0", "other", "below")
    chart.word(x, "f = 3", "ink", "left")
    chart.word((0, 0), "0", "ink", "below")
    return Sheet([chart], 370)


def zigzag():
    """Subgradient descent goes to and fro across the valley, and the best point is kept.

    The path of subgradient descent on |x₁| + 2 |x₂| from (4, 3/2) with steps that shrink like 1 /
    √t. It jumps from one side of the valley x₂ = 0 to the other. Many steps go up.
    """
    chart = Chart((-2, 5), (-2.05,))
    for level in range(1, 9):
        corners = [(level, 0), (0, F(level, 2)), (-level, 0), (0, F(-level, 2)), (level, 0)]
        chart.line(corners, "s-pale")
    points = []
    descent = subgradient_descent(
        TENT,
        lambda x: subgradients.subgradient(TENT, x),
        [4.0, 1.5],
        inverse_root(0.9, 16),
        lambda step: points.append(step.x),
    )
    points.append(descent.last)
    chart.line(points, "s-other")
    chart.dots(points, "other")
    chart.dots([descent.best], "key", 6)
    chart.dots([(0, 0)], "ink", 5)
    ups = [q for p, q in zip(points, points[1:]) if TENT(q) > TENT(p)]
    chart.word(points[0], "start", "other", "above")
    chart.word((F(-1, 5), F(2, 5)), f"best: f = {float(descent.best_value):.2f}", "key", "left")
    chart.word((0, 0), "0", "ink", "below")
    chart.word((2, F(-8, 5)), f"{len(ups)} of {descent.steps} steps go up", "other")
    return Sheet([chart], 370)


def primal_and_dual_meet():
    """Every value of the dual is below every value of the primal, and the two meet.

    The program: minimise ½ x² such that x ≥ 1. Above, the values ½ x² of the feasible x. Below,
    the dual function α − ½ α². They meet at 1/2, for x = α = 1. From x = 2 and α = 1/2 the gap is
    13/8, and the optimum lies in it.
    """
    program = qp_duality.quadratic_program([[F(1)]], [0], G=[[-1]], h=[-1])
    chart = Chart((0, 3), (F(-3, 4), 3), (52, 36, 568, 330))
    chart.frame(("x, and α", "value"), range(4), range(4), grid=True)

    def primal(x):
        return F(x) * F(x) / 2

    def dual(a):
        return qp_duality.dual_function(program, [F(a)])

    chart.curve(primal, "plus", "bold", (1, F(17, 7)))
    chart.curve(primal, "plus", "dots", (0, 1), 40)
    chart.curve(dual, "minus", "bold", (0, F(14, 5)), 60)
    chart.line([(0, F(1, 2)), (3, F(1, 2))], "s-key", "dash")
    x, a = F(2), F(1, 2)
    chart.line([(F(1, 2), primal(x)), (2, primal(x))], "s-soft", "thin dash")
    chart.arrow((a, dual(a)), (a, primal(x)), "ink")
    chart.arrow((a, primal(x)), (a, dual(a)), "ink")
    chart.dots([(x, primal(x))], "plus", 5)
    chart.dots([(a, dual(a))], "minus", 5)
    chart.dots([(1, F(1, 2))], "key", 7)
    chart.word((a, F(5, 4)), f"gap {primal(x) - dual(a)}")
    chart.word((F(23, 10), F(5, 2)), "primal ½ x²", "plus", "left")
    chart.word((F(12, 5), F(-1, 4)), "dual α − ½ α²", "minus", "left")
    chart.word((F(19, 20), F(1, 4)), "p* = d* = 1/2", "key")
    chart.word((F(2, 5), 0), "x < 1 is not allowed", "plus", "below", True)
    return Sheet([chart], 410)


def best_weight(X, y, lam):
    """The w of one feature at which the mean hinge + lam/2 w² is smallest."""
    problem = Problem(X, y, C=from_mean_hinge_halved(lam, len(X)).C, bias=False)
    return problem.weights(coordinate_ascent(problem, tol=0).alpha)[0]


def pegasos_settles():
    """The iterates of Pegasos jump, and their average forgets the beginning slowly.

    The weight w of a machine on seven numbers, without an offset, over 80 rounds of Pegasos. The
    iterates jump when an example with a margin below 1 is drawn, and shrink in between. Their
    average is smooth and comes down to the best w, a dashed line, from the far beginning.
    """
    X = [[F(v)] for v in (-3, -2, -1, 1, 2, 3, -1)]
    y = [-1, -1, -1, 1, 1, 1, 1]
    lam, rounds = F(1, 4), 80
    run = pegasos(X, y, lam, uniform(len(X), rounds, seed=2))
    best = best_weight(X, y, lam)
    iterates = [w[0] for w in run.W[:-1]]
    averages = [total(iterates[:T]) / T for T in range(1, rounds + 1)]
    chart = Chart((0, rounds), (0, 4), (52, 36, 568, 330))
    chart.frame(("round t", "w"), range(0, rounds + 1, 20), range(5), grid=True)
    chart.line([(0, best), (rounds, best)], "s-ink", "dash")
    chart.line([p for t, w in enumerate(iterates) for p in ((t, w), (t + 1, w))], "s-other")
    chart.line(list(enumerate(averages, 1)), "s-key", "bold")
    chart.word((8, F(13, 5)), "average of all iterates so far", "key")
    chart.word((F(25, 2), F(11, 8)), "iterates", "other", "on")
    chart.word((62, best), f"best w = {best}", "ink", "below")
    return Sheet([chart], 410)
