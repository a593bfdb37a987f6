"""Cases that are drawn: the same of a seed, other ones of another, each with an optimum."""

import pytest

import refsvm
import refsvm_fast
from refsvm.conformance.audit import audit
from refsvm.conformance.cases.drawn import MANY_DRAWN, find_case, names_of_seed, place_of
from refsvm.conformance.protocol.forms import FORMS

MACHINES = [None, *FORMS.values()]


@pytest.mark.parametrize("form", MACHINES)
def test_a_seed_draws_the_same_problems_and_another_seed_others(form):
    first = [repr(find_case(name).given) for name in names_of_seed(form, 1)]
    other = [repr(find_case(name).given) for name in names_of_seed(form, 2)]
    assert len({*first, *other}) == len(first) + len(other) == 2 * MANY_DRAWN
    find_case.__globals__["drawn_case"].cache_clear()
    assert [repr(find_case(name).given) for name in names_of_seed(form, 1)] == first


@pytest.mark.parametrize("form", MACHINES)
def test_a_name_says_machine_and_group(form):
    assert {place_of(name) for name in names_of_seed(form, 3)} == {(form, "drawn")}
    assert place_of("seed 3") is None and place_of("no_machine, seed 3, 1") is None


@pytest.mark.parametrize("form", MACHINES)
def test_the_right_machine_passes_what_any_seed_draws(form):
    seed = (1, 5, 2**48 - 1)[MACHINES.index(form) % 3]
    records = audit(refsvm_fast.smo, isolate=False, names=["*seed*"], seed=seed,
                    form=form and form.name)
    assert len({r.case for r in records}) == MANY_DRAWN
    assert {r.result for r in records} <= {"pass", "acceptable"}, records


def test_a_wrong_machine_fails_some_and_the_failures_name_the_seed(unnamed):
    def shifted(problem):
        solution = refsvm.smo(problem)
        return {"alpha": solution.alpha, "b": solution.b + 1}

    failed = {r.case for r in audit(shifted, isolate=False, names=["seed 8, *"], seed=8)
              if r.result == "fail"}
    assert "seed 8, 1" in failed and len(failed) > MANY_DRAWN // 2
    alone = audit(shifted, isolate=False, names=["seed 8, 1"], seed=8)
    assert any(r.result == "fail" for r in alone)


@pytest.mark.parametrize("seed", [-1, 2**48, 0.5, "1"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises((TypeError, ValueError), match="seed is"):
        audit(refsvm.smo, isolate=False, seed=seed, names=["C01"])
