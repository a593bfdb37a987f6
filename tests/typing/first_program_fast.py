"""The same program with refsvm_fast: nothing is wrong but what is marked.

It is checked, not run, by tests/lint.py. An error that is marked and not found is an error too.
"""

from fractions import Fraction

import refsvm_fast as refsvm
from refsvm.files.scaling import write_scaling

X = [[0.0, 1.0], [1.0, 1.0], [3.0, 0.0], [4.0, 2.0]]
y = ["no", "no", "yes", "yes"]

svc = refsvm.SVC(kernel="linear", C=10, gamma="scale", class_weight="balanced").fit(X, y)
labels: list[str] = [str(label) for label in svc.predict([[2, 5]])]
print(labels, svc.score(X, y), svc.decision_function(X), svc.coef_, svc.support_[0] + 1)
print(svc.solutions_[0].status.upper(), svc.model_.predictions(X))

problem = refsvm.Problem(X, [-1, -1, 1, 1], kernel=refsvm.Linear(), C=Fraction(1))
solution = refsvm.smo(problem, tol=0)
model = solution.model()
print(max(solution.alpha), solution.b, solution.gap, model.decision([1, 2]), model.predict(X[0]))
print(refsvm.kkt(problem, solution.alpha).worst)
print(refsvm.gram(refsvm.Linear() + 2 * refsvm.Polynomial(2), X)[0][1])

best = refsvm.solve_exactly(problem)
certificate = refsvm.certify(problem, solution.alpha, solution.b)
print(best.objective, best.status, certificate.gap, certificate.honours(1e-3))

data = refsvm.read_data("two.libsvm")
scaling = refsvm.Scaling.fit(data.X)
write_scaling("two.range", scaling)
print(refsvm.trace(problem).text(), refsvm.export(model, name="svm"))
print(refsvm.perceptron(X, [-1, -1, 1, 1], [0, 1, 2, 3]).w)
print(refsvm.pegasos(X, [-1, -1, 1, 1], 0.1, range(4)).w)

refsvm.SVC(c=1)  # type: ignore[call-arg]  # the penalty is C
refsvm.SVC().fitt(X, y)  # type: ignore[attr-defined]
refsvm.smoo(problem)  # type: ignore[attr-defined]
refsvm.Gaussian("wide")  # type: ignore[arg-type]
