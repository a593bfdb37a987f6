"""The audit of SVMs that others have written, and the few lines that show each finding.

    python tests/scoreboard.py ENVIRONMENTS                    the table of the scoreboard
    python tests/scoreboard.py ENVIRONMENTS --only thunder     for those whose name has the word
    python tests/scoreboard.py ENVIRONMENTS --case "C??"       for these cases, not for all
    python tests/scoreboard.py ENVIRONMENTS --machines         the table of the other machines
    python tests/scoreboard.py ENVIRONMENTS --reproductions    the chapters' few lines, run: do
                                                               they print what it says?

Each library of PyPI is installed into a virtual environment of its own in the folder ENVIRONMENTS,
once; those of npm are installed, and the adapters in Java compiled, into folders beside. What R,
Perl and Java need is the system's: on Debian r-cran-e1071, r-cran-kernlab, libalgorithm-svm-perl,
libsvm3-java and weka. The audit asks in a process that may hang or end: some minutes for each.
Exit status 1 if a library cannot be audited or a reproduction does not hold.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CHAPTER = ROOT / "spec" / "standard" / "scoreboard.md"
ADAPTERS = ROOT / "spec" / "adapters"
JARS = [f"/usr/share/java/{name}.jar" for name in ("libsvm3", "weka")]

# What is installed into an environment, where that is not one package of its name.
PACKAGES = {
    "opencv-python-headless": ["opencv-python-headless<5"],  # later versions have no ml module
    "qpsolvers": [
        "qpsolvers", "cvxopt", "quadprog", "osqp", "clarabel", "daqp", "piqp", "proxsuite",
    ],
}


class Entry(NamedTuple):
    """A line of the table: the package shown with its version, and what is audited."""

    name: str
    package: str  # "" for what stands in this checkout
    subject: str  # module:Name, or a command line, as the command audit takes it
    environment: str  # "" for this Python
    version: str  # a command line that prints it; "" for a package of Python
    form: str = ""  # which machine it is, as audit takes it; "" where that shows


def entry(name, package, subject, environment=None, form=""):
    return Entry(name, package, subject, environment or package, "", form)


def program(name, package, subject, version):
    return Entry(name, package, subject.replace("ADAPTERS", str(ADAPTERS)), "", version)


def of_r(name, package):
    version = f"Rscript -e 'cat(as.character(packageVersion(\"{package}\")))'"
    return program(name, package, f"Rscript ADAPTERS/svm.R {package}", version)


def of_npm(package):
    version = f"node -p 'require(\"{package}/package.json\").version'"
    return program("SVM", package, f"node ADAPTERS/npm_svm.js {package}", version)


ENTRIES = [
    entry("SVC", "scikit-learn", "sklearn.svm:SVC"),
    entry("NuSVC", "scikit-learn", "libraries:c_svc_by_nu"),
    entry("LinearSVC", "scikit-learn", "sklearn.svm:LinearSVC"),
    entry("SGDClassifier", "scikit-learn", "sklearn.linear_model:SGDClassifier"),
    entry("SVC", "scikit-learn-intelex", "sklearnex.svm:SVC"),
    entry("svm_train -s 0", "libsvm-official", "libraries:libsvm"),
    entry("train -s 3", "liblinear-official", "libraries:liblinear"),
    entry("SVC", "thundersvm-cpu", "thundersvm:SVC"),
    entry("ml.SVM", "opencv-python-headless", "libraries:opencv"),
    entry("svm_c_trainer_radial_basis", "dlib-bin", "dlib_trainers:radial_basis"),
    entry("svm_c_trainer_linear", "dlib-bin", "dlib_trainers:linear"),
    entry("SupportVectorMachine", "snapml", "libraries:snapml"),
    entry("linear_svm", "mlpack", "libraries:mlpack"),
    entry("SVCLite QP", "svmlite", "libraries:svmlite_qp"),
    entry("SVCLite SMO", "svmlite", "libraries:svmlite_smo"),
    entry("TinySVC", "tinysvm", "libraries:tinysvm"),
    entry("QP", "cvxopt", "libraries:cvxopt", "qpsolvers"),
    entry("QP", "clarabel", "libraries:clarabel", "qpsolvers"),
    entry("QP", "piqp", "libraries:piqp", "qpsolvers"),
    entry("QP", "proxsuite", "libraries:proxqp", "qpsolvers"),
    entry("QP", "daqp", "libraries:daqp", "qpsolvers"),
    entry("QP", "osqp", "libraries:osqp", "qpsolvers"),
    entry("QP", "quadprog", "libraries:quadprog", "qpsolvers"),
    of_r("svm", "e1071"),
    of_r("ksvm", "kernlab"),
    program("svm_train", "libsvm3-java", "java LibsvmLines",
            "dpkg-query -W -f '${Version}' libsvm3-java"),
    program("SMO", "weka", "java WekaLines", "dpkg-query -W -f '${Version}' weka"),
    program("C-SVC", "Algorithm::SVM", "perl ADAPTERS/algorithm_svm.pl",
            "perl -MAlgorithm::SVM -e 'print $Algorithm::SVM::VERSION'"),
    of_npm("ml-svm"),
    of_npm("svm"),
    of_npm("libsvm-js"),
    entry("simplified SMO", "", "teaching:simplified_smo"),
    entry("Platt's SMO", "", "teaching:platt_smo"),
    entry("QP with a threshold", "", "teaching:qp_with_threshold"),
    entry("Pegasos with a column of ones", "", "teaching:pegasos_with_column"),
    entry("refsvm.smo", "", "refsvm:smo"),
]

FORMS = ["nu_svc", "one_class", "epsilon_svr", "nu_svr"]  # 1 to 4 as LIBSVM counts them
MACHINES = [
    *(entry(name, "scikit-learn", f"sklearn.svm:{name}")
      for name in ("NuSVC", "OneClassSVM", "SVR", "NuSVR")),
    *(entry(f"svm_train -s {k}", "libsvm-official", "machine_libraries:libsvm", form=form)
      for k, form in enumerate(FORMS, 1)),
    *(entry(name, "opencv-python-headless", "machine_libraries:opencv", form=form)
      for name, form in zip(("NU_SVC", "ONE_CLASS", "EPS_SVR", "NU_SVR"), FORMS)),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("environments", type=Path)
    parser.add_argument("--only", default="", help="a part of the package's name and what it is")
    parser.add_argument("--case", action="append", help="a pattern of names of cases")
    parser.add_argument("--machines", action="store_true", help="those beside C-SVC")
    parser.add_argument("--reproductions", action="store_true")
    given = parser.parse_args()
    prepare(given.environments)
    if given.reproductions:
        return check_reproductions(given.environments, given.only)
    entries = MACHINES if given.machines else ENTRIES
    return print_table(entries, given.environments, given.only, given.case)


# ---- environments


def prepare(folder):
    """Install what npm has and compile the adapters in Java, once, where there are these tools."""
    npm, java = folder.resolve() / "npm", folder.resolve() / "java"
    os.environ["NODE_PATH"] = str(npm / "node_modules")
    os.environ["CLASSPATH"] = os.pathsep.join([str(java), *JARS])
    if not npm.exists() and shutil.which("npm"):
        packages = [e.package for e in ENTRIES if "npm_svm.js" in e.subject]
        subprocess.run(["npm", "install", "--prefix", npm, *packages], check=True)
    if not java.exists() and shutil.which("javac") and all(map(os.path.exists, JARS)):
        subprocess.run(["javac", "-d", java, *sorted(ADAPTERS.glob("*.java"))], check=True)


def python_of(folder, name):
    """The interpreter of an environment, which is made if it is not there."""
    if not name:
        return sys.executable
    python = folder / name / "bin" / "python"
    if not python.exists():
        venv.create(folder / name, with_pip=True)
        install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*install, *PACKAGES.get(name, [name])], check=True)
    return str(python)


def run(python, *words, seconds=1800):
    """What a Python prints with this checkout on its path; CalledProcessError, TimeoutExpired."""
    given = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join([str(ROOT), str(HERE), str(ADAPTERS), given])
    environ = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [python, *words], env=environ, check=True, stdout=subprocess.PIPE, text=True,
        timeout=seconds,
    )
    return done.stdout


# ---- the table

MOST_CAUSES = 8

ASK = """
import json, subprocess, sys
from importlib.metadata import version
from refsvm.conformance.audit import audit
from refsvm.conformance.report.causes import cause_of
from refsvm.conformance.report.coverage import coverage_of
from refsvm.conformance.fingerprint import fingerprint
from refsvm.conformance.subjects.named_subjects import import_subject
name, package, asked, names, form, is_machine = *sys.argv[1:6], sys.argv[6:] == ["machine"]
subject = import_subject(name)
if asked:
    known = subprocess.run(asked, shell=True, check=True, capture_output=True, text=True).stdout
else:
    known = version(package) if package else ""
try:
    solves = None if is_machine else str(fingerprint(subject, isolate=False))
except ValueError:
    solves = "cannot be told"
found = audit(subject, deadline=10, names=json.loads(names), form=form or None)
wrong = sorted({r.case for r in found if r.result == "fail"})
cause = cause_of(found)
causes = [(c.flag, c.explained) for c in [cause, *cause.others]] if cause else []
print(json.dumps([known.strip(), solves, coverage_of(found).asked, wrong, causes]))
"""


def print_table(entries, folder, word, names):
    """Print the table; 1 if one of them could not be audited."""
    is_machine = entries is MACHINES
    last = "of the exact | causes |" if is_machine else "of the 25 | causes | solves |"
    print(f"| package | what | cases | wrong | {last}")
    print("|---" * (last.count("|") + 4) + "|")
    failed = 0
    for e in entries:
        if word not in f"{e.package} {e.name}":
            continue
        try:
            python = python_of(folder, e.environment)
            said = run(python, "-c", ASK, e.subject, e.package, e.version,
                       json.dumps(names), e.form, *["machine"] * is_machine)
            print(line(e, *json.loads(said.splitlines()[-1])), flush=True)
        except (subprocess.SubprocessError, OSError) as error:
            print(f"| {e.package} | {e.name} | could not be audited: {error} |")
            failed = 1
    return failed


def line(e, version, solves, asked, wrong, causes):
    """The line of one subject: what it solves (None of MACHINES), how many cases were asked,
    which are wrong, [[cause, cases]].
    """
    named = [f"{flag} {count}" for flag, count in causes[:MOST_CAUSES]]
    if len(causes) > MOST_CAUSES:
        named.append(f"{len(causes) - MOST_CAUSES} more")
    cells = [
        f"{e.package} {version}".strip(), e.name, asked, len(wrong),
        " ".join(sorted(filter(is_found_on_paper, wrong))), ", ".join(named),
    ]
    if solves is not None:
        cells.append(solves.replace("|", "\\|"))
    return f"| {' | '.join(map(str, cells))} |"


def is_found_on_paper(name):
    """Whether a case is one of C01 to C25, or of the 28 of the other machines."""
    return re.fullmatch(r"C\d\d|[NSVOD]\d\d?", name) is not None


# ---- the few lines that show a finding


class Reproduction(NamedTuple):
    """Lines of a chapter that use one library only, and what they print."""

    language: str
    package: str
    code: str
    printed: str


BLOCKS = re.compile(r"```(\w+) ([\w:-]+)\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
RUNS = {
    "r": ["Rscript", "-e"], "perl": ["perl", "-e"], "javascript": ["node", "-e"],
    "sh": ["bash", "-c"],
}


def reproductions():
    """Those of this chapter and of the others."""
    pages = [page.read_text("utf-8") for page in sorted(CHAPTER.parent.parent.rglob("*.md"))]
    return [Reproduction(*found) for page in pages for found in BLOCKS.findall(page)]


def check_reproductions(folder, word):
    """Run them; 1 if one prints something else than the chapter says."""
    failed = 0
    for r in reproductions():
        if word in r.package:
            python = r.language == "python"
            said = printed(r, python_of(folder, r.package) if python else None)
            print(f"{'as written' if said == r.printed else 'DIFFERS'}: {r.package}")
            if said != r.printed:
                print(r.code, said, sep="\n")
                failed = 1
    return failed


def printed(r, python):
    """What the lines of a Reproduction print, in a folder that is deleted."""
    if r.language == "python":
        return run(python, "-c", r.code)
    with TemporaryDirectory() as folder:
        words = [*RUNS[r.language], r.code]
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=600)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
