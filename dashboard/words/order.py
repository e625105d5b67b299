"""What a new order shows."""

from __future__ import annotations

from collections.abc import Sequence

from core import (
    LongPermutationCheck,
    PermutationCheck,
)
from dashboard.charts.labels import decimal
from dashboard.words.matrix import found, largest, weights_name

ORDERED = "A", "B", "B put back into A’s order"  # the titles of the matrices

CAUSES = {
    "positions": ("position vectors", "tell a token where it stands"),
    "causal": ("causal mask", "lets a token read only itself and what stands before it"),
}


def shuffle_finding(
    check: PermutationCheck | LongPermutationCheck,
    causes: Sequence[str],
    active: tuple[str, ...] = (),
) -> str:
    """What the shuffle shows, in one sentence; `active` are the settings that are on."""
    if check.identity:
        return "This is the order as it was, so everything is the same; it proves nothing."
    if check.trivial:
        return (
            "Only equal tokens changed places: the sentence is the same, and that proves nothing."
        )
    holds = (check.weights_hold, check.outputs_hold, check.pooled_hold)
    if all(holds):
        same = "Same weights, same outputs, in another order"
        if active:
            on = " and ".join(f"the {CAUSES[setting][0]}" for setting in active)
            return f"{same}: here {on} make{'s' if active == ('causal',) else ''} no difference."
        return f"{same}: this layer does not see the order."
    why = " and ".join(f"the {CAUSES[cause][0]}" for cause in causes) or "something in this head"
    return f"The order shows: {why} told the two sentences apart."


def checks(check: PermutationCheck | LongPermutationCheck) -> list[tuple[str, str, str, str]]:
    """The three checks as lines of a table: what, verdict, residual, tolerance."""
    lines = (
        ("The weights, put back in order", check.weights_hold, check.weights_residual),
        ("Each token’s output", check.outputs_hold, check.outputs_residual),
        ("The pooled output: the sum over positions", check.pooled_hold, check.pooled_residual),
    )
    return [
        (
            what,
            "holds" if hold else "does not hold",
            scientific(residual),
            scientific(check.tolerance),
        )
        for what, hold, residual in lines
    ]


def shuffle_meaning(
    check: PermutationCheck | LongPermutationCheck,
    causes: Sequence[str],
    active: tuple[str, ...] = (),
) -> list[str]:
    """What the verdicts mean for a task that depends on order."""
    holds = check.weights_hold and check.outputs_hold and check.pooled_hold
    if check.trivial:
        if holds:
            return []
        why = " and ".join(f"the {CAUSES[cause][0]}" for cause in causes) or "this head"
        return [f"What fails compares equal tokens in each other’s place: {why} told them apart."]
    if holds:
        until = "" if active else " until positions or a mask are added"
        return [
            "A readout that sums the outputs gives both sentences the same number. No task that "
            f"depends on who did what to whom can be solved from it{until}."
        ]
    cause = [f"The {CAUSES[name][0]} {CAUSES[name][1]}." for name in causes]
    cause += ["Each of the two alone is enough."] if len(causes) == 2 else []
    end = (
        "The pooled output differs, so a task that depends on order can be solved."
        if not check.pooled_hold
        else "The pooled output is still the same, so a summed readout cannot use the difference."
    )
    return [" ".join([*cause, end])]


def gap_finding(check: PermutationCheck | LongPermutationCheck) -> str:
    """The largest gap between the weights of A and those of B put back."""
    if check.weights_residual == 0:
        return "There is no gap: the two matrices are the same to the last bit."
    size = scientific(check.weights_residual)
    if check.weights_hold:
        return f"The largest gap is {size}: rounding, nothing else."
    return f"The largest gap is {size}, far above rounding."


def ordered_names(check: PermutationCheck | LongPermutationCheck) -> dict[str, str]:
    """Accessible names of the matrices of A, of B, and of B put back, by their titles."""
    weights = weights_name(len(check.before.query_tokens))
    if isinstance(check, LongPermutationCheck):
        told = largest(check.before_blocks)
    else:
        told = found(check.before)
    same = "the matrix of A" if check.weights_hold else "another than that of A"
    said = (f"{told}.", f"In the order of A it is {same}.", gap_finding(check))
    return {title: f"{title}: {weights} {one}" for title, one in zip(ORDERED, said, strict=True)}


def pooled_finding(check: PermutationCheck | LongPermutationCheck) -> str:
    """Whether the summed outputs agree."""
    size = scientific(check.pooled_residual)
    if check.pooled_hold:
        return f"A and B have the same sum; the largest gap is {size}."
    return f"A and B have different sums; the largest gap is {size}."


def scientific(value: float) -> str:
    """A residual: `0`, `2.2e−16`, `0.31`.

    Examples
    --------
    >>> scientific(0.0), scientific(2.2e-16), scientific(0.3141)
    ('0', '2.2e−16', '0.314')
    """
    if value == 0:
        return "0"
    return decimal(value) if value >= 0.001 else f"{value:.1e}".replace("-", "−")
