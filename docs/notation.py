"""From the notation of code to that of the course: 1/2 |w|^2 + C sum xi_i becomes ½‖w‖² + C Σ ξᵢ.

What is changed is certain: names of Greek letters, indices and powers for which there are small
letters, comparisons, roots, inner products of vectors, lengths of w, u, v and of rows, and sums of
letters. Everything else stays, and so does what stands in quotation marks or between backquotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "lambda": "λ", "lam": "λ", "mu": "μ", "xi": "ξ", "rho": "ρ", "sigma": "σ",
    "phi": "φ",
}  # fmt: skip
LOW = dict(zip("ijklmnprstuv0123456789", "ᵢⱼₖₗₘₙₚᵣₛₜᵤᵥ₀₁₂₃₄₅₆₇₈₉"))
HIGH = dict(zip("23456789kmnt", "²³⁴⁵⁶⁷⁸⁹ᵏᵐⁿᵗ"))
IMAGE = r"φ\([xz]ᵢ?\)"
VECTOR = rf"(?:[wuvxzgθ]\*?[ᵢⱼₖₛₜ]?(?:₊₁)?|{IMAGE})"
LONG = r"[wuvθ]\*?[ₛₜ]?(?:₊₁)?|gₜ|x[ᵢₛₜ]|[xgf](?=\|[²⁴])|x - z|φ\(x\) - φ\(z\)"
Rule = tuple[str, Callable[[re.Match[str]], str]]
RULES: list[Rule] = [
    (rf"\b({'|'.join(GREEK)})(?=\b|_)(?!-)", lambda m: GREEK[m[1]]),
    (r"\bsum_([ijk]{1,2})\b", lambda m: "Σ" + small(m[1], LOW)),
    (r"(?<=[A-Za-zα-ω])_[{(]?t\+1[})]?", lambda m: "ₜ₊₁"),
    (
        r"(?<![A-Za-z])([A-Za-zα-ω])_([ijklmnprstuv0-9]{1,2})\b",
        lambda m: m[1] + small(m[2], LOW),
    ),
    (r"\^([2-9kmnt])(?![\w(]|\.\d)", lambda m: HIGH[m[1]]),
    (r"<=", lambda m: "≤"),
    (r">=", lambda m: "≥"),
    (r"!=", lambda m: "≠"),
    (r"\bsqrt(?=\()", lambda m: "√"),
    (r"<([\w().]+, [\w().]+)>", lambda m: f"⟨{m[1]}⟩"),
    (rf"\b({VECTOR})[.']({VECTOR})(?![\w(])", lambda m: f"⟨{m[1]}, {m[2]}⟩"),
    (r"(\bgrad f\(x\)|\b[gw])\.\(([^()]*)\)", lambda m: f"⟨{m[1]}, {m[2]}⟩"),
    (rf"\|({LONG})\|", lambda m: f"‖{m[1]}‖"),
    (r"\bsum (?=[α-ω]|\w[ᵢⱼₖₛₜ]|max\(|sum |\([A-Z] )", lambda m: "Σ "),
    (r"\bsum (?=Σ)", lambda m: "Σ "),
    (r"\b1/2 (?=‖)", lambda m: "½"),
    (r"\b1/2 (?=⟨|Σ|[xA]\b)", lambda m: "½ "),
    (r"(?<=[\w)⟩‖²*]) - (?=[\w(Σ½⟨‖|])", lambda m: " − "),
    (r"(?<![\w)⟩]-)(?<=[( ,=])-(?=[\w⟨(])", lambda m: "−"),
]
KEPT = re.compile(r'("[^"]*"|`[^`]*`)')


def small(text: str, letters: dict[str, str]) -> str:
    """Return a text in small letters."""
    return "".join(letters[c] for c in text)


def in_letters(text: str) -> str:
    """Return a text with formulas as the course writes them."""
    pieces = KEPT.split(text)
    for pattern, changed in RULES:
        pieces[::2] = (re.sub(pattern, changed, piece) for piece in pieces[::2])
    return "".join(pieces)
