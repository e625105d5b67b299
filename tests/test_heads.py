"""A head that remembers its scores: it reads as the head itself does, and works them out once."""

import numpy as np
import pytest

from core import LessonHead, RandomHead
from core.heads import ProjectedHead
from dashboard.heads import chosen_head
from dashboard.link import SHORT, View

TOKENS = ["the", "cat", "sat", "on", "the", "zyzzyva"]


@pytest.mark.parametrize("settings", [{}, {"causal": True}, {"positions": "sinusoidal"}])
@pytest.mark.parametrize("sharpness", [0.0, 2.5, np.inf])
@pytest.mark.parametrize(
    ("view", "head"),
    [(View(seed=3), LessonHead()), (View(head="random", seed=3), RandomHead(3))],
    ids=["lesson", "random"],
)
def test_it_reads_as_the_head_itself_does(view, head, sharpness, settings):
    found = chosen_head(view).attend(TOKENS, sharpness=sharpness, **settings)
    expected = head.attend(TOKENS, sharpness=sharpness, **settings)
    for name in ("scores", "weights", "values", "outputs", "allowed"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize(("n", "times"), [(SHORT, 1), (SHORT + 1, 3)])
def test_scores_of_a_short_sentence_alone_are_worked_out_once(monkeypatch, n, times):
    reads = []
    attend = ProjectedHead.attend

    def counted(self, tokens, **settings):
        reads.append(len(tokens))
        return attend(self, tokens, **settings)

    monkeypatch.setattr(ProjectedHead, "attend", counted)
    tokens = [f"once {n} {i}" for i in range(n)]
    for sharpness in (1.0, 2.0, 3.0):
        chosen_head(View()).attend(tokens, sharpness=sharpness)
    assert len(reads) == times
