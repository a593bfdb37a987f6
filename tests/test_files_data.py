"""Facts about data files: what goes in comes out, and what is wrong is refused by line."""

import gzip
import os
import re
import stat
import threading
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import data_folder, peer

from refsvm.files import text
from refsvm.files.models import read_model
from refsvm.files.text import decimals, reading
from refsvm.numerics.quoting import quote
from refsvm.tables.data import Data, read_data, write_data

doubles = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e308, -1.7976931348623157e308, 1e16]
)


@st.composite
def data_sets(draw):
    d = draw(st.integers(1, 4))
    X = draw(st.lists(st.lists(doubles, min_size=d, max_size=d), min_size=1, max_size=5))
    return X, [draw(doubles) for _ in X]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


def bits(values):
    """The doubles as exact text; -0.0 becomes 0.0, the one zero that a file knows."""
    return [float(value + 0.0).hex() for value in values]


def read_text(folder, content, *arguments, **options):
    path = folder / "some.libsvm"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_data(path, *arguments, **options)


# Reading


def test_a_line_is_a_label_then_items_and_what_is_left_out_is_zero(folder):
    got = read_text(folder, "1 1:0.5 3:-2\n-1 2:1e-3\n")
    assert got == Data([[0.5, 0.0, -2.0], [0.0, 0.001, 0.0]], [1, -1])
    assert all(type(value) is float for row in got.X for value in row)


@pytest.mark.parametrize(
    "content",
    [
        "1 1:2\r\n-1 1:3\r\n",
        "1 1:2\r-1 1:3\r",
        "\n1 1:2\n\n  \t\n-1 1:3\n\n",
        "1 1:2   \n-1\t1:3 \t\n",
        "  1 1:2\n -1 1:3",
        "# made by hand\n1 1:2 # the first\n-1 1:3# the second 2:7\n",
        "# caf\u00e9 1_000 \u0663\n1 1:2\n-1 1:3\n",
        b"# \xff\xfe\n1 1:2\n-1 1:3\n",
        b"\xef\xbb\xbf1 1:2\n-1 1:3\n",
        "+1 1:2\n-1 1:3\n",
        "1.0 1:2\n-1e0 1:3\n",
        "1 1:+2\n-1 01:3.\n",
    ],
)
def test_the_same_two_examples_are_read_however_the_lines_are_laid_out(folder, content):
    got = read_text(folder, content)
    assert got == Data([[2.0], [3.0]], [1, -1])
    assert all(type(label) is int for label in got.y)


def test_explicit_zeros_are_zeros_and_count_as_columns(folder):
    assert read_text(folder, "1 1:0 2:-0\n2 1:1\n").X == [[0.0, 0.0], [1.0, 0.0]]


def test_labels_are_floats_as_soon_as_one_is_not_whole(folder):
    y = read_text(folder, "1 1:1\n0.5 1:2\n").y
    assert y == [1.0, 0.5]
    assert all(type(label) is float for label in y)


def test_features_adds_columns_of_zeros(folder):
    assert read_text(folder, "1 1:5\n2 2:5\n", 4).X == [[5.0, 0, 0, 0], [0, 5.0, 0, 0]]
    assert read_text(folder, "1 1:5\n2 2:5\n", 2).X == [[5.0, 0], [0, 5.0]]
    assert read_text(folder, "1\n2\n", features=3).X == [[0.0] * 3] * 2


def test_rows_are_separate_lists(folder):
    X = read_text(folder, "1\n2\n", features=2).X
    X[0][0] = 7.0
    assert X[1] == [0.0, 0.0]


def test_gzip_is_known_by_its_first_bytes_and_not_by_its_name(folder):
    (folder / "packed.libsvm").write_bytes(gzip.compress(b"1 1:2\n-1 1:3\n"))
    assert read_data(folder / "packed.libsvm") == Data([[2.0], [3.0]], [1, -1])
    (folder / "plain.gz").write_bytes(b"1 1:2\n-1 1:3\n")
    assert read_data(str(folder / "plain.gz")) == Data([[2.0], [3.0]], [1, -1])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_gzipped_text_may_come_through_a_pipe(folder):
    os.mkfifo(folder / "packed_pipe")
    packed = gzip.compress(b"1 1:2\n-1 1:3\n")
    writer = threading.Thread(target=(folder / "packed_pipe").write_bytes, args=[packed])
    writer.start()
    assert read_data(folder / "packed_pipe") == Data([[2.0], [3.0]], [1, -1])
    writer.join()


def test_a_text_in_utf_16_is_refused_as_one(folder):
    path = folder / "some.libsvm"
    for content in ("1 1:2\n".encode("utf-16"), b"\xfe\xff\x00a"):
        with pytest.raises(ValueError, match="in UTF-16; save it as UTF-8$") as refused:
            read_text(folder, content)
        assert str(path) in str(refused.value)


def test_two_gzip_files_end_to_end_are_one_text(folder):
    both = gzip.compress(b"1 1:2\n") + gzip.compress(b"-1 1:3\n")
    assert read_text(folder, both) == Data([[2.0], [3.0]], [1, -1])


def test_a_gzip_file_that_is_cut_or_damaged_is_refused(folder):
    whole = gzip.compress(b"".join(b"1 1:%d\n" % k for k in range(1000)))
    path = folder / "some.libsvm"
    said = re.escape(f"{path} begins as a gzip file, but cannot be unpacked to its end")
    damaged = whole[:100] + b"\xff" * 50 + whole[150:]
    for content in (whole[:-9], damaged, whole[:-8] + b"checksum"):
        with pytest.raises(ValueError, match=f"^{said}$"):
            read_text(folder, content)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_can_be_read_and_written(folder):
    path = folder / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=write_data, args=(path, [[2], [3]], [1, -1]))
    writer.start()
    assert read_data(path) == Data([[2.0], [3.0]], [1, -1])
    writer.join()
    assert stat.S_ISFIFO(os.stat(path).st_mode)


def test_blanks_behind_a_colon_are_passed_over_as_svm_train_does(folder):
    text = "1 1:1.00 3: .50\n-1 1: 2 2:\t3 # 4: 5\n2 2:1\n"
    assert read_text(folder, text) == Data([[1, 0, 0.5], [2, 3, 0], [0, 1, 0]], [1, -1, 2])
    rows = read_text(folder, "1 0:1 1: .5 2:2\n-1 0:2 1:2 2: 1\n", precomputed=True)
    assert rows == Data([[0.5, 2], [2, 1]], [1, -1])


INDEX = "it must be a whole number from 1 to 2147483647"
ARFF = (
    "begins a line of an ARFF file; save the table as CSV, with the names of the columns in its"
    " first line"
)
NUMBER = "it must be a finite number"
NINES = "9" * 5000  # more digits than int() takes


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("1 2:1 1:1", "in '1:1' the index comes after 2; indices must ascend"),
        ("1 2:1 2:1", "in '2:1' the index comes after 2; indices must ascend"),
        ("1 -1:5", f"in '-1:5' the index is '-1'; {INDEX}"),
        ("1 1:5 0:5", f"in '0:5' the index is '0'; {INDEX}"),
        ("1 2147483648:5", f"in '2147483648:5' the index is '2147483648'; {INDEX}"),
        (f"1 {NINES}:5", f"in {quote(f'{NINES}:5')} the index is {quote(NINES)}; {INDEX}"),
        ("1 1.0:5", f"in '1.0:5' the index is '1.0'; {INDEX}"),
        ("1 1_0:5", f"in '1_0:5' the index is '1_0'; {INDEX}"),
        ("1 \u0663:5", f"in '\u0663:5' the index is '\u0663'; {INDEX}"),
        ("1 \u00b2:5", f"in '\u00b2:5' the index is '\u00b2'; {INDEX}"),
        ("1 :5", f"in ':5' the index is ''; {INDEX}"),
        ("1 a:5", f"in 'a:5' the index is 'a'; {INDEX}"),
        ("1 1:", f"in '1:' the value is ''; {NUMBER}"),
        ("1 1: 2:5", f"in '1:' the value is ''; {NUMBER}"),
        ("1 1 :5", "in '1' there is no colon; an item is index:value"),
        ("1 1:x", f"in '1:x' the value is 'x'; {NUMBER}"),
        ("1 1:2:3", f"in '1:2:3' the value is '2:3'; {NUMBER}"),
        ("1 1:nan", f"in '1:nan' the value is 'nan'; {NUMBER}"),
        ("1 1:-inf", f"in '1:-inf' the value is '-inf'; {NUMBER}"),
        ("1 1:1e999", f"in '1:1e999' the value is '1e999'; {NUMBER}"),
        ("1 1:1_0", f"in '1:1_0' the value is '1_0'; {NUMBER}"),
        ("1 1:\u0663", f"in '1:\u0663' the value is '\u0663'; {NUMBER}"),
        ("1 1:0x1p3", f"in '1:0x1p3' the value is '0x1p3'; {NUMBER}"),
        ("1 5", "in '5' there is no colon; an item is index:value"),
        (
            "1 qid:3 1:5",
            "in 'qid:3' there is a query of a ranking, which refsvm does not learn; leave the item"
            " out where each row is to count by itself",
        ),
        ("1:5", "'1:5' stands where the label belongs; a line begins with a label"),
        ("@RELATION iris", f"'@RELATION' {ARFF}"),
        ("% 1. Title", f"'%' {ARFF}"),
        ("nan 1:5", f"the label is 'nan'; {NUMBER}"),
        ("+inf 1:5", f"the label is '+inf'; {NUMBER}"),
        ("1,2 1:5", f"the label is '1,2'; {NUMBER}"),
        ("yes 1:5", f"the label is 'yes'; {NUMBER}"),
        (
            "1 0:1 1:5",
            "in '0:1' the index is 0; indices begin at 1: say first=0 where they begin at 0, and"
            " precomputed=True for rows of kernel values",
        ),
    ],
)
def test_a_bad_line_is_refused_by_file_line_token_and_rule(folder, line, sentence):
    with pytest.raises(ValueError) as refused:
        read_text(folder, f"1 1:1\n\n{line}\n2 1:1\n")
    assert str(refused.value) == f"{folder / 'some.libsvm'}, line 3: {sentence}"


@pytest.mark.parametrize("path", [True, 5, 5.0, None])
def test_a_number_is_no_path(path):
    """open() takes a whole number for a file that is open already: 1 is what is printed."""
    data = [[1.0]], [1]
    for call in (read_data, read_model, lambda path: write_data(path, *data)):
        with pytest.raises(TypeError) as refused:
            call(path)
        assert str(refused.value) == f"path is {path}; the name of a file is needed"


@pytest.mark.parametrize("sort", [str, os.fsencode, Path])
def test_a_path_may_be_of_any_sort_that_open_takes(tmp_path, sort):
    for name in ("some.libsvm", "some.libsvm.gz"):
        path = sort(tmp_path / name)
        for value in (1.0, 2.0):  # a new file, and one to replace
            write_data(path, [[value]], [1])
            assert read_data(path).X == [[value]]


def test_a_file_without_examples_or_without_items_is_refused(folder):
    path = folder / "some.libsvm"
    for content in ("", "\n\n", "# nothing\n", gzip.compress(b"")):
        with pytest.raises(ValueError) as refused:
            read_text(folder, content)
        assert str(refused.value) == (
            f"{path} holds no example; at least one line must begin with a label"
        )
    with pytest.raises(ValueError) as refused:
        read_text(folder, "1\n-1\n")
    assert str(refused.value) == (
        f"{path} holds no item index:value; give the number of columns, features"
    )


def test_features_below_an_index_is_refused_by_line_and_nonsense_by_its_name(folder):
    with pytest.raises(ValueError) as refused:
        read_text(folder, "1 1:5\n2 2:5 3:7\n", 2)
    assert str(refused.value) == (
        f"{folder / 'some.libsvm'}, line 2: in '3:7' the index is above 2,"
        " the number of features asked for"
    )
    with pytest.raises(ValueError, match="^features is 0; it must be at least 1$"):
        read_text(folder, "1 1:5\n", 0)
    with pytest.raises(TypeError, match="^features is 2.0; a whole number is needed$"):
        read_text(folder, "1 1:5\n", 2.0)


def test_a_file_that_is_not_there_is_the_usual_error(folder):
    with pytest.raises(FileNotFoundError):
        read_data(folder / "missing")


# Precomputed kernels


def test_a_precomputed_kernel_loses_its_serial_numbers(folder):
    got = read_text(folder, "1 0:1 1:4 2:6\n-1 0:2 1:6 2:9\n", precomputed=True)
    assert got == Data([[4.0, 6.0], [6.0, 9.0]], [1, -1])


def test_a_precomputed_kernel_is_written_with_serials_and_zeros(folder):
    path = folder / "kernel.libsvm"
    write_data(path, [[1, 0], [0, 1]], [1, -1], precomputed=True)
    assert path.read_text() == "1 0:1 1:1 2:0\n-1 0:2 1:0 2:1\n"
    assert read_data(path, precomputed=True) == Data([[1.0, 0.0], [0.0, 1.0]], [1, -1])


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("1", "no item 0:serial after the label; a precomputed kernel needs it"),
        ("1 1:4", "no item 0:serial after the label; a precomputed kernel needs it"),
        ("1 0:? 1:4", "the serial number is '?'; it must be a finite number"),
    ],
)
def test_a_precomputed_kernel_without_serial_numbers_is_refused(folder, line, sentence):
    with pytest.raises(ValueError) as refused:
        read_text(folder, f"1 0:1 1:4\n{line}\n", precomputed=True)
    assert str(refused.value) == f"{folder / 'some.libsvm'}, line 2: {sentence}"


# Writing


@given(data_sets())
def test_what_is_written_is_read_back_to_the_same_doubles(folder, drawn):
    X, y = drawn
    for path in (folder / "round.libsvm", folder / "round.libsvm.gz"):
        write_data(path, X, y)
        got = read_data(path, features=len(X[0]))
        assert [bits(row) for row in got.X] == [bits(row) for row in X]
        assert bits(got.y) == bits(y)
        again = folder / "again.libsvm"
        write_data(again, *got)
        with reading(path) as first, reading(again) as second:
            assert list(first) == list(second)


@given(data_sets())
def test_a_precomputed_kernel_is_read_back_to_the_same_doubles(folder, drawn):
    X, y = drawn
    write_data(folder / "kernel.libsvm", X, y, precomputed=True)
    got = read_data(folder / "kernel.libsvm", precomputed=True)
    assert [bits(row) for row in got.X] == [bits(row) for row in X]


@given(doubles)
def test_no_shorter_decimals_of_a_double_read_back_to_it(value):
    written = decimals(value, "value")
    digits = len(re.sub("e.*|[^0-9]", "", written).strip("0"))
    assert float(written) == value
    assert digits <= 1 or float(f"{value:.{digits - 2}e}") != value


def test_zeros_are_left_out_and_whole_numbers_have_no_point(folder):
    path = folder / "written.libsvm"
    X, y = [[0.5, 0, -0.0, 3.0], [0, 0, 0, 0], [1e-300, -7, 0.1, 1e22]], [1, -1.0, 2.5]
    write_data(path, X, y)
    assert path.read_bytes() == b"1 1:0.5 4:3\n-1\n2.5 1:1e-300 2:-7 3:0.1 4:1e+22\n"
    assert (X, y) == (
        [[0.5, 0, -0.0, 3.0], [0, 0, 0, 0], [1e-300, -7, 0.1, 1e22]],
        [1, -1.0, 2.5],
    )


def test_a_fraction_is_written_if_a_double_equals_it(folder):
    path = folder / "written.libsvm"
    write_data(path, [[Fraction(1, 4)], [3]], [1, Fraction(-1)])
    assert path.read_text() == "1 1:0.25\n-1 1:3\n"
    for value in (Fraction(1, 3), Fraction(10**400), Fraction(2**53 + 1)):
        with pytest.raises(ValueError) as refused:
            write_data(path, [[0, value]], [1])
        assert str(refused.value) == (
            f"X[0][1] is {quote(value)}, which no double equals; a file holds doubles,"
            " so use float() first"
        )


@pytest.mark.parametrize(
    "X, y, kind, sentence",
    [
        ([[1], [2]], [1], ValueError, "y has length 1; there are 2 examples"),
        ([[1], [2, 3]], [1, 2], ValueError, "X[1] has length 2; every row must have the length of"
         " X[0], which is 1"),
        ([[1, float("nan")]], [1], ValueError, "X[0][1] is nan; it must be a finite number"),
        ([["a"]], [1], TypeError, "X[0][0] is 'a'; a number is needed"),
        ([[1]], ["a"], TypeError, "y[0] is 'a'; a number is needed"),
        ([[1]], [float("inf")], ValueError, "y[0] is inf; it must be a finite number"),
        ([], [], ValueError, "X is empty; it must have at least one row"),
    ],
)  # fmt: skip
def test_what_no_data_file_holds_is_refused_and_no_file_appears(tmp_path, X, y, kind, sentence):
    with pytest.raises(kind) as refused:
        write_data(tmp_path / "new.libsvm", X, y)
    assert str(refused.value) == sentence
    assert os.listdir(tmp_path) == []


# Larger data


def small_files():
    """(path, text) of the data files whose text is below a megabyte."""
    paths = sorted(data_folder().glob("*.libsvm")) + sorted(data_folder().glob("*.gz"))
    for path in paths:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        if len(content) < 1_000_000:
            yield path, content


@pytest.mark.slow("a line that only large files have")
def test_every_real_file_is_read_to_as_many_examples_and_numbers_as_it_has():
    read = 0
    for path, content in small_files():
        got = read_data(path)
        lines = [line for line in content.split(b"\n") if line.strip()]
        assert len(got.X) == len(got.y) == len(lines)
        given = [float(word.split(b":")[1]) for line in lines for word in line.split()[1:]]
        assert [v for row in got.X for v in row if v != 0] == [v for v in given if v != 0]
        read += 1
    assert read > 0


@pytest.mark.parametrize("name", ["heart_scale", "iris", "w1a", "a1a", "german.numer", "letter"])
def test_real_files_are_read_as_scikit_learn_reads_them(name):
    load = peer("sklearn.datasets").load_svmlight_file
    paths = sorted(data_folder().glob(f"{name}.libsvm*")) or sorted(
        data_folder().glob(f"{name}.*libsvm*")
    )
    assert paths
    got = read_data(paths[0])
    X, y = load(str(paths[0]), zero_based=False)
    assert got.X == X.toarray().tolist()
    assert got.y == y.tolist()


# Limits


def refused_in(path):
    with pytest.raises(ValueError) as refused:
        read_data(path)
    return str(refused.value).removeprefix(str(path))


@pytest.mark.parametrize("block", [1, 2, 3, 7, 2**20])
def test_lines_are_numbered_alike_in_blocks_of_any_size(folder, monkeypatch, block):
    monkeypatch.setattr(text, "READ_LETTERS", block)
    path = folder / "blocks.libsvm"
    path.write_bytes(b"\xef\xbb\xbf\n \n1 1:5\r\n\n\n  \n\t\r2 1:6\n\n3 2:7")
    with reading(path) as lines:
        found = [(number, line.strip()) for number, line in lines if line.strip()]
    assert found == [(3, "1 1:5"), (8, "2 1:6"), (10, "3 2:7")]


def test_what_a_file_asks_for_has_limits(folder, monkeypatch):
    path = folder / "long.libsvm.gz"
    for content in (b"1 1:" + b"0" * 2**25, b"\n" * 2**25):
        path.write_bytes(gzip.compress(content, 1))
        assert refused_in(path).startswith(" unpacks to more than 100 times its size")
    path.write_bytes(gzip.compress(b"1 1:1\n" * 2**22, 1))
    with pytest.raises(ValueError, match="unpacks to more"), reading(path):
        pytest.fail("lines of a file that is refused are kept in memory")
    path.write_bytes(b"1 1:" + b"1" * 1001)
    assert refused_in(path).endswith("; a number has at most 1000 characters")
    monkeypatch.setattr(text, "MAX_LINE", 99)
    monkeypatch.setattr(text, "READ_LETTERS", 10)
    path.write_bytes(b"1 1:2\n" + b"1" * 100)
    assert refused_in(path) == ", line 2: the line is longer than 99 characters"


def test_blank_lines_cost_next_to_nothing(folder):
    path = folder / "blank.libsvm"
    path.write_bytes(b"\n" * 10**7 + b"1 1:x")
    assert refused_in(path).startswith(f", line {10**7 + 1}: in '1:x'")


VALUES = ["1", "-0.5e3", "+.5", "1e999"]
WORDS = st.one_of(
    st.builds("{}:{}".format, st.integers(0, 12), st.sampled_from(VALUES)),
    st.text("0123456789:.+-eE_n#", max_size=6), st.sampled_from(["1", "-2", "9" * 41, "qid:1"]))


@given(st.lists(WORDS, max_size=6).map(" ".join), st.sampled_from([1, 2]), st.integers(1, 12))
def test_a_plain_line_holds_what_its_tokens_say(line, count, largest):
    """What is read of a whole line is what is read token by token."""
    found = text.plain_line(line, count, largest)
    if found is not None:
        tokens = line.split()
        careful = [text.finite(token, "") for token in tokens[:count]]
        assert repr(found) == repr((careful, text.items(tokens[count:], largest)))


def test_lines_as_other_programs_write_them_are_plain():
    for line in ("+1 1:0.7 3:-1 ", "-1", "2 1:1e-05\t2:+3.", " 0.5 10:1 "):
        assert text.plain_line(line, 1, 10) is not None
    for line in ("", "1:2", "1 2:1 1:1", "1 11:1", "1 0:1", "1 1:nan", "1 1:1e999", "1 1 1:1"):
        assert text.plain_line(line, 1, 10) is None
