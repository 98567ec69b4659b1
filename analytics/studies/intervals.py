"""Intervals of 95 %, as expressions of SQL over counts and exact sums.

All are made of integers that were added up exactly, so that they do not depend on the
order in which threads met the rows.
"""

from __future__ import annotations

from typing import Final

Z: Final = 1.959963984540054  # the 97.5 % point of the standard normal distribution


def share(count: str, trials: str) -> str:
    """A share; null without trials.

    >>> share("n", "games")
    '(n / nullif(games, 0))'
    """
    return f"({count} / nullif({trials}, 0))"


def wilson(count: str, trials: str) -> tuple[str, str]:
    """Lower and upper end of Wilson's interval of a share; null without trials.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical
    inference, JASA 22 (1927): (p + z²/2n ∓ z √(p(1−p)/n + z²/4n²)) / (1 + z²/n).
    """
    n, p = f"nullif({trials}, 0)::DOUBLE", share(count, trials)
    middle = f"{p} + {Z**2 / 2!r} / {n}"
    spread = f"{Z!r} * sqrt({p} * (1 - {p}) / {n} + {Z**2 / 4!r} / ({n} * {n}))"
    whole = f"(1 + {Z**2!r} / {n})"
    # At counts of none and all the end is 0 or 1 in theory, and nearly so in arithmetic.
    low = f"if({count} = 0, 0.0 * {p}, ({middle} - {spread}) / {whole})"
    high = f"if({count} = {trials}, {p}, ({middle} + {spread}) / {whole})"
    return low, high


def deviation(total: str, squares: str, n: str) -> str:
    """The standard deviation of a sample by its sums; null with fewer than two.

    Args:
        total: the sum, an integer.
        squares: the sum of squares, an integer.
        n: how many.
    """
    mean = f"({total}::DOUBLE / {n})"
    return f"sqrt(greatest({squares}::DOUBLE - {total}::DOUBLE * {mean}, 0) / nullif({n} - 1, 0))"


def normal(total: str, squares: str, n: str) -> tuple[str, str]:
    """Lower and upper end of the normal interval of a mean; null with fewer than two.

    mean ∓ z·s/√n; good where there are some dozens and none of them outweighs the others.
    """
    mean = f"({total}::DOUBLE / nullif({n}, 0))"
    half = f"{Z!r} * {deviation(total, squares, n)} / sqrt({n})"
    return f"{mean} - {half}", f"{mean} + {half}"


def events(total: str, squares: str, n: str) -> tuple[str, str]:
    """Lower and upper end of the interval of a mean number of events; null without trials.

    The score interval of a Poisson mean whose variance is φ times the mean: the two λ with
    (m − λ)² = z² φ λ / n, where φ = s²/m, or 1 where no scatter can be seen. So it is never
    below 0, and nothing in n trials leaves room for something.

    Source: E. B. Wilson's argument for a Poisson mean; φ as in quasi-Poisson models
    (P. McCullagh and J. A. Nelder, Generalized Linear Models, 2nd ed. 1989, chapter 6).
    """
    mean = f"({total}::DOUBLE / nullif({n}, 0))"
    variance = f"({deviation(total, squares, n)} ** 2)"
    dispersion = f"coalesce(nullif({variance}, 0) / {mean}, 1)"
    half = f"({Z**2 / 2!r} * {dispersion} / nullif({n}, 0))"
    spread = f"sqrt({half} * {half} + {Z**2!r} * {dispersion} * {mean} / {n})"
    return f"{mean} + {half} - {spread}", f"{mean} + {half} + {spread}"


def ratio(part: str, whole: str, squares: tuple[str, str, str], n: str) -> tuple[str, str]:
    """Lower and upper end of the interval of a ratio of two sums; null with fewer than two.

    The normal interval by linearisation: with R = Σx/Σy the error is that of the mean of
    x − R·y over the mean of y.

    Args:
        part: Σx.
        whole: Σy, of the same n things.
        squares: Σx², Σxy and Σy².
        n: how many.

    Source: W. G. Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6.
    """
    xx, xy, yy = (f"{each}::DOUBLE" for each in squares)
    r = f"({part}::DOUBLE / nullif({whole}, 0))"
    scatter = f"greatest({xx} - 2 * {r} * {xy} + {r} * {r} * {yy}, 0) / nullif({n} - 1, 0)"
    half = f"{Z!r} * sqrt({n} * {scatter}) / nullif({whole}, 0)"
    return f"{r} - {half}", f"{r} + {half}"
