"""Ground truth for support vector machines, and what asks a program whether it agrees.

Each folder imports only from itself and from those above it:

    protocol    what is asked and what is answered; a case; when an exception is a refusal
    truth       the exact optimum of a case, and how far an answer may be from it
    cases       the problems that are asked, of all six machines
    wrong       how SVMs go wrong: a catalogue of bugs, each a change of a right machine
    subjects    what can be audited: a class, a function, a program, a file
    asking      a subject in a process of its own, answers by their deadlines
    checks      G1 to G9: what is right in an answer
    naming      which bug of the catalogue explains a wrong answer
    policies    what estimators alone are asked: labels, votes, weights, state
    what_is_asked.py     every case, check and policy, from top to bottom
    judging.py, auditor.py, audit.py      one case, every case, the whole run
    report      the records in words
    bits        answers to the last bit: what is asked of another implementation, line by line
    fingerprint.py, strategies.py, pytest_items.py      other doors to the same
"""
