"""Readers answer any text, or refuse it in a short sentence."""

from random import Random

import fuzz_readers
import pytest


def test_the_texts_to_be_changed_are_read(tmp_path):
    for read, texts in fuzz_readers.READERS.values():
        for text in texts:
            read(text, tmp_path / "whole")


def test_changed_texts_are_read_or_refused_in_a_sentence():
    assert list(fuzz_readers.fuzz(250, seed=1)) == []


@pytest.mark.slow("a text in thousands")
def test_many_changed_texts_are_read_or_refused_in_a_sentence():
    assert list(fuzz_readers.fuzz(5000, seed=2)) == []


@pytest.mark.parametrize("error, wrong", [
    (KeyError("k"), "KeyError: 'k'"), (ValueError("v" * 301), "a sentence of 301 characters"),
])
def test_what_is_no_refusal_is_found(monkeypatch, tmp_path, error, wrong):
    def read(content, path):
        raise error

    monkeypatch.setitem(fuzz_readers.READERS, "bad", (read, [b"text"]))
    assert fuzz_readers.tried("bad", 1, tmp_path / "f").startswith(wrong)


def test_most_changed_texts_differ_from_what_they_were():
    text = b"1 1:1\n-1 1:2\n" * 5
    assert sum(fuzz_readers.changed(Random(i), text) != text for i in range(100)) > 90  # exact


def test_a_long_path_is_shown_without_its_middle(tmp_path):
    path = tmp_path / ("a" * 200) / "some.libsvm"
    path.parent.mkdir()
    path.write_text("1 1:x")
    with pytest.raises(ValueError, match=r"\.\.\.a+/some.libsvm, line 1: in '1:x'") as refused:
        fuzz_readers.read_data(path)
    assert len(str(refused.value)) <= fuzz_readers.LONGEST
