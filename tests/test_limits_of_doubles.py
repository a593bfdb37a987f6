"""Where doubles end, the answer says why, and what helps."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import refsvm
from refsvm import (
    SVC,
    SVR,
    Gaussian,
    Linear,
    NuProblem,
    Polynomial,
    Precomputed,
    Problem,
    smo,
)
from refsvm.commands import main
from refsvm.svm import limits_of_doubles
from refsvm.svm.limits_of_doubles import limit_in_words

FAR, LABELS = [[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1]
WHY = "to round alpha moves decisions by up to 222.1, and m - M may be 444.1"
HELPS = "divide X by about 2e+09 or lower C, each of which is another problem;"


def test_four_points_far_apart_name_the_rounding_and_what_helps():
    solution = smo(Problem(FAR, LABELS))
    assert solution.status == "precision" and 222.04 < solution.gap < 222.05
    assert solution.limit.startswith(f"{WHY}: {HELPS} solve_exactly")
    assert solution.without_problem().limit == solution.limit
    near = smo(Problem([[x / 2e9 for x in row] for row in FAR], LABELS))
    assert (near.status, near.limit) == ("optimal", "")


def test_a_warning_and_a_report_end_with_the_same_sentence(capsys, tmp_path):
    with pytest.warns(UserWarning, match=re.escape(f"gap 222.1: {WHY}: {HELPS}")):
        SVC(kernel="linear", gamma=1).fit(FAR, LABELS)
    with pytest.warns(UserWarning, match="training SVR .* divide X by about 3e"):
        SVR(kernel="poly", gamma=1).fit(FAR, LABELS)
    (tmp_path / "four").write_text("".join(f"{y} 1:{x}\n" for y, (x,) in zip(LABELS, FAR)))
    assert main(["train", str(tmp_path / "four"), "--kernel", "linear", "--C", "1"]) == 0
    assert f"\nprecision: {WHY}:\n{HELPS}\nsolve_exactly" in capsys.readouterr().out


def test_the_warning_of_scikit_learns_kind_says_why(recwarn):
    pytest.importorskip("sklearn")
    from refsvm import sklearn
    sklearn.SVC(kernel="linear").fit(FAR, LABELS)
    assert WHY in str(recwarn.pop().message)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1, 1), Gaussian(0.5), Precomputed()])
@pytest.mark.parametrize("most", [0, 2**16])
@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_no_score_moves_by_more_when_free_multipliers_are_rounded(kernel, most, parts):
    K = [[float(abs(i - j)) for j in range(5)] for i in range(5)]
    X = K if isinstance(kernel, Precomputed) else [[k * k / 4] for k in range(5)]
    problem = Problem(X, [1, -1, 1, -1, 1], kernel)
    free = [j for j, a in enumerate(parts) if 0 < a < 1] or range(5)
    exact = max(sum(abs(Fraction(parts[j]) * Fraction(row[j])) for j in free)
                for row in map(problem.kernel_rows(), problem.rows)) / 2**53
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(limits_of_doubles, "MOST_VALUES", most)
        moved = Fraction(limits_of_doubles._moved_by_rounding(problem, parts))
    assert moved >= exact * (1 - Fraction(1, 2**45))
    if most > 0 or isinstance(kernel, Precomputed):
        assert moved <= exact * (1 + Fraction(1, 2**45))


def test_only_what_helps_is_named():
    wide = [[1e12 * i, *[0] * 300, i % 3 * 1e12] for i in range(6)]
    said = limit_in_words(Problem(wide, [1, -1] * 3), [0.5] * 6, 1.0)
    assert "divide columns 0, 301 of X by about 3e+12 or lower C" in said
    said = limit_in_words(Problem([[x, y] for (x,), y in zip(FAR, LABELS)], LABELS, Gaussian(1)),
                          [0.5] * 4, 1.0)
    assert ": lower C, which is another problem; solve_exactly" in said
    said = limit_in_words(NuProblem([[0], [1], [3], [4]], [-1, 1, 1, -1]), [0.5] * 4, 1.0)
    assert said.endswith(": solve_exactly, or refsvm exact, has the optimum of this one")


def test_a_compiled_answer_says_the_same():
    fast = pytest.importorskip("refsvm_fast")
    for kernel in (Linear(), Polynomial(3, 1, 1)):
        for kind in ("Problem", "RegressionProblem"):
            solutions = [p.smo(getattr(p, kind)(FAR, LABELS, kernel)) for p in (refsvm, fast)]
            assert solutions[0].status == "precision"
            assert solutions[0].limit == solutions[1].limit != ""
