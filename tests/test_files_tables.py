"""Facts about tables: what is written is read again, and what is wrong is refused by its place."""

import gzip
import re
import shutil
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import peer

import refsvm_fast
from refsvm import SVC, Scaling, read_data, read_model, write_data, write_model
from refsvm.files.models import read_model_and_columns
from refsvm.files.scaling import read_scaling_and_columns, write_scaling
from refsvm.files.table_columns import TableColumns

ILL = "id,age,ill,size\n7,31,no,1.75\n9,58,yes,1.62\n8,44,yes,1.5\n"
KINDS = ['no way', '"ja, gut"', 'größer']
doubles = st.floats(allow_nan=False, allow_infinity=False).map(lambda v: v + 0.0)
letters = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
words = st.sampled_from(["a;b", "c,d", 'e"f', "sep=;"]) | letters.map(
    lambda text: "_" + " ".join(text.split()))  # no number, and not missing


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def read_text(folder, content, name="some.csv", **choice):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_data(path, **choice)


# Reading

SAVED = [  # by R's write.table, by numpy.savetxt with a header, and by hand
    '"x" "size of" "kind"\n"1" 5 -2.5 "no way"\n"2" 7 1e3 "yes"\n',
    "# x z kind\n5.0e+00 -2.5 0\n7.0e+00 1e3 1\n",
    "   x    z kind\n   5 -2.5  a\n\n   7  1e3  b  \n",
    '"x"\t"z"\t"kind"\n"a1"\t5\t-2.5\t"no"\n"a2"\t7\t1e3\t"yes"\n',
]


@pytest.mark.parametrize("text", SAVED)
def test_tables_of_r_and_of_numpy_are_read(folder, text):
    drop = [1] if text[0] == '"' else []  # the names of the rows
    data = read_text(folder, text, drop=drop)
    assert data.X == [[5, -2.5], [7, 1000]] and len(set(data.y)) == 2
    assert data.columns.names[0] == "x" and data.columns.label == "kind"
    with pytest.raises(ValueError, match="; if this is a table, say format='csv'"):
        read_text(folder, text, "some.txt")
    assert read_text(folder, text, "some.txt", format="csv", drop=drop) == data


@pytest.mark.parametrize("text, names", [
    ("body mass,y\n1,a\n2,b\n", ["body mass"]), ("# x,z,y\n1,2,a\n3,4,b\n", ["# x", "z"]),
    ("# x y\n1 2 a\n2 4 b\n", ["#", "x"]),
])
def test_names_with_blanks_and_a_column_of_numbers_called_so_stay(folder, text, names):
    assert read_text(folder, text).columns.names == names


def test_a_comma_too_many_is_no_name_of_a_row(folder):
    with pytest.raises(ValueError, match="line 2: there are 4 fields; the first line has 3"):
        read_text(folder, "name,age,y\nDoe, John,31,no\nRoe, Jane,58,yes\n")


@pytest.mark.parametrize("begins", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
@pytest.mark.parametrize("name", ["t.xlsx", "t.csv"])
def test_a_workbook_is_told_what_helps(folder, begins, name):
    with pytest.raises(ValueError, match="is a workbook .* save the sheet as CSV in UTF-8$"):
        read_text(folder, begins + b"\x14\0\x06\0", name)


def test_a_line_is_an_example_and_one_column_the_label(folder):
    data = read_text(folder, ILL, label="ill", drop=["id"])
    assert data == ([[31.0, 1.75], [58.0, 1.62], [44.0, 1.5]], ["no", "yes", "yes"])
    assert data.columns == TableColumns(["age", "size"], 2, "ill", 2)
    assert read_text(folder, ILL, label=3, drop=["1"]) == data
    headless = read_text(folder, ILL.partition("\n")[2], label=3, drop="1")
    assert headless == data and headless.columns == TableColumns(None, 2, None, 2)
    assert read_text(folder, ILL, label="size", drop=["ill", 1]).y == [1.75, 1.62, 1.5]


@pytest.mark.parametrize("content, name", [
    ("a,b,y\n1,2.5,no\n-3e2,+.5,yes\n", "t.csv"), ("1,2.5,no\n-3e2,+.5,yes", "t.csv"),
    ("a;b;y\r\n\r\n1;2.5;no\r\n , ;;\r\n-3e2;+.5;yes\r\n".replace(" , ", ""), "t.csv"),
    ("\ufeffa\tb\ty\n1\t2.5\tno\n-3e2\t.5\tyes\n", "t.TSV"), ("1\t2.5\tno\n-3e2\t.5\tyes",
     "t.csv"),
    ('"a","b, ""c""",y\n"1", 2.5 , no \n-3e2,0.5,"yes"\n\n\n', "t.csv"),
    ('a,"b\nc",y\n1,2.5,"no"\n-300,0.5,yes\n', "t.csv"),
     ("2019,2020,y\n1,2.5,no\n-300,0.5,yes\n", ""),
    ("sep=;\r\na;b;y\r\n1;2.5;no\r\n-300;0.5;yes\r\n", "t.csv"),
    ("\n \nsep=;\na;b;y\n1;2.5;no\n-300;0.5;yes\n", "t.csv"),
    ("\n\na;b;y\n1;2.5;no\n-300;0.5;yes\n", "t.csv"),
    pytest.param(  # named: what is packed holds the time
        gzip.compress(b"a,b,y\n1,2.5,no\n-300,0.5,yes\n"), "t.csv.gz", id="packed"),
])
def test_delimiters_quotes_line_ends_and_packing_do_not_matter(folder, content, name):
    options = {} if name else {"header": True, "format": "csv"}
    data = read_text(folder, content, name or "t", **options)
    assert data == ([[1.0, 2.5], [-300.0, 0.5]], ["no", "yes"])


def test_a_label_that_no_file_holds_is_told_with_its_place(folder):
    with pytest.raises(ValueError, match=r"^y\[1\] is nan; it must be a finite number"):
        write_data("t.csv", [[1.0], [2.0]], [0.5, float("nan")])


@pytest.mark.parametrize("fields, labels", [
    ("1 1.0 +2 -0 3e0", [1, 1, 2, 0, 3]), ("01 1 2", ["01", "1", "2"]), ("1 x", ["1", "x"]),
    ("0.5 1", [0.5, 1.0]), ("True False", ["True", "False"]), ("1_0 2", ["1_0", "2"]),
    ("9007199254740993 9007199254740992", ["9007199254740993", "9007199254740992"]),
    ("1e999 1", ["1e999", "1"]), ("- +", ["-", "+"]),
])
def test_labels_are_ints_if_all_are_whole_numbers_and_else_as_they_stand(folder, fields, labels):
    y = read_text(folder, "x,y\n" + "".join(f"1,{field}\n" for field in fields.split())).y
    assert y == labels and list(map(type, y)) == list(map(type, labels))


REFUSED = [
    ("a,b,y\n1,,x\n", {}, "line 2: column 2 ('b') is '', a missing value; fill it in, or leave"
     " out the"
     " row, or the column by drop=['b']"),
    ("1,NA,x\n", {}, "line 1: column 2 is 'NA', a missing value; .* drop=[2]; if these are"
     " names, say"
     " header=True"),
    ("a,b,y\n1,2,x\n\n1,nan,x\n", {}, "line 4: column 2 ('b') is 'nan', a missing value"),
    ("a,sex,y\n1,male,x\n", {}, "line 2: column 2 ('sex') is 'male', which is no number here;"
     " if it is the label, say label='sex'; else make columns of 0 and 1 of such texts, or leave"
     " it out by drop=['sex']"),
    ('a,y\n"1,234.5",x\n', {}, "'1,234.5', which is no number here; write it as 1234.5"),
    ("a;b;y\n1,5;2;x\n", {}, "'1,5', which is no number here; write it as 1.5"),
    ("a;y\n\u22121,5;x\n", {}, "which is no number here; write it as -1.5"),
    ("a;y\n1,500 kg;x\n", {}, "'1,500 kg', which is no number here; write it as 1500 or 1.5"),
    ("a;y\n85+;x\n", {}, "'85+', which is no number here; write a number for what lies beyond"),
    ("1,5;2,5;x\n", {}, "line 1: column 1 is '1,5', which is no number here; write it as 1.5"),
    ("a,y\ninf,x\n", {}, "'inf', which is no number here; it must be a finite number"),
    ("a,b,y\n1,2\n", {}, "line 2: there are 2 fields; the first line has 3, and all lines must"
     " have as"),
    ("a,b,y\nx\n", {}, "line 2: there is 1 field; the first line has 3"),
    ("a,a,y\n1,2,x\n", {}, "line 1: columns 1 and 2 are both named 'a'; .* leave one out by"
     " drop=[2]"),
    (",a,y\n0,2,x\n", {}, "line 1: column 1 has no name; give it one, or leave it out by"
     " drop=[1]"),
    (",0,1,y\n0,5,6,7\n", {}, "line 1: the line , 0, 1, .. may be an example or the names of"
     " the columns; say header=True"),
    ("0,1,2\n5,6,7\n", {}, "an example or the names of the columns; say header=True or"
     " header=False"),
    ("2019,size,y\n1,2,x\n", {}, "line 1: column 2 is 'size', .*; if these are names, say"
     " header=True"),
    ("age,size,y\n1,2,x\n", {"label": "agge"}, "no column 'agge'; the nearest is 'age' of 'age',"
     " 'size', 'y'"),
    ("age,size,y\n1,2,x\n", {"label": "q"}, "no column 'q'; there are 'age', 'size', 'y'"),
    ("5,6,7\n", {"label": "q"}, "no column 'q', for the line has numbers and no names"),
    ("a,b,y\n1,2,x\n", {"drop": [4]}, "there is no column 4; columns are counted from 1 to 3"),
    ("a,b,y\n1,2,x\n", {"label": 0}, "there is no column 0; columns are counted from 1 to 3"),
    ("a,b,y\n1,2,x\n", {"label": "b", "drop": ["b"]}, "column 2 is the label, and is left out by"
     " drop"),
    ("y\nx\n", {}, "there is one column; a table has a label and at least one feature"),
    ("a|b|y\n1|2|x\n", {}, "semicolons or tabs, as sed 's/|/;/g' makes them of the bars here"),
    ("a,y\n16.5%,x\n", {}, "'16.5%', which is no number here; write it as 16.5"),
    ("a,y\nTrue,x\n", {}, "'True', which is no number here; write 1 for true and 0 for false"),
    ("a,y\n<5,x\n", {}, "'<5', which is no number here; write a number for what lies beyond a"),
    ("a,b,y\n", {}, "holds no example, only the names of its columns"), ("\n,,\n", {}, "it is"
     " empty"),
    ("a,y\n1,x\n2,\n", {}, "line 3: the label is missing in column 2 ('y'); write one, or leave"),
    ("a,y\n1,\n2,?\n", {}, "line 2: the label is missing in column 2 ('y')"),
    ('a,b,y\n1,2,"x\nz"\n1,"q\nr",z\n', {}, "line 4: column 2 ('b') is 'q r', which is no number"),
    ('a,y\n1,x\n2,"x\n', {}, "line 3: a double quote is opened here, and none closes it"),
    ('a,y\n1,"x"z\n', {}, "line 2: a text goes on after its closing quote"),
    ("a,y\n1," + "x" * 140000, {}, "line 2: a field has more than 131072 characters"),
    ("a,b;c\n1,2\n", {}, "line 1: there are commas and semicolons; one sign must part all"
     " fields"),
    (b"a,y\n1,caf\xe9\n", {}, "is not in UTF-8; save the table so"),
    (b"\xe9,y\n1,x\n", {}, "is not in UTF-8"),
    ("a,y\n1,x\n", {"features": 2}, "has 1 features; 2 are asked for"),
    ("a,y\n1,x\n", {"format": "xls"}, "format is 'xls'; the known ones are 'libsvm', 'csv',"
     " 'tsv'"),
    ("1,2,x\n", {"format": "libsvm"}, "it must be a finite number; if this is a table, say"
     " format='csv'"),
    ("1\t2\n", {"format": "libsvm"}, "index:value; if this is a table, say format='csv'"),
    ("1 1:2\n", {"format": "libsvm", "label": 1}, "label is 1, but .* is read as LIBSVM's text;"
     " if it is"),
]  # fmt: skip


@pytest.mark.parametrize("content, choice, sentence", REFUSED)
def test_what_is_wrong_is_refused_by_line_and_column(tmp_path, content, choice, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence).replace(r"\.\*", ".*")) as refused:
        read_text(tmp_path, content, **choice)
    assert len(str(refused.value)) < 300 and "some.csv" in str(refused.value) or "format" in choice


TRAINED = TableColumns(["age", "size"], 2, "ill", 2)


@pytest.mark.parametrize("content, y", [
    (ILL, ["no", "yes", "yes"]), ("size,other,age\n1.75,x,31\n1.62,,58\n1.5,,44\n", []),
    ("ill,size,age\n,1.75,31\n,1.62,58\n?,1.5,44\n", []),
])
def test_columns_of_another_table_are_found_by_name(folder, content, y):
    data = read_text(folder, content, columns=TRAINED)
    assert data == ([[31.0, 1.75], [58.0, 1.62], [44.0, 1.5]], y)
    assert (data.columns.label, data.columns.names) == ("ill" if y else None, ["age", "size"])


def test_columns_without_names_are_found_by_number(folder):
    columns = TableColumns(None, 2, None, 1)
    assert read_text(folder, "x,1,2\n", columns=columns) == ([[1.0, 2.0]], ["x"])
    assert read_text(folder, "1,2\n", columns=columns) == ([[1.0, 2.0]], [])
    assert read_text(folder, "5\n", columns=TableColumns(None, 1, None, 2)) == ([[5.0]], [])


@pytest.mark.parametrize("content, columns, choice, sentence", [
    ("age,ill\n1,x\n", TRAINED, {}, "no column 'size'; there are 'age', 'ill'; the model was"
     " trained on it"),
    ("31,1.75,no\n", TRAINED, {}, "the line has no names; the model knows its columns by name,"
     " as 'age'"),
    ("age,size,age\n1,2,3\n", TRAINED, {}, "columns 1 and 3 are both named 'age'"),
    ("age,size,ill\n1,2,x\n", TRAINED, {"drop": ["size"]}, "column 2 ('size') is left out by"
     " drop, but the model was trained on it"),
    ("age,size\n1,2\n", TRAINED, {"label": "size"}, "column 2 is the label, but the model was"
     " trained on it"),
    ("1,2,3,4\n", TableColumns(None, 2, None, 1), {}, "there are 4 columns; the model has 2"
     " features"),
    ("age,ill,size\n1,no,\n", TRAINED, {}, "a missing value; fill it in, or leave out the row"),
    ("age,ill,size\n1,no,big\n", TRAINED, {}, "here; the model was trained on numbers there"),
    ("age,ill,size\n1,no,2\n1,,2\n", TRAINED, {}, "line 3: the label is missing in column 2"
     " ('ill')"),
])
def test_columns_that_cannot_be_those_of_a_model_are_refused(folder, content, columns, choice,
 sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_text(folder, content, columns=columns, **choice)


# Writing


@given(st.data())
def test_what_is_written_is_read_again(folder, data):
    d = data.draw(st.integers(1, 3))
    named = data.draw(st.booleans())
    d_names = st.lists(words, min_size=d + 1, max_size=d + 1, unique=True)
    names = data.draw(d_names) if named else None
    place = data.draw(st.integers(1, d + 1))
    label = names and names.pop()
    columns = TableColumns(names, d, label, place)
    X = data.draw(st.lists(st.lists(doubles, min_size=d, max_size=d), min_size=1, max_size=4))
    some = data.draw(st.sampled_from([st.integers(-9, 2**53 - 1), words]))
    y = [data.draw(some) for _ in X]
    path = folder / data.draw(st.sampled_from(["t.csv", "t.tsv.gz"]))
    write_data(path, X, y, columns=columns)
    again = read_data(path, header=named, label=place)
    assert again == (X, y) and again.columns == columns


def test_a_table_and_libsvms_text_give_the_same_model_but_for_the_last_line(folder):
    X, y = [[0.1, 0], [0, 1], [3, 3.5], [4, 2]], [1, 1, 2, 2]
    write_data(folder / "same.csv", X, y, columns=TableColumns(["a", "b"], 2, "y", 3))
    write_data(folder / "same", X, y)
    texts = []
    for name in ("same", "same.csv"):
        data = read_data(folder / name)
        write_model(folder / "m", SVC().fit(*data), data.columns)
        texts.append((folder / "m").read_text())
    assert texts[1] == texts[0] + '# refsvm {"features":["a","b"],"label":"y"}\n'


def named_model(folder):
    """The path of a model of three classes that are texts, its data, and its SVC."""
    lines = [f"{k % 7},{k * k % 5},{KINDS[k % 7 // 3]}" for k in range(30)]
    data = read_text(folder, "a,b,kind\n" + "\n".join(lines))
    svc = SVC(kernel="linear").fit(data.X, data.y)
    write_model(folder / "named", svc, data.columns)
    return folder / "named", data, svc


def test_a_model_keeps_labels_and_columns_in_both_packages(folder):
    path, data, svc = named_model(folder)
    for read in (read_model, refsvm_fast.read_model):
        model = read(path)
        assert model == svc.model_ and model.predictions(data.X) == svc.predict(data.X)
    assert read_model_and_columns(path)[1] == data.columns._replace(place=3)
    text = path.read_text(encoding="ascii")
    assert "\nlabel 1 2 3\n" in text
    write_model(folder / "again", read_model(path), data.columns)
    assert (folder / "again").read_text() == text


def test_libsvm_reads_a_model_of_texts_and_numbers_its_labels(folder):
    path, data, svc = named_model(folder)
    number = {label: k for k, label in enumerate(svc.classes_, 1)}
    expected = [number[label] for label in svc.predict(data.X)]
    svmutil = peer("libsvm.svmutil")
    model = svmutil.svm_load_model(str(path))
    assert svmutil.svm_predict([], data.X, model, "-q")[0] == expected
    if shutil.which("svm-predict"):
        write_data(folder / "numbers", data.X, expected)
        out = subprocess.run(["svm-predict", "numbers", "named", "out"], cwd=folder, timeout=60,
                             capture_output=True, text=True).stdout
        assert out == "Accuracy = 100% (30/30) (classification)\n"


def test_a_data_frames_names_are_written_with_its_svc(folder):
    svc = SVC().fit([[0], [1]], ["n", "y"])
    svc.feature_names_in_ = ["age"]
    write_model(folder / "frame", svc)
    assert read_model_and_columns(folder / "frame")[1] == TableColumns(["age"], 1)


def test_a_scaling_keeps_the_columns(folder):
    scaling = Scaling.fit([[0, 1, 0], [2, 5, 0]])
    write_scaling(folder / "r", scaling, TableColumns(["a", "b", "c"], 3, "y", 4))
    assert read_scaling_and_columns(folder / "r") == (scaling, TableColumns(["a", "b", "c"], 3,
     "y", 4))


@pytest.mark.parametrize("line, sentence", [
    ('{"labels":["a","b"]}', "names 2 labels after # refsvm; they stand for 1 to 2, which its"),
    ('{"labels":["a","a","b"]}', "a list of different texts or ints is needed"),
    ('{"features":[]}', '"features" is []; a list of different names is needed, or their number'),
    ('{"features":1}', "has numbers of feature 2; after # refsvm it has 1 features"),
    ('{"features":2,"label":true}', '"label" is True; the name of a column is needed, or'),
    ('{"scaled":2}', "'scaled' is no key of the line # refsvm; the known are labels, features"),
    ("{", "after # refsvm stands '{'; a JSON object is needed"),
    ("[" * 99999, "a JSON object is needed"),
    ('{"labels":null}\n1 1:2', "the line # refsvm must be the last"),
])
def test_a_last_line_that_says_no_such_thing_is_refused(folder, line, sentence):
    path, _, _ = named_model(folder)
    head = path.read_text().rpartition("# refsvm")[0]
    (folder / "bad").write_text(f"{head}# refsvm {line}\n")
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_model(folder / "bad")


@pytest.mark.slow("a table of many columns that takes minutes")
def test_a_wide_table_is_read_in_a_time_like_its_width(tmp_path):
    path, width = tmp_path / "wide.csv", 16_000
    names = [f"c{k}" for k in range(width)]
    path.write_text(",".join([*names, "y"]) + "\n" + "1," * width + "2\n")
    begun = time.process_time()
    read_data(path, format="csv", header=True)
    read_data(path, format="csv", columns=TableColumns(names[::-1], width, "y", 1))
    assert time.process_time() - begun < 1.5  # it took five seconds
