"""Classes and functions as people write them: constructors of many shapes, right machines inside.

test_adapters_of_classes.py prints an adapter for each, and audits it. No numpy is needed here.
"""

import refsvm


def trained(X, y, C, kernel=None):
    return refsvm.smo(refsvm.Problem(X, y, kernel or refsvm.Linear(), C), 1e-9).model()


class Cost:
    def __init__(self, cost=1.0, n_iters=1000):
        self.cost, self.n_iters = cost, n_iters

    def train(self, samples, targets):
        self.model = trained(samples, targets, self.cost)

    def project(self, X):
        return self.model.decisions(X)


class LambdaParam:
    def __init__(self, learning_rate=0.001, lambda_param=0.01, n_iters=1000):
        self.lambda_param = lambda_param

    def fit(self, X, y):
        model = trained(X, y, 1 / (len(X) * self.lambda_param))
        self.w, self.b = model.w, -model.b

    def predict(self, X):
        return [1 if sum(v * z for v, z in zip(self.w, x)) - self.b >= 0 else -1 for x in X]


class Reg:
    def __init__(self, lr, reg=0.1, epochs=100):
        self.reg = reg

    def fit(self, X, y):
        model = trained(X, y, 1 / (len(X) * self.reg))
        self.weights, self.bias = model.w, model.b


class DataInConstructor:
    def __init__(self, X, y, C, toler=0.001):
        self.X, self.y, self.C = X, y, C

    def fit(self):
        self.model = trained(self.X, self.y, self.C)

    def decision(self, x):
        return self.model.decision(x)


class NamedKernel:
    def __init__(self, kernel="linear", C=1.0, gamma=0.5, degree=3):
        kernels = {
            "linear": refsvm.Linear(),
            "rbf": refsvm.Gaussian(gamma),
            "poly": refsvm.Polynomial(degree, gamma, 1),
        }
        self.kernel, self.C = kernels[kernel], C

    def fit(self, X, y):
        self.model = trained(X, y, self.C, self.kernel)

    def decision_function(self, X):
        return self.model.decisions(X)


class Sigma:
    def __init__(self, C, kernel, sigma):
        self.C = C
        self.kernel = refsvm.Gaussian(1 / (2 * sigma * sigma))
        if kernel != "gaussian":
            self.kernel = refsvm.Linear()

    def learn(self, X, y):
        self.model = trained(X, y, self.C, self.kernel)

    def score(self, row):
        return self.model.decision(row)


def dot(x, z):
    return sum(p * q for p, q in zip(x, z))


class FunctionOfRows:
    def __init__(self, c=1.0, kernel=dot):
        self.c, self.kernel = c, kernel

    def fit(self, X, y):
        self.model = trained(X, y, self.c, self.kernel)
        return self

    def predict(self, X):
        return self.model.predictions(X)


def all_dots(A, B):
    return [[dot(x, z) for z in B] for x in A]


class FunctionOfMatrices:
    def __init__(self, kernel=all_dots, C=1.0):
        self.kernel, self.C = kernel, C

    def fit(self, X, y):
        K = self.kernel(X, X)
        solution = refsvm.smo(refsvm.Problem(K, y, refsvm.Precomputed(), self.C), 1e-9)
        self.X, self.model = X, solution.model()

    def decision_function(self, X):
        return self.model.decisions(self.kernel(X, self.X))


class Nu:
    def __init__(self, nu=0.5):
        self.nu = nu

    def fit(self, X, y):
        raise NotImplementedError("another time")


class ConstantAndPenalty:
    """C is the penalty, c the constant of the polynomial."""

    def __init__(self, C=10, c=1.0, degree=2, kernel="polynomial", gamma=1.0):
        self.C = C
        self.kernel = refsvm.Polynomial(degree, gamma, c)
        if kernel == "linear":
            self.kernel = refsvm.Linear()

    def fit(self, X, Y):
        self.model = trained(X, Y, self.C, self.kernel)

    def project(self, x):
        return self.model.decision(x)


def train_svm(X, y, C=1.0, max_passes=5):
    model = trained(X, y, C)
    return model.w, model.b


class TubeRegression:
    def __init__(self, cost=1.0, eps=0.1, n_iters=1000):
        self.cost, self.eps = cost, eps

    def train(self, samples, targets):
        problem = refsvm.RegressionProblem(samples, targets, C=self.cost, epsilon=self.eps)
        self.model = refsvm.smo(problem, 1e-9).model()

    def predict(self, samples):
        return self.model.predictions(samples)


class Novelty:
    def __init__(self, nu=0.5, kernel="rbf", gamma=0.5):
        self.nu = nu
        self.kernel = {"rbf": refsvm.Gaussian(gamma), "linear": refsvm.Linear()}[kernel]

    def fit(self, X):
        self.model = refsvm.smo(refsvm.OneClassProblem(X, self.kernel, self.nu), 1e-9).model()

    def score(self, row):
        return self.model.decision(row)


class BallOfData:
    def __init__(self, data, C):
        self.model = refsvm.smo(refsvm.BallProblem(data, C=C), 1e-9).model()

    def evaluate(self, x):
        return self.model.decision(x)


class NuMargin:
    def __init__(self, nu, tol=1e-3):
        self.svc = refsvm.NuSVC(nu, kernel="linear", tol=tol)

    def fit(self, X, y):
        self.svc.fit(X, y)

    def project(self, X):
        return self.svc.decision_function(X)


class WrongOffset(Cost):
    """Cost with a bug."""

    def project(self, X):
        return [f + 0.5 for f in super().project(X)]
