"""The report of an audit: what was asked, what was found, why it matters, and how to see it again.

    causes       the verdict: which bugs explain the failures, and what users see of each
    coverage     how much could be asked, by groups of cases, and which answers came late
    examples     the smallest cases that fail, with the subject's numbers and the right ones
    paste        lines for a shell that show a failure again, with the subject alone
    contents     all of it, as a list of blocks, in the order in which it is told
    formats      the records as JSON, the blocks as a page of HTML

The head of a report answers in a minute; what follows is there to be looked up.
"""

from .contents import AuditReport, Facts
from .formats import html

__all__ = ["Facts", "AuditReport", "html"]
