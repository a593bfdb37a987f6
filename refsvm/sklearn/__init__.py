"""SVC and its siblings as estimators of scikit-learn: arrays out, and all its tools take them.

Where a script says `from sklearn.svm import SVC, LinearSVC`, let it say

    >>> from refsvm.sklearn import SVC, LinearSVC

and the answers are those of refsvm.SVC and refsvm.LinearSVC, to the last bit, computed by
refsvm_fast where that is compiled. So it is with LinearSVR, NuSVC, SVR, NuSVR and OneClassSVM,
and SVDD is there, too. Nothing is computed here, and sklearn.svm is never imported.

    >>> from sklearn.model_selection import GridSearchCV
    >>> X, y = [[0.0], [1.0], [2.0], [4.0], [5.0], [6.0]], ["no", "no", "no", "yes", "yes", "yes"]
    >>> search = GridSearchCV(SVC(), {"C": [1, 10]}, cv=3).fit(X, y)
    >>> search.best_params_, search.predict([[2.5], [3.5]])
    ({'C': 1}, array(['no', 'yes'], dtype='<U3'))

None of them scales its rows, or takes texts and gaps. What `refsvm train TABLE` makes of a table
is, but for dates and columns that say nothing, this pipeline of a data frame:

    def known(frame):
        return [{k: v for k, v in row.items() if v == v} for row in frame.to_dict("records")]

    prepared = make_column_transformer(
        (make_pipeline(StandardScaler(), SimpleImputer(strategy="constant", fill_value=0)),
         make_column_selector(dtype_include="number")),
        (make_pipeline(FunctionTransformer(known), DictVectorizer()),
         make_column_selector(dtype_exclude="number")),
    )
    machine = make_pipeline(prepared, SVC(C=4, gamma="scale/4"))

What is other than in sklearn.svm.SVC:

    kernel              may be a Kernel of refsvm, too; rows that are strings go with a Spectrum.
                        A function gets two matrices, as in scikit-learn. For a function k(x, z)
                        of two rows, give functools.partial(refsvm.gram, k)
    tol                 "optimal" is proved: the conditions hold within tol in exact arithmetic
    probability         True is refused by fit: CalibratedClassifierCV(SVC(), ensemble=False)
    shrinking, random_state    have no effect: nothing is shrunk or drawn
    verbose             on a terminal only, a line that is written anew, and erased at the end
    sample_weight       0 is as if the row were absent; negative is refused
    sparse              a model of dense rows takes sparse ones and the other way round
    ConvergenceWarning  whenever the training did not end optimal, not at max_iter only

and in sklearn.svm.LinearSVC, and in LinearSVR what it has of these:

    penalty, multi_class    "l1" and "crammer_singer" are refused by fit
    dual                "auto" solves the primal of the squared loss where columns are few
    tol                 of the primal the largest gap, as a part of it; of the dual a bound on
                        m - M of weights made anew, not on what a pass happened to see
    random_state        None is a seed like any other: the same answer every time
    coef_, predict      coef_ is set as a whole; a decision of 0 is for classes_[1]

and in NuSVC, SVR, NuSVR and OneClassSVM:

    tol                 a share of the margin, of half the spread of y, or of rho: data in other
                        units have the answer in other units; of regression 1e-5 by default
    class_weight        of NuSVC weighs the largest multiplier of a row
    OneClassSVM         refuses rows whose reduced hull holds the origin, as w is 0 then

Precomputed matrices, and what kernel functions return, are made symmetric where they are so but
for rounding (matrices.py).
"""

from __future__ import annotations

OLDEST = (1, 2)  # of scikit-learn

try:
    from sklearn import __version__ as found

    if tuple(map(int, found.split(".")[:2])) < OLDEST:
        raise ImportError(f"this is {found}", name="sklearn")
    from .classifiers import SVC, LinearSVC, NuSVC, l1_min_c
    from .single_machine import SVDD, SVR, LinearSVR, NuSVR, OneClassSVM
except ImportError as error:
    if error.name is None or error.name.partition(".")[0] not in ("numpy", "scipy", "sklearn"):
        raise
    raise ImportError(
        f"refsvm.sklearn needs scikit-learn {OLDEST[0]}.{OLDEST[1]} or later, so"
        f" pip install -U scikit-learn ({error})",
        name=error.name,
    ) from error

__all__ = ["LinearSVC", "LinearSVR", "NuSVC", "NuSVR", "OneClassSVM", "SVC", "SVDD", "SVR"]
__all__ += ["l1_min_c"]
