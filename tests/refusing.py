"""Tables of what is refused: the sentence, the function, and what it is given, a row each.

    test_bad_numbers_are_refused = refusals(
        value_error("C is 0; it must be positive", Problem, ROWS, LABELS, C=0),
        type_error("..; a number is needed", Gaussian, "scale"),
    )

A sentence is the whole one; ".." stands for what may be before or after it. Beside the sentence it
is seen that nothing given was changed.
"""

import pytest


def refusals(*rows):
    """The test that asks each row."""
    @pytest.mark.parametrize("error, sentence, call, given, named", rows,
                             ids=[sentence for _, sentence, *_ in rows])
    def test(error, sentence, call, given, named):
        before = repr((given, named))
        with pytest.raises(error) as refused:
            call(*given, **named)
        assert is_said(sentence, str(refused.value)), str(refused.value)
        assert repr((given, named)) == before

    return test


def is_said(sentence, told):
    """Whether the text is the sentence, or has it where there are dots."""
    begins, ends = not sentence.startswith(".."), not sentence.endswith("..")
    words = sentence[0 if begins else 2:len(sentence) if ends else -2]
    return words in told and (not begins or told.startswith(words)) and (
        not ends or told.endswith(words))


def value_error(sentence, call, *given, **named):
    return ValueError, sentence, call, given, named


def type_error(sentence, call, *given, **named):
    return TypeError, sentence, call, given, named
