"""LIBSVM's options, and what they are called here: the hint for a command typed from habit."""

import re

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")  # -t 0 to -t 4
TYPES = ("c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr")  # -s 0 to -s 4
# Of svm-train, and of svm-scale where that has the same letter; the first that a command has.
CALLED_HERE = {
    "-c": ["--C"],
    "-g": ["--gamma"],
    "-d": ["--degree"],
    "-r": ["--coef0", "--restore"],
    "-e": ["--tol"],
    "-m": ["--cache-mb"],
    "-l": ["--lower"],
    "-n": ["--nu"],
    "-p": ["--epsilon"],
    "-u": ["--upper"],
    "-s": ["--save"],
}
NOT_HERE = {
    "-s": "the type is that of the model, so leave it out",
    "-b": "there are no probabilities here, so leave it out",
    "-q": "a report is all that is printed, so leave it out",
    "-v": "cross-validation is train DATA -v FOLDS",
    "-y": "labels are not scaled here",
}


def hint(words, options):
    """Return what to write for the first option of LIBSVM that a command lacks; None without one.

    >>> hint(["heart", "-c", "10"], {"--C"})
    '-c 10 is of LIBSVM; here it is --C 10'
    >>> hint(["heart", "-t", "0", "-w1", "5"], {"--kernel", "--class-weight"})
    '-t 0 is of LIBSVM; here it is --kernel linear'
    """
    for word, value in zip(words, [*words[1:], ".."]):
        if re.fullmatch("-[a-z]|-w-?[0-9]+", word) and word not in options:
            said = _counterpart(word, value, options)
            if said:
                return f"{word} {value} is of LIBSVM; {said}"
    return None


def _counterpart(word, value, options):
    """Return in words what stands here for an option of LIBSVM with its value."""
    if word == "-s" and "--type" in options:
        known = value.isdigit() and int(value) < len(TYPES)
        return f"here it is --type {TYPES[int(value)] if known else ', '.join(TYPES)}"
    for option in CALLED_HERE.get(word, []):
        if option in options:
            return f"here it is {option} {value}"
    if (word, value) == ("-b", "1") and "--probabilities" in options:
        return "here it is --probabilities"
    if word == "-t" and "--kernel" in options:
        known = value.isdigit() and int(value) < len(KERNELS)
        return f"here it is --kernel {KERNELS[int(value)] if known else ', '.join(KERNELS)}"
    if word[1] == "w" and "--class-weight" in options:
        return f"here it is --class-weight={word[2:] or 'LABEL'}:{value}"
    return NOT_HERE.get(word)
