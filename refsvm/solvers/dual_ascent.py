"""The loop around a step: when to go along the face, when to stop, and what to say of the end.

A Descent knows how to take one step (descent.py: two multipliers; coordinate_ascent.py: one;
projected_gradient.py: all). Everything around the step is the same for the three of them:

    1  beta = start
    2  if m - M <= tol: stop, unless rounding may have spoilt the residuals; then compute them
       anew, and look again
    3  take one step
    4  every so many steps move all free multipliers at once (conjugate_gradient.py)
    5  go to 2

Throughout this module
    m, M     the largest residual that may rise, the smallest that may fall (kkt_conditions.py)
    drift    what rounding may have done to a residual since all were new (descent.py)
    pause    steps between two times of point 4
    work     how many numbers a step touches, about: n, or n n if it moves everybody
"""

from math import inf

from .answers import solution_of
from .conjugate_gradient import along_the_face
from .infeasibility import touching

EFFORT = 10  # multiplications along the face, for each number that the steps since then touched
ENOUGH = 25_000  # and at least so many: a face of few is then always solved to its end


def run(problem, descent, tol, max_iter, tell=None):
    """The Solution that a Descent comes to.

    tell is called after each step with what the step returned, the number of steps, the violation
    and the dual. O(n) a step, besides what the step itself takes.
    """
    status, iterations, farkas = descend(problem, descent, tol, max_iter, tell)
    return solution_of(
        problem,
        descent.beta,
        descent.known(),
        iterations=iterations,
        status=status,
        farkas=farkas,
    )


def descend(problem, descent, tol, max_iter, tell):
    """Step until there is a reason to stop: status, iterations, and a Farkas proof or None."""
    pause = descent.pause
    effort = max(EFFORT * pause * descent.work, ENOUGH)
    iterations, check_at, objective = 0, problem.n, descent.objective()
    status = farkas = None
    while status is None:
        status = reason_to_stop(descent, tol, iterations, max_iter)
        if status is not None:
            break
        move = descent.step()
        if move is not None:
            iterations += 1
            objective += move.gain
            if iterations % pause == 0:
                objective += along_the_face(descent, tol, effort)
            if tell is not None:
                tell(move, iterations, descent.violation(), objective)
        elif not descent.endless and not descent.refresh():
            status = "precision"  # the best step there is moves nothing by as much as a rounding
        if descent.endless:
            status = "precision"  # rounding hides the curvature, unless there is a disproof
        elif iterations >= check_at:
            check_at *= 2
            farkas = disproof(problem, descent)
            status = "infeasible" if farkas else status
    if not farkas:
        farkas = disproof(problem, descent)
    if status != "max_iter" and (descent.indefinite or farkas):
        status = "indefinite" if descent.indefinite else "infeasible"
    return status, iterations, farkas


def reason_to_stop(descent, tol, iterations, max_iter):
    """Why there is to be no further step, or None; residuals are new if that was in doubt."""
    while True:
        violation = descent.violation()
        # Every now and then, too, when rounding may be all there is to the violation.
        look = iterations % descent.pause == 0 and violation <= 2 * descent.drift
        if not (violation <= tol or look):
            return "max_iter" if iterations == max_iter else None
        if descent.sure(tol):
            return "optimal"
        if not descent.look_again(tol):
            return "precision"


def disproof(problem, descent):
    """Multipliers that prove that there is no hard margin, or None."""
    if descent.indefinite:
        return None
    if not descent.endless:
        return touching(problem, descent.beta, descent.program.rows)
    if any(problem.C[i] < inf for i, speed in descent.endless.items() if speed != 0):
        return None
    way = [problem.kind(descent.endless.get(i, 0)) for i in range(problem.n)]
    return touching(problem, way, descent.program.rows) or [abs(v) for v in way]
