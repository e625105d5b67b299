"""Tokens are named so that each is meant alone, and stay literal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import (
    LessonHead,
    compare,
    travel,
)
from dashboard import words
from dashboard.words import emphasised, plain
from tests.words.reads import SENTENCE


def test_repeated_tokens_are_named_with_their_position_and_others_are_not():
    assert [words.name(SENTENCE, i) for i in range(6)] == [
        "“the” (1)",
        "“cat”",
        "“sat”",
        "“on”",
        "“the” (5)",
        "“mat”",
    ]


@given(tokens=st.lists(st.sampled_from(["a", "b", "<c>", " "]), min_size=1, max_size=8))
@pytest.mark.parametrize("mark", [plain, emphasised])
def test_the_names_of_a_sentence_all_differ(tokens, mark):
    assert len({words.name(tokens, i, mark) for i in range(len(tokens))}) == len(tokens)


@given(token=st.text(st.characters(), max_size=20))
def test_an_emphasised_token_is_escaped(token):
    marked = emphasised(token)
    inside = marked.removeprefix("<em><bdi>").removesuffix("</bdi></em>")
    assert not re.search(r"[<>\"']", inside)
    assert not re.search("&(?!amp;|lt;|gt;|quot;|#x27;)", inside)


def test_a_plain_token_is_left_to_a_reader_that_renders_nothing():
    assert plain("<b>&") == "“<b>&”"
    assert plain("") == "“⟨empty⟩”"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ],
)
def test_names_are_joined_and_cut(names, told):
    assert words.several(names) == told


HOSTILE = ["<b>x</b>", "</script>", "&amp;", '"q"', "it's"]


PARTNER = ["<b>y</b>", *HOSTILE[1:]]


def test_every_sentence_escapes_its_tokens():
    head = LessonHead()
    attention, other = head.attend(HOSTILE), head.attend(PARTNER)
    comparison = compare(attention, other)
    paths = travel(attention.scores, [0.0, 16.0])
    told = [
        words.unknown(head, HOSTILE, emphasised),
        words.travelling(attention, paths, 0, emphasised),
        words.moved_rows(comparison, 0.01, emphasised),
        words.hands(comparison, emphasised),
        words.not_one_token("<b> </b>", 5, emphasised),
    ]
    for row in range(5):
        told.append(words.reads(attention, row, emphasised))
        told.append(words.between(attention, row, emphasised))
        told.append(words.row_hands(comparison, row, emphasised))
    for text in told:
        bare = re.sub(r"</?(em|bdi)>", "", text)
        assert "<" not in bare
        assert ">" not in bare
