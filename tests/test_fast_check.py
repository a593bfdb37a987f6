"""refsvm_fast's check says of a fitted model what refsvm's says, to the last bit."""

from equality import agree, equality_test
from hypothesis import given
from hypothesis import strategies as st

MACHINES = {
    "SVC": {"C": 2.0}, "NuSVC": {"nu": 0.25}, "SVR": {"epsilon": 0.5}, "NuSVR": {"nu": 0.5},
    "OneClassSVM": {"nu": 0.5}, "SVDD": {"C": 0.5}, "LinearSVC": {},
}
numbers = st.floats(-8, 8).map(lambda v: round(v, 3))


@equality_test("check")
@given(st.sampled_from(sorted(MACHINES)), st.sampled_from(["linear", "rbf", "poly"]), st.data())
def test_checks_are_the_same(name, kernel, data):
    n = data.draw(st.integers(4, 9))
    X = data.draw(st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=n, max_size=n))
    y = [i % 2 for i in range(n)]
    parameters = {**MACHINES[name], **({} if name == "LinearSVC" else {"kernel": kernel})}
    other = data.draw(st.sampled_from([{}, {"tol": 1e-9}]))

    def checked(package):
        machine = getattr(package, name)(**parameters).fit(X, y)
        return package.check(machine.set_params(**other), X, y)

    agree(checked)
