"""The report of an audit: what was asked, what was found, why it matters, and how to see it again.

    facts        what the head says: versions, date, formulation, time
    groups       what each group of cases is for
    effects      what a user of a program with a bug would see
    examples     the smallest cases that fail, with the subject's numbers and the right ones
    paste        lines for a shell that show a failure again, with the subject alone
    contents     all of it, as a list of blocks, in the order in which it is told
    tables       of bugs, of failures, of cases; blocks holds what all is made of
    as_text, as_markdown, as_html     three ways to spell the blocks
    stored       the records as JSON, and what is new against an earlier report

The head of a report answers in a minute; what follows is there to be looked up.
"""

from .as_html import html
from .as_markdown import markdown
from .facts import AuditReport, Facts

__all__ = ["Facts", "AuditReport", "html", "markdown"]
