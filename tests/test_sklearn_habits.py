"""What users of scikit-learn do with an SVC, done with refsvm.sklearn's beside scikit-learn's.

A habit takes the class and returns what the user sees. Of scikit-learn's SVC it must be near that
of ours, or the same error.
"""

import copy
import io
import pickle
import warnings
from functools import cache, partial

import pytest
from peers import peer

peer("sklearn")
import numpy as np  # noqa: E402, I001
import scipy.sparse as sparse  # noqa: E402
from scipy.stats import loguniform  # noqa: E402
from sklearn import (  # noqa: E402
    base, calibration, compose, config_context, datasets, ensemble, exceptions,
    feature_selection, inspection, kernel_approximation, metrics, model_selection,
    multiclass, multioutput, pipeline, preprocessing, semi_supervised, svm, utils,
)
from sklearn.experimental import enable_halving_search_cv  # noqa: E402, F401
from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: E402
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402

from refsvm.sklearn import SVC  # noqa: E402

search, scale = partial(model_selection.GridSearchCV, cv=3), preprocessing.StandardScaler
score, predict = model_selection.cross_val_score, model_selection.cross_val_predict
MANY = pytest.mark.slow("processes that find refsvm and answer alike")


@cache
def two():
    return datasets.make_classification(120, 6, flip_y=0.1, random_state=0)


@cache
def three():
    return datasets.load_iris(return_X_y=True)


def words(y=None):
    return np.array(["setosa", "versicolor", "virginica"])[three()[1] if y is None else y]


def frame():
    pandas = peer("pandas")
    return pandas.DataFrame(two()[0], columns=list("abcdef")), pandas.Series(two()[1], name="y")


def odd_index():
    X, y = frame()
    return X.set_index(X.index * 7 + 3), y.set_axis(y.index * 7 + 3)


def nullable():
    X, y = frame()
    return X.astype("Float64"), y.astype("Int64")


def mixed():
    X, y = frame()
    return X.assign(b=(X.b * 10).round().astype(int), c=X.c > 0), y


def categories(dtype):
    return three()[0], peer("pandas").Series(words()).astype(dtype)


def polars():
    library = peer("polars")
    X, y = two()
    return library.DataFrame(X, schema=list("abcdef")), library.Series("y", y)


def read_only():
    X = two()[0].copy()
    X.flags.writeable = False
    return X, two()[1]


def fitted(cls, data=None, weights=None, **given):
    return cls(**given).fit(*(data or two()), weights)


def answers(svc, data=None):
    X = (data or two())[0]
    return svc.predict(X), svc.decision_function(X)


def whole(model, data=None):
    """Fitted, what any meta-estimator predicts, and its score."""
    X, y = data or two()
    model.fit(X, y)
    return model.predict(X), model.score(X, y)


def best(model, data=None, **given):
    model.fit(*(data or two()), **given)
    return model.best_params_, model.best_score_


def draw(display):
    peer("matplotlib").use("Agg")
    return display()


def boundary(cls, data, **given):
    X, y = data
    svc = fitted(cls, (X[:, :2], y))
    show = inspection.DecisionBoundaryDisplay.from_estimator
    return draw(lambda: show(svc, X[:, :2], grid_resolution=20, **given).response)


def columns(svc, X):
    return svc.feature_names_in_.tolist(), svc.n_features_in_, svc.predict(X)


def reordered(cls):
    X, y = frame()
    return cls().fit(X, y).predict(X[list("bacdef")])


def routed(cls, ask):
    with config_context(enable_metadata_routing=True):
        svc = cls().set_score_request(sample_weight=False)
        svc = svc.set_fit_request(sample_weight=True) if ask else svc
        return best(search(svc, {"C": [1, 10]}), sample_weight=np.ones(120))


def mixed_columns(cls):
    X, y = mixed()
    X = X.assign(d=np.where(X.d > 0, "up", "down"))
    hot = preprocessing.OneHotEncoder(sparse_output=True)
    columns = compose.make_column_transformer((hot, ["d"]), remainder=scale())
    return whole(pipeline.make_pipeline(columns, cls()), (X, y))


def kept(save, load):
    def habit(cls):
        svc = fitted(cls, three())
        return answers(load(save(svc)), three())
    return habit


def through_joblib(cls):
    joblib, file = peer("joblib"), io.BytesIO()
    joblib.dump(fitted(cls), file)
    file.seek(0)
    return answers(joblib.load(file))


def through_skops(cls):
    skops = peer("skops.io")
    data = skops.dumps(fitted(cls))
    return answers(skops.loads(data, trusted=skops.get_untrusted_types(data=data)))


def workers(backend):
    def habit(cls):
        with peer("joblib").parallel_backend(backend, n_jobs=2):
            return best(search(cls(), {"C": [0.1, 1]}))
    return habit


def thresholds(cls):
    tuned = model_selection.TunedThresholdClassifierCV(cls(), cv=3, thresholds=5)
    fixed = model_selection.FixedThresholdClassifier(cls(), threshold=0.5)
    return whole(tuned)[1], whole(fixed)


def grams(cls, kernel):
    return score(cls(kernel="precomputed"), kernel(two()[0]), two()[1], cv=3)


def of_sparse(cls):
    X, y = three()
    forms = (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.lil_matrix,
             sparse.dok_matrix, sparse.csr_array)
    return [cls().fit(form(X), y).predict(form(X)) for form in forms]


def named(cls):
    return base.is_classifier(cls()), isinstance(cls(), base.BaseEstimator)


def before_fit(cls):
    with pytest.raises(exceptions.NotFittedError):
        check_is_fitted(cls())
    check_is_fitted(fitted(cls))


def tags(cls):
    found = utils.get_tags(cls())
    return found.estimator_type, found.input_tags.sparse, found.target_tags.required


def texts(cls):
    model = pipeline.make_pipeline(TfidfVectorizer(), cls(kernel="linear"))
    model.fit(["good film", "bad film", "good plot", "bad plot"], ["p", "n", "p", "n"])
    return model.predict(["good"]), model[-1].coef_.toarray().shape


def arrays(cls):
    svc = fitted(cls, three(), kernel="linear")
    X = three()[0]
    grid = np.stack(np.meshgrid(*[np.linspace(0, 5, 4)] * 4), -1)
    return (svc.predict(X) + 1, svc.predict(X)[three()[1] == 2], svc.dual_coef_.shape[0],
            svc.decision_function(grid.reshape(-1, 4)).reshape(4, 4, 4, 4, 3)[0, 0, 0, 0],
            svc.support_vectors_[:, 0].ndim, svc.coef_[0], svc.intercept_[0], svc.n_iter_.shape)


HABITS = {
    # selection
    "clone": lambda cls: base.clone(cls(C=3, class_weight={0: 2})).get_params()["class_weight"],
    "BaseEstimator": named,
    "types": lambda cls: [a.dtype.kind for a in answers(fitted(cls, three()), three())],
    "mean": lambda cls: (fitted(cls).predict(two()[0]) == two()[1]).mean(),
    "pipeline": lambda cls: whole(pipeline.make_pipeline(scale(), cls())),
    "slices": lambda cls: pipeline.make_pipeline(scale(), cls()).fit(*two())[1:].classes_,
    "cross_val_score": lambda cls: score(cls(), *two(), cv=3),
    "decisions 2": lambda cls: predict(cls(), *two(), cv=3, method="decision_function"),
    "decisions 3": lambda cls: predict(cls(), *three(), cv=3, method="decision_function"),
    "grid": lambda cls: best(search(cls(), {"C": [1, 10], "gamma": ["scale", 0.1]})),
    "grid of kernels": lambda cls: best(search(cls(), {"kernel": np.array(["linear", "rbf"]),
                                                       "break_ties": np.array([False, True])})),
    "grid roc_auc": lambda cls: best(search(cls(), {"C": [1]}, scoring="roc_auc")),
    "halving": lambda cls: best(model_selection.HalvingGridSearchCV(
        cls(), {"C": [0.01, 1]}, cv=3, random_state=0)),
    "random": lambda cls: best(model_selection.RandomizedSearchCV(
        cls(), {"C": loguniform(0.1, 10), "gamma": loguniform(0.01, 1)}, n_iter=3, cv=3,
        random_state=0))[1],
    "learning": lambda cls: model_selection.learning_curve(
        cls(), *two(), cv=3, train_sizes=[0.5, 1.0])[2],
    "validation": lambda cls: model_selection.validation_curve(
        cls(), *two(), param_name="C", param_range=[0.01, 1], cv=3)[1],
    "permutation": lambda cls: inspection.permutation_importance(
        fitted(cls), *two(), n_repeats=2, random_state=0).importances_mean,
    "dependence": lambda cls: inspection.partial_dependence(
        fitted(cls), two()[0], [0], grid_resolution=5)["average"],
    # wrapping
    "sigmoid": lambda cls: whole(calibration.CalibratedClassifierCV(cls(), cv=3)),
    "isotonic": lambda cls: whole(calibration.CalibratedClassifierCV(
        cls(), method="isotonic", cv=3), three()),
    "frozen": lambda cls: whole(calibration.CalibratedClassifierCV(
        peer("sklearn.frozen").FrozenEstimator(fitted(cls)))),
    "calibrated cure": lambda cls: calibration.CalibratedClassifierCV(
        cls(), ensemble=False, cv=3).fit(*two()).predict_proba(two()[0]),
    "thresholds": thresholds,
    "voting": lambda cls: whole(ensemble.VotingClassifier([("a", cls()), ("b", cls(C=9))])),
    "stacking": lambda cls: whole(ensemble.StackingClassifier([("a", cls())], cv=3)),
    "stacking on it": lambda cls: whole(ensemble.StackingClassifier(
        [("a", cls())], final_estimator=cls(), cv=3), three()),
    "bagging": lambda cls: whole(ensemble.BaggingClassifier(cls(), 3, random_state=0)),
    # With a smaller C all multipliers are at their bounds, and any of many offsets is as good.
    "boosting": lambda cls: whole(ensemble.AdaBoostClassifier(cls(C=30), n_estimators=3))[1],
    "one against rest": lambda cls: whole(multiclass.OneVsRestClassifier(cls()), three()),
    "one against one": lambda cls: whole(multiclass.OneVsOneClassifier(
        cls(class_weight={0: 1, 1: 2})), three()),
    "output codes": lambda cls: whole(multiclass.OutputCodeClassifier(cls(), random_state=0),
                                      three()),
    "several outputs": lambda cls: multioutput.MultiOutputClassifier(cls()).fit(
        two()[0], np.c_[two()[1], two()[0][:, 0] > 0]).predict(two()[0]),
    "chain": lambda cls: multioutput.ClassifierChain(cls()).fit(
        two()[0], np.c_[two()[1], two()[0][:, 0] > 0]).predict(two()[0]),
    "RFE": lambda cls: feature_selection.RFE(cls(kernel="linear")).fit(*two()).ranking_,
    "RFE sparse": lambda cls: feature_selection.RFE(cls(kernel="linear")).fit(
        sparse.csr_matrix(two()[0]), two()[1]).ranking_,
    "RFECV": lambda cls: feature_selection.RFECV(
        cls(kernel="linear"), cv=3).fit(*three()).support_,
    "from model": lambda cls: feature_selection.SelectFromModel(
        cls(kernel="linear")).fit(*three()).get_support(),
    "sequential": lambda cls: feature_selection.SequentialFeatureSelector(
        cls(), n_features_to_select=1, cv=2).fit(*two()).get_support(),
    # drawing
    "boundary": lambda cls: boundary(cls, two()),
    "boundary 3": lambda cls: boundary(cls, three(), response_method="predict"),
    "boundary of words": lambda cls: boundary(cls, (three()[0], words())),
    "confusion": lambda cls: draw(lambda: metrics.ConfusionMatrixDisplay.from_estimator(
        fitted(cls), *two()).confusion_matrix),
    "roc": lambda cls: draw(lambda: metrics.RocCurveDisplay.from_estimator(
        fitted(cls), *two()).roc_auc),
    "metrics": lambda cls: metrics.f1_score(two()[1], fitted(cls).predict(two()[0])),
    "array idioms": arrays,
    "explainer": lambda cls: fitted(cls).decision_function(two()[0][:3]).shape,
    # input
    "set_output": lambda cls: whole(pipeline.make_pipeline(scale(), cls()).set_output(
        transform="pandas"), frame()),
    "names": lambda cls: columns(cls().fit(*frame()), frame()[0]),
    **{data.__name__: (lambda cls, data=data: whole(cls(), data()))
       for data in (frame, odd_index, nullable, mixed, polars, read_only)},
    "categories": lambda cls: whole(cls(), categories("category")),
    "pandas words": lambda cls: whole(cls(), categories("string")),
    "sparse": of_sparse,
    "column": lambda cls: fitted(cls, (two()[0], two()[1][:, None])).predict(two()[0]),
    "words": lambda cls: (fitted(cls, (three()[0], words())).classes_, *whole(
        cls(), (three()[0], words().tolist()))),
    "bools": lambda cls: whole(cls(), (two()[0], two()[1] == 1)),
    "floats": lambda cls: whole(cls(), (two()[0], two()[1] * 1.0)),
    "lists": lambda cls: whole(cls(), (two()[0].tolist(), two()[1].tolist())),
    "float32": lambda cls: whole(cls(), (two()[0].astype("f4"), two()[1])),
    "orders": lambda cls: [whole(cls(), (X, two()[1])) for X in (
        np.asfortranarray(two()[0]), np.repeat(two()[0], 2, 1)[:, ::2], two()[0].astype(object))],
    "weights": lambda cls: fitted(cls, weights=np.arange(120) % 3 + 1).score(*two()),
    "precomputed": lambda cls: grams(cls, rbf_kernel),
    "laplacian": lambda cls: grams(cls, laplacian_kernel),
    "kernel function": lambda cls: score(cls(kernel=rbf_kernel), *three(), cv=3),
    "Nystroem": lambda cls: whole(pipeline.make_pipeline(
        kernel_approximation.Nystroem(n_components=20, random_state=0), cls(kernel="linear"))),
    "columns": mixed_columns,
    "texts": texts,
    # conventions
    "set_fit_request": lambda cls: routed(cls, True),
    "searched weights": lambda cls: best(search(cls(), {"C": [1]}), sample_weight=np.ones(120)),
    "step's weights": lambda cls: pipeline.make_pipeline(scale(), cls()).fit(
        *two(), **{cls.__name__.lower() + "__sample_weight": np.ones(120)}).score(*two()),
    "html": lambda cls: "SVC" in cls()._repr_mimebundle_()["text/html"],
    "html of pipeline": lambda cls: "SVC" in utils.estimator_html_repr(
        pipeline.make_pipeline(scale(), cls())),
    "repr": lambda cls: repr(cls(C=2, kernel="linear", random_state=0)),
    "parameters": lambda cls: cls().set_params(C=5, gamma=0.1).get_params()["C"],
    "other keywords": lambda cls: whole(cls(random_state=0, verbose=0, shrinking=False)),
    "tags": tags,
    "sizes": lambda cls: (fitted(cls).n_features_in_, fitted(cls, three()).n_iter_.shape),
    "is fitted": before_fit,
    "ovo": lambda cls: answers(fitted(cls, three(), decision_function_shape="ovo"), three()),
    "balanced": lambda cls: answers(fitted(cls, three(), class_weight="balanced"), three()),
    # keeping
    "pickle": kept(pickle.dumps, pickle.loads),
    "cloudpickle": kept(lambda svc: peer("cloudpickle").dumps(svc), pickle.loads),
    "deepcopy": kept(copy.deepcopy, lambda svc: svc),
    "joblib": through_joblib,
    "skops": through_skops,
    "threads": workers("threading"),
    "loky": workers("loky"),
    "processes": workers("multiprocessing"),
}

REFUSED = {
    "roc_auc_ovr": lambda cls: score(cls(), *three(), cv=3, scoring="roc_auc_ovr",
                                     error_score="raise"),
    "soft voting": lambda cls: whole(ensemble.VotingClassifier([("a", cls())], voting="soft")),
    "self training": lambda cls: semi_supervised.SelfTrainingClassifier(cls()).fit(
        two()[0], np.arange(120) % 3 - 1),
    "predict_proba": lambda cls: fitted(cls).predict_proba(two()[0]),
    "other columns": reordered,
    "real labels": lambda cls: cls().fit(two()[0], two()[0][:, 0]),
    "unasked weights": lambda cls: routed(cls, False),
    "unknown parameter": lambda cls: cls().set_params(nope=1),
    "unknown keyword": lambda cls: cls(nope=1),
    "before fit": lambda cls: cls().predict(two()[0]),
    "fewer columns": lambda cls: fitted(cls).predict(two()[0][:, 1:]),
    "missing": lambda cls: fitted(cls).predict([[np.nan] * 6]),
    "ovo and ties": lambda cls: fitted(cls, three(), break_ties=True,
                                       decision_function_shape="ovo").predict(three()[0]),
    "no coef_": lambda cls: fitted(cls).coef_,
    "sparse precomputed": lambda cls: fitted(cls, (sparse.eye(120).tocsr(), two()[1]),
                                             kernel="precomputed"),
}


def outcome(habit, cls):
    """What a user sees but for warnings: some are of the tools, and of no interest here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return habit(cls)


def assert_near(ours, theirs):
    """The same shape and type, and numbers that differ by no more than tol lets them."""
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs):
            assert_near(mine, other)
    elif isinstance(theirs, dict):
        assert ours == theirs
    else:
        mine, other = np.asarray(ours), np.asarray(theirs)
        assert (type(ours), mine.shape, mine.dtype) == (type(theirs), other.shape, other.dtype)
        if other.dtype.kind == "f":
            assert np.abs(mine - other).max() < 0.02
        else:
            assert (mine == other).all()


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=MANY) if name in ("loky", "processes") else name for name in HABITS
])
def test_a_habit_works(name):
    assert_near(outcome(HABITS[name], SVC), outcome(HABITS[name], svm.SVC))


@pytest.mark.parametrize("name", REFUSED)
def test_what_scikit_learns_svc_refuses_is_refused_alike(name):
    with pytest.raises(Exception) as theirs:
        outcome(REFUSED[name], svm.SVC)
    with pytest.raises(theirs.type):
        outcome(REFUSED[name], SVC)
