"""Page 3: when the tokens are shuffled, are weights and outputs the same ones in another order?"""

import numpy as np
import streamlit as st

from core import check_permutation, permutation_causes
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.charts.dots import vectors
from dashboard.charts.grid import grid
from dashboard.charts.labels import label
from dashboard.charts.picture import Picture
from dashboard.heads import chosen_head, settings
from dashboard.link import View
from dashboard.long import order as long_order
from dashboard.session import current_view
from dashboard.words import emphasised


def draw(view: View) -> None:
    """All below the claim and its controls."""
    head = chosen_head(view)
    order = controls.order_of(view)
    check = check_permutation(head, view.tokens, order, **settings(view))
    causes = permutation_causes(head, view.tokens, order, **settings(view))
    active = controls.order_settings(view)
    old, new = check.before.query_tokens, check.after.query_tokens
    labels = [label(i, token) for i, token in enumerate(old)]
    labels_new = [labels[i] for i in order]  # every token keeps the number it had in A

    blocks.prose(words.shuffle_finding(check, causes, active), finding=True)
    first, second = st.columns(2)
    with first:
        blocks.sentence(old, title="Sentence A")
    with second:
        blocks.sentence(new, [i + 1 for i in order], title="Sentence B")

    blocks.small("Every token keeps the number of its position in A.")

    # The three checks

    blocks.html_table(
        "Three checks",
        ("What should be the same", "Verdict", "Largest gap", "Tolerance"),
        words.checks(check),
    )
    blocks.prose(*words.shuffle_meaning(check, causes, active))

    # The matrices

    drawn: dict[str, Picture] = {}
    panels = st.columns(3, gap="small")
    gap = check.restored_weights - check.before.weights
    matrices = {
        "A": (check.before.weights, labels, check.before.allowed),
        "B": (check.after.weights, labels_new, check.after.allowed),
        "B put back into A’s order": (check.restored_weights, labels, check.restored_allowed),
    }
    for i, (title, (numbers, names, allowed)) in enumerate(matrices.items()):
        with panels[i]:
            blocks.panel_title(title)
            drawn[title] = grid(
                numbers,
                names,
                names,
                kind="weights",
                allowed=allowed,
                labels_end=20.0,
                alt_text=f"{title}: attention weights of {len(old)} rows, from 0 to 1.",
            )
            blocks.show(drawn[title], key=f"matrix_{i}")

    left, right = st.columns(2, gap="large")
    with left:
        blocks.section("The gap between A and B put back", words.gap_finding(check))
        drawn["Gap"] = grid(
            gap, labels, labels, kind="difference", alt_text=words.gap_finding(check)
        )
        blocks.show(drawn["Gap"], key="gap")
    with right:
        blocks.section("The pooled output: the sum over positions", words.pooled_finding(check))
        drawn["Pooled outputs"] = vectors(
            {"A": check.pooled_before, "B": check.pooled_after},
            head.feature_names,
            largest=float(np.abs([check.pooled_before, check.pooled_after]).max(initial=0)),
            alt_text=words.pooled_finding(check),
        )
        blocks.show(drawn["Pooled outputs"], key="pooled")
    blocks.small(words.unknown(head, old, emphasised))

    blocks.numbers_and_files(
        "order",
        controls.share_link(view, "order"),
        lambda: drawn,
        {
            "Weights of A": Numbers(check.before.weights, labels, labels),
            "Weights of B": Numbers(check.after.weights, labels_new, labels_new),
            "B put back into A’s order": Numbers(check.restored_weights, labels, labels),
            "B put back − A": Numbers(gap, labels, labels),
            "Outputs of A": Numbers(check.before.outputs, labels, head.feature_names),
            "Outputs of B put back": Numbers(check.restored_outputs, labels, head.feature_names),
            "Pooled outputs": Numbers(
                np.array([check.pooled_before, check.pooled_after]), ["A", "B"], head.feature_names
            ),
        },
    )


# Claim and controls

view = current_view()
st.title("Shuffle the tokens", anchor=False)
controls.pick_order(view)
follow.place(long_order.draw if view.is_long else draw)
