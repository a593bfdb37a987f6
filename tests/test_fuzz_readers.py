"""Readers answer any text, or refuse it in a short sentence."""


import fuzz_readers
import pytest


def test_changed_texts_are_read_or_refused_in_a_sentence():
    assert list(fuzz_readers.fuzz(250, seed=1)) == []


@pytest.mark.slow("a text in thousands")
def test_many_changed_texts_are_read_or_refused_in_a_sentence():
    assert list(fuzz_readers.fuzz(5000, seed=2)) == []


DIGITS = b"9" * 400
FIRST = {name: texts[0] for name, (_, texts) in fuzz_readers.READERS.items()}


@pytest.mark.parametrize("name, content", [
    ("scaling", b"x\n-1 1\n1 %s 1\n" % DIGITS[:200]),
    ("preparing", FIRST["preparing"].replace(b"18000", DIGITS)),
    ("question", FIRST["question"].replace(b"-4", DIGITS)),
    ("prepared", b",".join(b"a%d\xff" % k for k in range(300)) + b"\n" + b"1," * 299 + b"2\n"),
    ("compared", b'{"id":"exp 7 2/2","value":"0x1p+99999"}'),
    ("digested", b'{"alpha":["0x1p+99999"],"b":%s,"b_low":0,"b_high":0,"offsets":[1]}' % DIGITS),
    ("digested", b'{"b":1,"b_low":0,"b_high":0,"offsets":[1]}'),
    *(("stored", FIRST["stored"].replace(*change)) for change in [
        (b'"1/3"', b'"1/0"'), (b'"1/3"', b'"1e999999999"'), (b'"C02"', b'["C02"]'),
        (b'"the gap is 1/3"', b"null"), (b'"his"', b"[1]"), (b'"2026-01-02"', b"{}"),
    ]),
])
def test_what_was_found_once_is_read_or_refused_in_a_sentence(tmp_path, name, content):
    assert content not in fuzz_readers.READERS[name][1]
    assert fuzz_readers.wrong_with(name, content, tmp_path / "f") is None


def test_a_long_path_is_shown_without_its_middle(tmp_path):
    path = tmp_path / ("a" * 200) / "some.libsvm"
    path.parent.mkdir()
    path.write_text("1 1:x")
    with pytest.raises(ValueError, match=r"\.\.\.a+/some.libsvm, line 1: in '1:x'") as refused:
        fuzz_readers.read_data(path)
    assert len(str(refused.value)) <= fuzz_readers.LONGEST
