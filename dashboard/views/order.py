"""Page 3: when the tokens are shuffled, are weights and outputs the same ones in another order?"""

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from core import (
    LongPermutationCheck,
    PermutationCheck,
    check_permutation,
    inverse_order,
    long_permutation_causes,
    permutation_causes,
)
from core.door import FloatArray
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.charts.labels import labels_of
from dashboard.charts.live_grid import given_difference, live_weights
from dashboard.charts.picture import Picture
from dashboard.heads import chosen_head, settings
from dashboard.link import View
from dashboard.long import order as long_order
from dashboard.outputs import numbers_and_files, pooled_picture, show_pooled
from dashboard.session import current_view, kept
from dashboard.words import emphasised


def checked_short(view: View) -> PermutationCheck:
    """The sentence read as it is and in the new order, every cell of it."""
    order = controls.order_of(view)
    return kept(
        "check",
        view,
        lambda: check_permutation(chosen_head(view), view.tokens, order, **settings(view)),
    )


def checked(view: View) -> PermutationCheck | LongPermutationCheck:
    """The sentence read as it is and in the new order, whatever its length."""
    return long_order.checked(view) if view.is_long else checked_short(view)


def causes_of(view: View) -> tuple[str, ...]:
    """Which settings told the two sentences apart."""
    head, check = chosen_head(view), checked(view)

    def find() -> tuple[str, ...]:
        if isinstance(check, LongPermutationCheck):
            return long_permutation_causes(head, check, **settings(view))
        return permutation_causes(head, view.tokens, check.order, **settings(view))

    return kept("causes", view, find)


def show_sentences(tokens: Sequence[str], order: Sequence[int]) -> None:
    """The two sentences, numbered."""
    first, second = st.columns(2)
    with first:
        blocks.sentence(tokens, title="Sentence A")
    with second:
        blocks.sentence([tokens[i] for i in order], [i + 1 for i in order], title="Sentence B")
    blocks.small("Every token keeps the number of its position in A.")


def claim(view: View) -> None:
    """Whether the order shows: in a sentence, by three checks, and in the names of the matrices."""
    check, causes, active = checked(view), causes_of(view), controls.order_settings(view)
    for i, name in enumerate(words.ordered_names(check).values()):
        blocks.picture_names()[f"matrix_{i}"] = name
    blocks.html_table(
        "Three checks",
        ("What should be the same", "Verdict", "Largest gap", "Tolerance"),
        words.checks(check),
        above=words.shuffle_finding(check, causes, active),
        below=words.shuffle_meaning(check, causes, active),
    )


def matrices(view: View, check: PermutationCheck) -> dict[str, Picture]:
    """The matrices of A, of B, and of B put back."""
    labels = labels_of(check.before.query_tokens)
    back = np.ix_(*[np.array(inverse_order(check.order), dtype=np.intp)] * 2)
    before, after = check.before, check.after
    reads = (
        (before.scores, before.allowed, labels),
        # Every token keeps the number it had in A.
        (after.scores, after.allowed, [labels[i] for i in check.order]),
        (after.scores[back], check.restored_allowed, labels),
    )
    return {
        title: live_weights(
            *read,
            sharpness=math.inf if view.hard else view.sharpness,
            labels_end=20.0,
            alt_text=name,
        )
        for (title, name), read in zip(words.ordered_names(check).items(), reads, strict=True)
    }


def show_matrices(view: View) -> None:
    """The three matrices side by side; each moves with the sharpness by itself."""
    panels = st.columns(3, gap="small")
    for i, (title, picture) in enumerate(matrices(view, checked_short(view)).items()):
        with panels[i]:
            blocks.panel_title(title)
            blocks.show(picture, key=f"matrix_{i}")


def gap_of(check: PermutationCheck) -> FloatArray:
    """B put back, less A."""
    return check.restored_weights - check.before.weights


def gap_picture(view: View) -> Picture:
    """The gap between A and B put back."""
    check = checked_short(view)
    labels = labels_of(check.before.query_tokens)
    return given_difference(gap_of(check), labels, alt_text=words.gap_finding(check))


def show_gap(view: View) -> None:
    """The same, under its words."""
    blocks.section("The gap between A and B put back", words.gap_finding(checked_short(view)))
    blocks.show(gap_picture(view), key="gap")


def show_sums(view: View) -> None:
    """The pooled outputs of both."""
    show_pooled(checked_short(view), chosen_head(view).feature_names)


def show_details(view: View) -> None:
    """All below the matrices."""

    def follows(view: View) -> None:
        show_gap(view)
        show_sums(view)

    follow.place(follows, key=blocks.HALVES)
    unknown = words.unknown(chosen_head(view), view.tokens, emphasised)
    blocks.small(f"{unknown}{words.thinned(len(view.tokens))}")
    numbers_and_files("order", pictures, tables)


def pictures(view: View) -> dict[str, Picture]:
    """The pictures of the page."""
    check = checked_short(view)
    return {
        **matrices(view, check),
        "Gap": gap_picture(view),
        "Pooled outputs": pooled_picture(check, chosen_head(view).feature_names),
    }


def tables(view: View) -> dict[str, Numbers]:
    """The numbers of the page."""
    check, features = checked_short(view), chosen_head(view).feature_names
    labels = labels_of(check.before.query_tokens)
    labels_new = [labels[i] for i in check.order]
    return {
        "Weights of A": Numbers(check.before.weights, labels, labels),
        "Weights of B": Numbers(check.after.weights, labels_new, labels_new),
        "B put back into A’s order": Numbers(check.restored_weights, labels, labels),
        "B put back − A": Numbers(gap_of(check), labels, labels),
        "Outputs of A": Numbers(check.before.outputs, labels, features),
        "Outputs of B put back": Numbers(check.restored_outputs, labels, features),
        "Pooled outputs": Numbers(
            np.array([check.pooled_before, check.pooled_after]), ["A", "B"], features
        ),
    }


# Claim and controls

view = current_view()
st.title("Shuffle the tokens", anchor=False)
controls.pick_order(view)
show_sentences(view.tokens, controls.order_of(view))
follow.place(claim, home=True)
if view.is_long:
    long_order.show(view)
else:
    show_matrices(view)
    show_details(view)
