"""What a command line does to files and streams, and what its exit status says of that."""

import ast
import errno
import importlib
import inspect
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import refsvm
from refsvm.commands import COMMANDS, console, main
from refsvm.commands.arguments import Parser
from refsvm.estimators.svc import SVC
from refsvm.files.models import read_model, write_model
from refsvm.tables.data import write_data
from tests.seven_points import LABELS, POINTS, go_to, without_engine

ROOT = Path(refsvm.__file__).parent.parent
TO_FILE = ["scale points -o out --save r", "train points -o out", "predict points model -o out",
           "exact points --kernel linear --certificate out", "plot points -o out",
           "trace points -o out", "export model -o out"]
TO_STDOUT = ["scale points", "train points", "train points -v 2", "train points -o -",
             "predict points model", "predict points model -o -", "exact points --kernel linear",
             "plot points -o -", "trace points", "trace points -o -", "export model", "--help",
             "train --help", "--version"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in a folder of its own, with some files."""
    go_to(tmp_path, monkeypatch)
    write_model("model", SVC(kernel="linear").fit(POINTS, LABELS))
    monkeypatch.setattr("refsvm.commands.plot.draw_machine", lambda *scene: "<svg/>\n")
    monkeypatch.setattr("refsvm.plotting.tracing.Trace.svg", lambda trace, **words: "<svg/>\n")
    return tmp_path


def run(capsys, line):
    """(exit status, stdout, stderr) of a command line."""
    status = main(line.split())
    told = capsys.readouterr()
    return status, told.out, without_engine(told.err)


def test_commands_name_their_files_and_print_by_say_alone():
    # All other words name files.
    words = {"format", "unknown", "title", "name", "case", "expect", "kernel", "solver", "type",
             "score", "section", "algorithm", "loss"}
    for name in COMMANDS:
        command = importlib.import_module(f"refsvm.commands.{name}")
        parser = Parser(name, COMMANDS[name], command.EXAMPLE)
        command.arguments(parser)
        plain = {a.dest for a in parser._actions if a.type is None and a.nargs != 0}
        assert plain <= words, name
        calls = {node.func.id for node in ast.walk(ast.parse(inspect.getsource(command)))
                 if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not calls & {"print", "open"}, name


# ---- streams that fail

class Failing(io.StringIO):
    """A stream on which nothing can be written."""

    def __init__(self, number):
        super().__init__()
        self.error = OSError(number, os.strerror(number))

    def write(self, text):
        raise self.error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EPIPE, None])
@pytest.mark.parametrize("line", TO_FILE)
def test_a_file_is_written_with_status_0_whatever_stdout_is(capsys, monkeypatch, line, number):
    monkeypatch.setattr(sys, "stdout", number and Failing(number))
    status, _, err = run(capsys, line)
    told = number == errno.ENOSPC and not line.startswith("scale")  # which has nothing to say
    assert status == 0 and [name for name in os.listdir() if name.startswith("out")]
    assert err == "refsvm: /dev/stdout: No space left on device; all else is done\n" * told


@pytest.mark.parametrize("line", TO_STDOUT)
def test_what_stdout_was_to_take_is_lost_with_a_status_that_says_so(capsys, monkeypatch, line):
    for stream, expected, words in (
        (Failing(errno.EPIPE), 141, ""),
        (Failing(errno.ENOSPC), 2, "/dev/stdout: No space left on device\n"),
        (None, 2, "it is closed\n"),
    ):
        monkeypatch.setattr(sys, "stdout", stream)
        status, _, err = run(capsys, line)
        assert status == expected and err.endswith(words) and "Traceback" not in err


@pytest.mark.parametrize("C, verdict", [("1", 0), ("2", 1)])
def test_a_verdict_does_not_need_stdout(capsys, monkeypatch, C, verdict):
    for stream in (Failing(errno.EPIPE), Failing(errno.ENOSPC), None):
        monkeypatch.setattr(sys, "stdout", stream)
        assert run(capsys, f"check points model --C {C}")[0] == verdict


@pytest.mark.parametrize("body, verdict, number", [
    ("max(0, 1 - m)", 0, errno.ENOSPC), ("m", 1, errno.EPIPE), ("os._exit(0)", 2, None)])
def test_the_verdict_of_an_exercise_does_not_need_stdout(monkeypatch, body, verdict, number):
    Path("f.py").write_text(f"import os\ndef hinge(m): return {body}")
    monkeypatch.setattr(sys, "stdout", number and Failing(number))
    assert main(["exercise", "hinge", "f.py"]) == verdict


def test_work_in_vain_is_not_begun(capsys, monkeypatch):
    for module in ("training", "plot"):
        monkeypatch.setattr(f"refsvm.commands.{module}.train", lambda *anything: 1 / 0)
    write_data("wide", [[1, 2, 3], [2, 1, 3]], [1, 2])
    assert run(capsys, "plot wide -o out")[0] == 2
    monkeypatch.setattr(sys, "stdout", None)
    assert run(capsys, "train points")[0] == 2
    assert main(["train", "points", "-o", "model"]) == 70


def test_a_refusal_comes_before_what_stdout_lost(capsys, monkeypatch):
    class Late(Failing):
        write = io.StringIO.write

        def flush(self):
            raise self.error

    monkeypatch.setattr(sys, "stdout", Late(errno.ENOSPC))
    assert run(capsys, "train points --C 0")[::2] == (
        2, "refsvm: --C is 0.0; it must be positive\n")


def test_a_letter_that_stdout_lacks_changes_no_status(monkeypatch, folder):
    for encoding in ("cp1252", "ascii", "utf-16", "utf-8"):
        for name in ("\u6a21\u578b", "\udce9"):
            stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
            monkeypatch.setattr(sys, "stdout", stream)
            assert main(["train", "points", "-o", name]) == 0
            assert read_model(name) and b"w" in stream.buffer.getvalue()


@pytest.mark.parametrize("stream", [None, Failing(errno.ENOSPC)])
def test_stderr_may_be_closed_or_full(capsys, monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    assert run(capsys, "train nofile") == (2, "", "")
    assert run(capsys, "train points -o out")[0] == 0
    assert run(capsys, "train points -o -")[0] == 0
    assert run(capsys, "train points --C 0") == (2, "", "")


def test_the_report_stays_out_of_what_stdout_takes(capsys, folder):
    for line in ("train points", "plot points --kernel linear", "trace points", "scale points",
                 "predict points model", "export model"):
        assert run(capsys, f"{line} -o out")[0] == 0
        for name in ("-", "/dev/stdout"):
            status, out, err = run(capsys, f"{line} -o {name}")
            assert (status, out) == (0, (folder / "out").read_text())
            assert "written" not in err


# ---- inputs and outputs

@pytest.mark.parametrize("line", [
    "scale points -o points", "scale points --save points", "scale points -o r --save ./r",
    "scale points --restore r -o r", "train points -o folder/../points", "train hard -o points",
    "predict points model -o model", "predict soft model -o points", "plot points -o soft",
    "plot points model -o model", "trace points -o hard", "export model -o model",
    "exact p.problem --certificate p", "exact three --kernel linear --certificate q",
    "audit points -o soft.html",
])
def test_no_input_is_written_over_and_no_output_twice(capsys, folder, monkeypatch, line):
    (folder / "folder").mkdir()
    for name in ("soft", "soft.html"):
        os.symlink("points", name)
    os.link("points", "hard")
    os.link("three", "p.problem")
    os.link("three", "q-0-2.certificate")
    (folder / "r").write_text("x\n0 1\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    status, out, err = run(capsys, line)
    assert (status, out) == (2, "") and "already; name another" in err and err.count("\n") == 1
    assert before == {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


@pytest.mark.parametrize("line, sentence", [
    ("plot points -o p.png", "p.png ends in .png; a picture is SVG, so name it p.svg"),
    ("trace points -o p.gif", "so name it p.svg"), ("demo -o p.PDF.gz", "so name it p.svg"),
    ("exact points --certificate -", "two files are written, which no one stream can take"),
    ("predict - -", "- stands twice; standard input can be read once"),
    ("train points -c 10", "-c 10 is of LIBSVM; here it is --C 10"),
    ("exact points -t 1", "-t 1 is of LIBSVM; here it is --kernel poly"),
    ("trace points -t 5", "here it is --kernel linear, poly, rbf, sigmoid, precomputed"),
    ("plot points -o p -g .1 -d 2", "-g .1 is of LIBSVM; here it is --gamma .1"),
    ("train points -w1 2", "-w1 2 is of LIBSVM; here it is --class-weight=1:2"),
    ("check points model -w1 2 --class-weight 1:2", "-w1 2 is of LIBSVM; here it is --class"),
    ("check points model -w1 2 -w1 3", "1 has two weights; it can have one"),
    ("check points model -w1", "'1:' is not LABEL:WEIGHT, a label and a number"),
    ("grid points -s 3", "-s 3 is of LIBSVM; here it is --type epsilon_svr"),
    ("check points model -s 3", "-s 3 is of LIBSVM; the type is that of the model"),
    ("scale points -s r", "-s r is of LIBSVM; here it is --save r"),
    ("check points model -v 5", "cross-validation is train DATA -v FOLDS"),
    ("predict points model out", "one name too many: out; a file to write is named by -o"),
    ("train points model", "one name too many: model; a file to write is named by -o"),
    ("train points --cache-mb 0", "--cache-mb is 0.0; it must be positive"),
    ("train points --C 1e308 --class-weight 1:1e9", "--C times --class-weight of row"),
    ("train kernel", "kernel values have, which are told by --kernel precomputed or by the"),
    ("train points --class-weight -1:2", "if -1:2 is that, write --class-weight=-1:2"),
    ("train points --class-weight 1:2,1:3", "1 has two weights; it can have one"),
    ("train points --c 1", "unrecognized arguments: --c 1; the nearest option is --C"),
    ("train points --gamma wide", "'wide' is neither auto, scale, scale/4 and the like nor a"
     " number"),
    ("train tiny --gamma scale", "the numbers of the data are around 1e-200 in size; the command"
     " scale brings them to one range"),
    ("train half -v 2", "the label of row 3 is 0.5; classes are whole numbers"),
    ("train large -o m", "the label of row 1 is 4294967296; a LIBSVM model has labels that are"),
    (f"train {'n' * 400}", "the name is too long"),
])
def test_refusals_use_words_of_the_command_line_and_name_the_cure(capsys, line, sentence):
    write_data("kernel", [[1, 0], [0, 1]], [1, 2], precomputed=True)
    write_data("large", [[1], [2]], [2**32, 1])
    write_data("tiny", [[1e-200], [3e-200]], [1, 2])
    write_data("half", [[1], [2], [3], [4]], [1, 2, 0.5, 1])
    status, out, err = run(capsys, line)
    assert status == 2 and sentence in err and err.count("\n") == 1 and len(err) < 300
    assert "m" not in os.listdir()


def test_an_empty_name_is_refused(capsys):
    assert main(["train", "points", "-o", ""]) == main(["train", ""]) == 2
    assert capsys.readouterr().err.count("the name of the file is empty") == 2


def test_check_says_what_may_have_been_left_out_and_predict_what_cannot_be_right(capsys):
    weighted = "train points -o model --class-weight=-1:0.1,1:0.3"
    assert run(capsys, weighted)[0] == 0
    status, out, _ = run(capsys, "check points model")
    assert status == 1 and "had another --C or --class-weight, say so\n" in out
    out = run(capsys, "predict three model")[1].splitlines()
    assert out[1] == "not among the labels of the model (-1, 1): 4 rows of label 0, 2"


def test_ctrl_c_leaves_no_half_file(capsys, monkeypatch):
    def interrupted(*anything, **more):
        raise KeyboardInterrupt

    before = sorted(os.listdir())
    monkeypatch.setattr("refsvm.files.model_text.item_words", interrupted)
    monkeypatch.setattr("os.replace", interrupted)
    monkeypatch.setattr("refsvm.estimators.pairwise_training.train_pairs", interrupted)
    monkeypatch.setattr("refsvm.commands.exact.solve_exactly", interrupted)
    monkeypatch.setattr("refsvm.commands.trace.trace", interrupted)
    monkeypatch.setattr("refsvm.commands.check.measure", interrupted)
    for line in [*TO_FILE, "check points model", "demo"]:
        assert run(capsys, line)[::2] == (130, "")
    assert sorted(os.listdir()) == before


def test_a_want_of_memory_is_no_failed_check(capsys, monkeypatch):
    def enormous(*anything):
        raise MemoryError

    monkeypatch.setattr("refsvm.commands.check.match_rows", enormous)
    assert run(capsys, "check points model") == (
        2, "", "refsvm: there is not enough memory for this; give fewer rows or columns\n")


# ---- the terminal

def test_progress_is_no_wider_than_the_terminal(monkeypatch):
    class Narrow(io.StringIO):
        def isatty(self):
            return True

        def fileno(self):
            return 2

    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((20, 5)))
    for what in ("a name of a file that is longer than that", "\u6a21\u578b" * 20, "a\nb\x1b[1m"):
        terminal = Narrow()
        with console.progress(what, stream=terminal):
            pass
        shown = terminal.getvalue().split("\r")
        assert max(map(console.cells, shown)) <= 19 and "".join(shown).isprintable()


# ---- as a process

def shell(line, **options):
    return subprocess.run(
        ["sh", "-c", line.replace("refsvm", f"'{sys.executable}' -m refsvm")],
        capture_output=True, text=True, timeout=60, **options)


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@pytest.mark.slow("what only a process has: streams closed from the start, the status at its end")
@pytest.mark.parametrize("line, expected", [
    ("refsvm train points -o out >&-", (0, "", "")),
    ("refsvm train points -o out >&- 2>&- <&-", (0, "", "")),
    ("refsvm train nofile >&- 2>&-", (2, "", "")),
    ("refsvm scale points >&-", (2, "", "refsvm: /dev/stdout cannot be written; it is closed\n")),
    ("refsvm train points -o out >/dev/full",
     (0, "", "refsvm: /dev/stdout: No space left on device; all else is done\n")),
    ("refsvm export model >/dev/full", (2, "", "refsvm: /dev/stdout: No space left on device\n")),
    ("(refsvm train points -o out; echo $? >&2) | :", (0, "", "0\n")),
    ("(refsvm trace points; echo $? >&2) | :", (0, "", "141\n")),
    ("refsvm predict points model -o - 2>&- >out && wc -l <out", (0, "7\n", "")),
    ("refsvm train points >>points",
     (2, "", "refsvm: /dev/stdout cannot be written; it is the file points, which is read"
      " already; name another\n")),
    ("refsvm predict points model -o /dev/fd/1 2>&- | head -n 1", (0, "-1\n", "")),
])
def test_the_status_of_a_process_tells_what_was_done(line, expected):
    result = shell(line, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (result.returncode, result.stdout, without_engine(result.stderr)) == expected
    assert ("-o out" in line or ">out" in line) == os.path.exists("out")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.slow("a signal that ends the process at once")
def test_a_process_that_is_ended_leaves_no_half_file(folder):
    before = sorted(os.listdir())
    code = ("import os, signal\nfrom refsvm import __main__\nfrom refsvm.files import outputs\n"
            "__main__.clean_up_when_ended()\nwith outputs.writing('new') as text:\n"
            "    text.write('half')\n    os.kill(os.getpid(), signal.SIGTERM)\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run([sys.executable, "-c", code], env=environment, timeout=60)
    assert result.returncode == 143 and sorted(os.listdir()) == before


@pytest.mark.slow("a command that looks for its files in a folder")
def test_from_a_zip_file_commands_work(folder):
    with zipfile.ZipFile("refsvm.zip", "w") as packed:
        for path in (ROOT / "refsvm").rglob("*"):
            if path.suffix in (".py", ".libsvm"):
                packed.write(path, path.relative_to(ROOT))
    for line in ("demo", "train points", "exact points --kernel linear"):
        result = shell(f"refsvm {line}", env={**os.environ, "PYTHONPATH": "refsvm.zip"})
        assert (result.returncode, without_engine(result.stderr)) == (0, "")
    assert os.path.exists("refsvm-demo.svg")
