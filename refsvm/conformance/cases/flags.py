"""The kinds of bug that the cases are aimed at: what each is called, and who met it.

A case carries flags. Each flag names one way in which programs that solve the support vector
machine have gone wrong, so that a failure says not only that something is wrong, but what. The
links lead to threads in which people met it; a flag without links was found by reading code or by
running these cases.
"""

from typing import NamedTuple

GITHUB = "https://github.com/"


class Flag(NamedTuple):
    """A kind of bug: its class in a few words, what happens, and where it was met."""

    bugType: str
    description: str
    links: list


def flag(bug_type, description, *threads):
    """A Flag whose links are GitHub threads, given as "owner/repository#number"."""
    return Flag(bug_type, description, [link_to(thread) for thread in threads])


def link_to(thread):
    """The address of a thread; pull requests answer under the address of an issue, too.

    >>> link_to("cjlin1/libsvm#85")
    'https://github.com/cjlin1/libsvm/issues/85'
    """
    return GITHUB + thread.replace("#", "/issues/")


FLAGS = {
    "Sane": flag(
        "basics",
        "A problem without any difficulty; who fails here solves another problem.",
    ),
    "NoFreeSV": flag(
        "offset",
        "No multiplier lies strictly between its bounds, so no example on the margin tells b:"
        " the branch for this case is rarely run, and had the wrong sign in a library.",
        "ajtulloch/svmpy#6",
        "nihil21/custom-svm#3",
        "uxlfoundation/oneDAL#641",
        "uxlfoundation/oneDAL#1809",
        "NVIDIA/cuml#4033",
    ),
    "OffsetInterval": flag(
        "offset",
        "A whole interval of offsets is optimal; any of them is right, and none outside.",
        "scikit-learn/scikit-learn#14893",
        "scikit-learn/scikit-learn#14894",
    ),
    "BoundedSV": flag(
        "offset",
        "Support vectors at C beside free ones: b averaged over all of them is biased.",
        "ajtulloch/svmpy#6",
        "nihil21/custom-svm#3",
        "rushter/MLAlgorithms#77",
    ),
    "NoOffset": flag(
        "offset",
        "There is no offset: b is 0, and the multipliers need not balance.",
        "JuliaStats/SVM.jl#32",
        "mlpack/mlpack#2419",
        "scikit-learn/scikit-learn#16911",
    ),
    "AlphaNotUnique": flag(
        "comparison",
        "Many multipliers are optimal; only w, b and the objective can be compared.",
        "scikit-learn/scikit-learn#12738",
        "scikit-learn/scikit-learn#12849",
        "NVIDIA/cuml#2686",
    ),
    "Duplicate": flag(
        "degeneracy",
        "An example is there twice with the same label.",
        "scikit-learn/scikit-learn#12738",
        "scikit-learn/scikit-learn#13075",
    ),
    "DuplicateOppositeLabel": flag(
        "degeneracy",
        "An example is there twice, once in each class: no pair step between them has curvature.",
        "scikit-learn/scikit-learn#13075",
    ),
    "EtaZero": flag(
        "degeneracy",
        "The curvature of a pair is zero; simplified SMO skips such pairs and stops too early.",
    ),
    "DegenerateMargin": flag(
        "degeneracy",
        "An example lies on the margin with multiplier 0 (strict complementarity fails).",
    ),
    "AlphaAtBoundExactly": flag(
        "degeneracy",
        "A multiplier equals C exactly and its example lies on the margin.",
    ),
    "HugeC": flag(
        "scale",
        "C is huge: the hard margin in all but name.",
        "scikit-learn/scikit-learn#11020",
        "Xtra-Computing/thundersvm#88",
        "Xtra-Computing/thundersvm#125",
    ),
    "HardMargin": flag(
        "scale",
        "C is infinite: no slack is allowed.",
        "scikit-learn/scikit-learn#17925",
    ),
    "Infeasible": flag(
        "honesty",
        "No hard margin exists: a program must say so, and may prove it.",
        "scikit-learn/scikit-learn#17925",
        "opencv/opencv#25812",
    ),
    "TinyC": flag(
        "scale",
        "C is tiny: every absolute threshold on multipliers or steps cuts the answer off.",
        "eriklindernoren/ML-From-Scratch#41",
    ),
    "ZeroVariance": flag(
        "degeneracy",
        "A feature, or all of them, is constant.",
        "ayrna/skordinal#116",
        "CellProfiler/CellProfiler-Analyst#32",
    ),
    "ConstantKernel": flag(
        "kernel",
        "All kernel values are equal: the weights do nothing, b does everything.",
        "opencv/opencv#4962",
    ),
    "Kernel": flag(
        "kernel",
        "A kernel with its parameters: gamma, coef0, degree, signs, 0^0 = 1.",
        "opencv/opencv#13718",
        "scikit-learn/scikit-learn#12741",
        "NVIDIA/cuml#1353",
        "scikit-learn/scikit-learn#6687",
        "scikit-learn/scikit-learn#15008",
    ),
    "Float32Hostile": flag(
        "precision",
        "Kernel values in single precision are not enough, though all inputs are.",
        "cjlin1/libsvm#225",
        "cjlin1/libsvm#229",
        "scikit-learn/scikit-learn#30353",
    ),
    "UnscaledFeatures": flag(
        "precision",
        "Features of very different sizes, or far from zero.",
        "Xtra-Computing/thundersvm#126",
        "scikit-learn/scikit-learn#18264",
    ),
    "Cancellation": flag(
        "precision",
        "x.x + z.z - 2 x.z is used for the squared distance: it cancels far from zero.",
    ),
    "Offset": flag(
        "offset",
        "The data lie far from the origin: w decides little, b must be right, with its sign.",
        "rbgirshick/fast-rcnn#69",
        "ageron/handson-ml2#386",
    ),
    "Scale": flag(
        "scale",
        "Data times a power of two: the answer must be the scaled answer.",
        "rbgirshick/fast-rcnn#69",
        "scikit-learn/scikit-learn#12741",
    ),
    "LabelOrder": flag(
        "labels",
        "Which class comes first must not matter; in some programs signs and columns do.",
        "scikit-learn/scikit-learn#4262",
        "scikit-learn/scikit-learn#4326",
        "Xtra-Computing/thundersvm#134",
        "Xtra-Computing/thundersvm#143",
        "treder/MVPA-Light#54",
        "mljs/svm#3",
    ),
    "ClassWeight": flag(
        "weights",
        "Each class has its own C: exchanged, they give another answer.",
        "cjlin1/libsvm#227",
        "scikit-learn/scikit-learn#30478",
        "scikit-learn/scikit-learn#30332",
    ),
    "SampleWeight": flag(
        "weights",
        "Each example has its own C: weight 2 is the example twice.",
        "scikit-learn/scikit-learn#10873",
        "scikit-learn/scikit-learn#7753",
        "scikit-learn/scikit-learn#4144",
        "scikit-learn/scikit-learn#11316",
        "scikit-learn/scikit-learn#30056",
    ),
    "ZeroWeight": flag(
        "weights",
        "An example of weight 0 is as if absent, and indices still count the rows as given.",
        "scikit-learn/scikit-learn#5150",
        "scikit-learn/scikit-learn#25380",
        "scikit-learn/scikit-learn#8826",
        "scikit-learn/scikit-learn#19654",
        "scikit-learn/scikit-learn#27763",
    ),
    "Precomputed": flag(
        "kernel",
        "The Gram matrix is given.",
        "JuliaML/LIBSVM.jl#85",
        "JuliaML/LIBSVM.jl#71",
        "scikit-learn/scikit-learn#7910",
        "vivamoto/classifier#4",
    ),
    "Strings": flag(
        "kernel",
        "The rows are strings, compared by their substrings.",
    ),
    "SquaredSlack": flag(
        "formulation",
        "C/2 times the sum of the squared slacks: no upper bound, 1/C on the diagonal.",
        "scikit-learn/scikit-learn#26812",
        "scikit-learn/scikit-learn#11715",
    ),
    "Formulation": flag(
        "formulation",
        "Data on which the known formulations (sum or mean, with or without offset, squared or"
        " not) have different answers.",
        "scikit-learn/scikit-learn#26812",
        "scikit-learn/scikit-learn#11715",
        "apache/spark#32124",
        "ejlb/pegasos#1",
        "davisking/dlib#49",
    ),
    "TiedPrediction": flag(
        "ties",
        "A decision value of exactly 0, or an interval around it: no label is right or wrong.",
        "onnx/sklearn-onnx#300",
    ),
    "VoteCycle": flag(
        "ties",
        "Three classes with a vote each: the vote and the largest decision value disagree.",
        "scikit-learn/scikit-learn#8276",
        "scikit-learn/scikit-learn#8277",
        "cjlin1/libsvm#85",
        "ageron/handson-ml2#482",
    ),
    "SlowSMO": flag(
        "convergence",
        "Pair steps need about C of them: silent caps on iterations cut the answer off.",
        "scikit-learn/scikit-learn#11020",
        "scikit-learn/scikit-learn#1184",
        "NVIDIA/cuml#947",
        "NVIDIA/cuml#2857",
        "accord-net/framework#217",
    ),
    "MaxIter": flag(
        "honesty",
        "Stopped after one step a program must say that it has not converged.",
        "uxlfoundation/scikit-learn-intelex#1712",
        "scikit-learn/scikit-learn#26331",
        "Xtra-Computing/thundersvm#77",
    ),
    "Repeatable": flag(
        "honesty",
        "Twice the same problem, one after the other or in two threads: twice the same answer.",
        "gmum/gmum.r#403",
        "davidsoergel/jlibsvm#12",
        "scikit-learn/scikit-learn#8410",
        "uxlfoundation/scikit-learn-intelex#1000",
        "haifengl/smile#434",
    ),
    "ThreePoints": flag(
        "small",
        "Three examples, more than a pair: a library is wrong on most of them, and right on four.",
    ),
    "ManyExamples": flag(
        "size",
        "More examples than a block, a cache or a working set holds: what is right for a few may"
        " be wrong for many.",
    ),
    "FewExamples": flag(
        "small",
        "Two examples: the answer has a closed form.",
    ),
    "Permuted": flag(
        "invariance",
        "The same examples in another order have the same answer.",
        "Xtra-Computing/thundersvm#134",
        "cjlin1/libsvm#98",
    ),
    "Random": flag(
        "search",
        "Drawn at random from few values, so that it is likely to be degenerate.",
    ),
    "NotDyadic": flag(
        "representation",
        "A number of the problem is no double: for programs that compute with fractions.",
    ),
    "RejectOneClass": flag(
        "rejection",
        "Only one class is there: the problem has no optimal offset.",
        "scikit-learn/scikit-learn#9494",
    ),
    "RejectNotFinite": flag(
        "rejection",
        "A NaN or an infinity among the data.",
        "scikit-learn/scikit-learn#17925",
    ),
    "RejectPenalty": flag(
        "rejection",
        "C must be positive.",
        "scikit-learn/scikit-learn#15064",
        "scikit-learn/scikit-learn#14286",
    ),
    "RejectWeight": flag(
        "rejection",
        "A sample weight must not be negative.",
        "scikit-learn/scikit-learn#9494",
        "scikit-learn/scikit-learn#15064",
        "scikit-learn/scikit-learn#14286",
    ),
    "RejectShape": flag(
        "rejection",
        "Rows, labels, penalties or a Gram matrix of sizes that do not fit.",
        "JuliaML/LIBSVM.jl#85",
        "JuliaML/LIBSVM.jl#73",
        "JuliaML/LIBSVM.jl#7",
    ),
    "RejectLabel": flag(
        "rejection",
        "A label that is neither of the two.",
        "Xtra-Computing/thundersvm#246",
    ),
    "RejectUnknown": flag(
        "rejection",
        "A kernel or option that nobody knows.",
        "Xtra-Computing/thundersvm#85",
    ),
    "RejectParameter": flag(
        "rejection",
        "A parameter of a kernel out of its range.",
        "opencv/opencv#4962",
    ),
    "RejectAsymmetric": flag(
        "rejection",
        "A Gram matrix that is not symmetric.",
    ),
    "Indefinite": flag(
        "honesty",
        "A Gram matrix with negative curvature: a program may refuse it or end somewhere, but"
        " must not call that the optimum.",
    ),
}
