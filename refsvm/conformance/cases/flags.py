"""The words for what can go wrong: FLAGS of the cases, BUGS of the failures.

A case carries flags: each names one way in which programs that train support vector machines have
gone wrong, and on which this case is a test. The links lead to threads in which people met it; a
flag without links was found by reading code or by running these cases.

A failure shows a bug: a key of BUGS, or, where an input should have been refused, a flag of its
case.
"""

from __future__ import annotations

from typing import NamedTuple

GITHUB = "https://github.com/"


class Flag(NamedTuple):
    """A kind of bug: its class in a few words, what happens, and where it was met."""

    bugType: str
    description: str
    links: list[str]


def flag(bug_type: str, description: str, threads: str = "") -> Flag:
    """Return the Flag whose links are GitHub threads, words of the form owner/repository#number.

    >>> flag("ties", "The vote is tied.", "cjlin1/libsvm#85").links
    ['https://github.com/cjlin1/libsvm/issues/85']
    """
    links = [GITHUB + thread.replace("#", "/issues/") for thread in threads.split()]
    return Flag(bug_type, description, links)  # a pull request answers there, too


# fmt: off
FLAGS = {
    "Sane": flag("basics",
        "A problem without any difficulty; who fails here solves another problem."),
    "NoFreeSV": flag("offset",
        "No multiplier lies strictly between its bounds, so no example on the margin tells b:"
        " the branch for this case is rarely run, and had the wrong sign in a library.",
        "ajtulloch/svmpy#6 nihil21/custom-svm#3 uxlfoundation/oneDAL#641"
        " uxlfoundation/oneDAL#1809 NVIDIA/cuml#4033"),
    "OffsetInterval": flag("offset",
        "A whole interval of offsets is optimal; any of them is right, and none outside.",
        "scikit-learn/scikit-learn#14893 scikit-learn/scikit-learn#14894"),
    "BoundedSV": flag("offset",
        "Support vectors at C beside free ones: b averaged over all of them is biased.",
        "ajtulloch/svmpy#6 nihil21/custom-svm#3 rushter/MLAlgorithms#77"),
    "NoOffset": flag("offset",
        "There is no offset: b is 0, and the multipliers need not balance.",
        "JuliaStats/SVM.jl#32 mlpack/mlpack#2419 scikit-learn/scikit-learn#16911"),
    "AlphaNotUnique": flag("comparison",
        "Many multipliers are optimal; only w, b and the objective can be compared.",
        "scikit-learn/scikit-learn#12738 scikit-learn/scikit-learn#12849 NVIDIA/cuml#2686"),
    "Duplicate": flag("degeneracy",
        "An example is there twice with the same label.",
        "scikit-learn/scikit-learn#12738 scikit-learn/scikit-learn#13075"),
    "DuplicateOppositeLabel": flag("degeneracy",
        "An example is there twice, once in each class: no pair step between them has curvature.",
        "scikit-learn/scikit-learn#13075"),
    "EtaZero": flag("degeneracy",
        "The curvature of a pair is zero; simplified SMO skips such pairs and stops too early."),
    "DegenerateMargin": flag("degeneracy",
        "An example lies on the margin with multiplier 0 (strict complementarity fails)."),
    "AlphaAtBoundExactly": flag("degeneracy",
        "A multiplier equals C exactly and its example lies on the margin."),
    "HugeC": flag("scale",
        "C is huge: the hard margin in all but name.",
        "scikit-learn/scikit-learn#11020 Xtra-Computing/thundersvm#88"
        " Xtra-Computing/thundersvm#125"),
    "HardMargin": flag("scale",
        "C is infinite: no slack is allowed.",
        "scikit-learn/scikit-learn#17925"),
    "Infeasible": flag("honesty",
        "No hard margin exists: a program must say so, and may prove it.",
        "scikit-learn/scikit-learn#17925 opencv/opencv#25812"),
    "TinyC": flag("scale",
        "C is tiny: every absolute threshold on multipliers or steps cuts the answer off.",
        "eriklindernoren/ML-From-Scratch#41"),
    "ZeroVariance": flag("degeneracy",
        "A feature, or all of them, is constant.",
        "ayrna/skordinal#116 CellProfiler/CellProfiler-Analyst#32"),
    "ConstantKernel": flag("kernel",
        "All kernel values are equal: the weights do nothing, b does everything.",
        "opencv/opencv#4962"),
    "Kernel": flag("kernel",
        "A kernel with its parameters: gamma, coef0, degree, signs, 0^0 = 1.",
        "opencv/opencv#13718 scikit-learn/scikit-learn#12741 NVIDIA/cuml#1353"
        " scikit-learn/scikit-learn#6687 scikit-learn/scikit-learn#15008"),
    "Float32Hostile": flag("precision",
        "Kernel values in single precision are not enough, though all inputs are.",
        "cjlin1/libsvm#225 cjlin1/libsvm#229 scikit-learn/scikit-learn#30353"),
    "UnscaledFeatures": flag("precision",
        "Features of very different sizes, or far from zero.",
        "Xtra-Computing/thundersvm#126 scikit-learn/scikit-learn#18264"),
    "Cancellation": flag("precision",
        "x.x + z.z - 2 x.z is used for the squared distance: it cancels far from zero."),
    "Offset": flag("offset",
        "The data lie far from the origin: w decides little, b must be right, with its sign.",
        "rbgirshick/fast-rcnn#69 ageron/handson-ml2#386"),
    "Scale": flag("scale",
        "Data times a power of two: the answer must be the scaled answer.",
        "rbgirshick/fast-rcnn#69 scikit-learn/scikit-learn#12741"),
    "LabelOrder": flag("labels",
        "Which class comes first must not matter; in some programs signs and columns do.",
        "scikit-learn/scikit-learn#4262 scikit-learn/scikit-learn#4326"
        " Xtra-Computing/thundersvm#134 Xtra-Computing/thundersvm#143 treder/MVPA-Light#54"
        " mljs/svm#3"),
    "ClassWeight": flag("weights",
        "Each class has its own C: exchanged, they give another answer.",
        "cjlin1/libsvm#227 scikit-learn/scikit-learn#30478 scikit-learn/scikit-learn#30332"),
    "SampleWeight": flag("weights",
        "Each example has its own C: weight 2 is the example twice.",
        "scikit-learn/scikit-learn#10873 scikit-learn/scikit-learn#7753"
        " scikit-learn/scikit-learn#4144 scikit-learn/scikit-learn#11316"
        " scikit-learn/scikit-learn#30056"),
    "ZeroWeight": flag("weights",
        "An example of weight 0 is as if absent, and indices still count the rows as given.",
        "scikit-learn/scikit-learn#5150 scikit-learn/scikit-learn#25380"
        " scikit-learn/scikit-learn#8826 scikit-learn/scikit-learn#19654"
        " scikit-learn/scikit-learn#27763"),
    "Precomputed": flag("kernel",
        "The Gram matrix is given.",
        "JuliaML/LIBSVM.jl#85 JuliaML/LIBSVM.jl#71 scikit-learn/scikit-learn#7910"
        " vivamoto/classifier#4"),
    "Strings": flag("kernel",
        "The rows are strings, compared by their substrings."),
    "SquaredSlack": flag("formulation",
        "C/2 times the sum of the squared slacks: no upper bound, 1/C on the diagonal.",
        "scikit-learn/scikit-learn#26812 scikit-learn/scikit-learn#11715"),
    "Formulation": flag("formulation",
        "Data on which the known formulations (sum or mean, with or without offset, squared or"
        " not) have different answers.",
        "scikit-learn/scikit-learn#26812 scikit-learn/scikit-learn#11715 apache/spark#32124"
        " ejlb/pegasos#1 davisking/dlib#49"),
    "TiedPrediction": flag("ties",
        "A decision value of exactly 0, or an interval around it: no label is right or wrong.",
        "onnx/sklearn-onnx#300"),
    "VoteCycle": flag("ties",
        "Three classes with a vote each: the vote and the largest decision value disagree.",
        "scikit-learn/scikit-learn#8276 scikit-learn/scikit-learn#8277 cjlin1/libsvm#85"
        " ageron/handson-ml2#482"),
    "SlowSMO": flag("convergence",
        "Pair steps need about C of them: silent caps on iterations cut the answer off.",
        "scikit-learn/scikit-learn#11020 scikit-learn/scikit-learn#1184 NVIDIA/cuml#947"
        " NVIDIA/cuml#2857 accord-net/framework#217"),
    "MaxIter": flag("honesty",
        "Stopped after one step a program must say that it has not converged.",
        "uxlfoundation/scikit-learn-intelex#1712 scikit-learn/scikit-learn#26331"
        " Xtra-Computing/thundersvm#77"),
    "LimitOfDoubles": flag("honesty",
        "Numbers so large that sums in doubles say nothing: a program must not say that it"
        " converged."),
    "Repeatable": flag("honesty",
        "Twice the same problem, one after the other or in two threads: twice the same answer.",
        "gmum/gmum.r#403 davidsoergel/jlibsvm#12 scikit-learn/scikit-learn#8410"
        " uxlfoundation/scikit-learn-intelex#1000 haifengl/smile#434"),
    "ThreePoints": flag("small",
        "Three examples, more than a pair: a library is wrong on most of them, and right on"
        " four."),
    "ManyExamples": flag("size",
        "More examples than a block, a cache or a working set holds: what is right for a few"
        " may be wrong for many."),
    "ManyFeatures": flag("size",
        "More features than fit into one block of a loop that is unrolled or vectorised: what is"
        " left after the last whole block is easily lost."),
    "FewExamples": flag("small",
        "Two examples: the answer has a closed form."),
    "Permuted": flag("invariance",
        "The same examples in another order have the same answer.",
        "Xtra-Computing/thundersvm#134 cjlin1/libsvm#98"),
    "Random": flag("search",
        "Drawn at random from few values, so that it is likely to be degenerate."),
    "NotDyadic": flag("representation",
        "A number of the problem is no double: for programs that compute with fractions."),
    "RejectOneClass": flag("rejection",
        "Only one class is there: the problem has no optimal offset.",
        "scikit-learn/scikit-learn#9494"),
    "RejectNotFinite": flag("rejection",
        "A NaN or an infinity among the data.",
        "scikit-learn/scikit-learn#17925"),
    "RejectPenalty": flag("rejection",
        "C must be positive.",
        "scikit-learn/scikit-learn#15064 scikit-learn/scikit-learn#14286"),
    "RejectWeight": flag("rejection",
        "A sample weight must not be negative.",
        "scikit-learn/scikit-learn#9494 scikit-learn/scikit-learn#15064"
        " scikit-learn/scikit-learn#14286"),
    "RejectShape": flag("rejection",
        "Rows, labels, penalties or a Gram matrix of sizes that do not fit.",
        "JuliaML/LIBSVM.jl#85 JuliaML/LIBSVM.jl#73 JuliaML/LIBSVM.jl#7"),
    "RejectLabel": flag("rejection",
        "A label that is neither of the two.",
        "Xtra-Computing/thundersvm#246"),
    "RejectUnknown": flag("rejection",
        "A kernel or option that nobody knows.",
        "Xtra-Computing/thundersvm#85"),
    "RejectParameter": flag("rejection",
        "A parameter of a kernel out of its range.",
        "opencv/opencv#4962"),
    "RejectAsymmetric": flag("rejection",
        "A Gram matrix that is not symmetric."),
    "Indefinite": flag("honesty",
        "A Gram matrix with negative curvature: a program may refuse it or end somewhere, but"
        " must not call that the optimum."),
}
# fmt: on

BUGS = {
    "AbsoluteTolerance": "its tolerance is an absolute number, whatever the units of the data",
    "NuIgnored": "nu is a fixed number, whatever was asked",
    "NuScaled": "another share than nu is used",
    "NuAsPenalty": "nu is taken for the penalty C",
    "NuAtLimit": "at the limit of nu, or of C, the model holds a NaN or an infinity",
    "Degenerate": "a machine is made up where w and rho are 0",
    "SumTooLarge": "a machine is made up where no multipliers have the sums asked for",
    "BoxIgnored": "the multipliers have another upper bound than C or the weight",
    "RemainderRounded": "nu n is rounded to a whole number",
    "RhoNotDivided": "the decisions are not divided by rho, and rho is not told",
    "RhoWrong": "the rho that is told is not optimal",
    "EpsilonIgnored": "epsilon is a fixed number, whatever was asked",
    "EpsilonScaled": "another width of the tube than epsilon is used",
    "EpsilonWrong": "the epsilon that is told is not optimal",
    "TargetsRounded": "y is rounded",
    "TargetsScaled": "C and epsilon are in other units than y",
    "TargetSign": "y with the other sign is not predicted with the other sign",
    "TargetShift": "y at another height is not predicted there",
    "TargetScale": "y, C and epsilon in other units give another answer",
    "BoundaryOutliers": "more rows are outliers than nu or C allows: those on the boundary, too",
    "BoundarySign": "a row on the boundary, where f is 0, is an outlier",
    "Centred": "the rows are centred, where the origin is part of the problem",
    "RadiusNotSquared": "decisions are R - d where R^2 - d^2 is meant",
    "RadiusOfMean": "the radius takes the mean over all rows for a row on the surface",
    "OffsetOneSide": "b is that of one class alone, or of one side of the tube",
    "OffsetEveryRow": "b is averaged over all rows, support vectors or not",
    "OffsetWithoutEpsilon": "b forgets the tube: epsilon is to be taken off, or added",
    "OffsetMeanOfY": "b is the mean of y",
    "SupportVectorsLost": "some support vectors are lost when it decides",
    "AlphaSum": "the multipliers do not have the sum that is asked for",
    "Hang": "no answer within the deadline",
    "Exit": "the whole process ended",
    "Crash": "an exception that is no refusal",
    "NoAnswer": "an answer without decisions, or not of the form that was asked for",
    "NotFinite": "a NaN or an infinity is returned",
    "Refused": "a problem is refused, for nothing that it has and not every program offers",
    "NotConverged": "it says itself that it has not finished",
    "FalseConvergence": "it has not converged, and does not say so",
    "NotSaid": "it has not finished and does not say so",
    "OffsetSign": "b has the wrong sign",
    "OffsetMissing": "b is 0, or left out",
    "OffsetAveraged": "b is averaged over examples at C or at 0, too, which are not on the margin",
    "OffsetBounded": "b is taken from one example, free or not: at C it is not on the margin",
    "OffsetHardMargin": "b is half way between the classes, which is right without slack only",
    "OffsetEnds": "the two ends that b lies between are exchanged, or of the wrong sets",
    "OffsetSignOfF": "b averages y - sign(f) instead of y - f",
    "OffsetScaled": "b is halved, doubled or multiplied by a scale of the data",
    "OffsetOrigin": "b was found for rows that had been moved, and is not carried back",
    "Offset": "only b is wrong: the decisions are off by the same everywhere",
    "SignFlipped": "every decision has the wrong sign",
    "LabelOrder": "the sign depends on which class comes first",
    "Length": "the decisions have the right direction, and the wrong length",
    "FarRows": "rows far from the examples are all decided alike",
    "DecisionArithmetic": "the decisions are not those of the model that is stated",
    "WeightsSwapped": "the penalties of the classes are exchanged",
    "WeightsIgnored": "one penalty for all examples, where each has its own",
    "WeightsScaled": "the penalties of the examples are squared, inverted or normalised",
    "PriceScaled": "C is halved, doubled, or divided or multiplied by the number of examples",
    "PriceIgnored": "C is 1, infinite or another fixed number, whatever was asked",
    "RegularisedOffset": "another problem: the offset is regularised, too",
    "NoOffset": "another problem: the one without an offset",
    "SquaredLoss": "another problem: squared slacks where the slacks were meant, or the reverse",
    "KernelParameters": "another kernel: gamma, coef0 or degree are lost or exchanged",
    "KernelFormula": "another kernel: its formula is not the usual one",
    "KernelSign": "another kernel: its values have the wrong sign",
    "ZeroToTheZero": "0^0 is not 1",
    "HiddenScaling": "the features are scaled first, and that is not said",
    "Margin": "another problem: the margin asked for is not 1",
    "WeightsOnRows": "weights multiply the rows, where they should multiply C",
    "DualWithoutLabels": "the labels are left out of the dual's quadratic form",
    "ExampleIgnored": "an example was left out",
    "FeatureIgnored": "a feature was left out",
    "FeatureOrder": "features are taken in another order when it decides",
    "BlockRemainder": "what is left over after blocks of 4, 8 or 16 is lost, or counted twice",
    "ZeroOneLabels": "the labels are 0 and 1 inside, where -1 and 1 are meant",
    "Float32Rows": "kernel values in single precision",
    "RowsRounded": "the rows are rounded, or cut to whole numbers",
    "DecisionsRounded": "the decisions are rounded",
    "VectorsDropped": "multipliers that are small beside C are taken for 0",
    "BoxOfAnother": "a multiplier is kept within the bound of another example",
    "AlphaConstant": "the multipliers are all the same number, whatever the data",
    "LinearTerm": "the linear term of the dual is another one",
    "CentreNorm": "the squared norm of the centre is forgotten",
    "Cancellation": "x.z, or the squared distance as x.x + z.z - 2 x.z, cancels far from zero",
    "AlphaOutside": "a multiplier outside its bounds",
    "AlphaUnbalanced": "sum alpha_i y_i is not 0",
    "FlatPairSkipped": "stopped at a pair without curvature, which should go to its bound",
    "AbsoluteThreshold": "stopped because steps are small in absolute numbers",
    "ToleranceScaled": "its tolerance is multiplied by C",
    "NothingLearnt": "every decision is the same",
    "StoppedEarly": "stopped although the conditions of optimality are broken",
    "Wrong": "wrong, and no known bug explains it",
    "ExampleOrder": "the order of the examples matters",
    "Duplicates": "two copies at half the penalty are not one example",
    "ZeroColumn": "a feature that is always zero matters",
    "Scale": "features in other units give another answer",
    "Translation": "features from another origin give another answer",
    "Rotation": "turned features give another answer",
    "ZeroWeight": "an example of weight 0 is not as if absent",
    "InputChanged": "what it is given is changed by it",
    "SupportIndices": "support_ does not say which rows the support vectors are",
    "Attributes": "attributes contradict each other",
    "PredictSign": "predict and decision_function contradict each other",
    "BatchDependence": "a row's decision depends on the other rows asked about",
    "Threads": "fits in two threads, or with two, have another answer than one alone",
    "StateKept": "something is left of another fit: of an earlier one, or of another model's",
    "WarmStart": "a fit that goes on from an earlier one ends elsewhere than a first fit",
    "Settings": "a parameter that is about time or memory changes the answer",
    "RoundTrip": "a saved and loaded model decides otherwise",
    "NotAccepted": "labels or numbers of a usual sort are refused or mistaken",
    "SparseRows": "rows with the zeros left out, or stored in another way, are other rows to it",
    "Pairs": "a pair of several classes is not the machine of those two classes alone",
    "Votes": "several classes are not decided by the votes of their pairs",
    "ClassWeight": "class_weight is not the same as the weight of each example",
    "ToleranceBroken": "the stated tolerance is not kept, and that is not said",
    "GammaScale": "gamma='scale' does not follow the data's variance",
}
