"""Sentences are computed from the numbers, name positions, and keep tokens literal."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import (
    Attention,
    LessonHead,
    RandomHead,
    attend,
    check_permutation,
    compare,
    copy_blend,
    permutation_causes,
    travel,
)
from dashboard import kinds, words
from dashboard.words import emphasised, plain
from dashboard.words import long as long_words

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]
DOG = ["the", "dog", *SENTENCE[2:]]


def read_of(*weights: float, allowed: list[bool] | None = None) -> Attention:
    """One row with the given weights, read by `a` from keys `a`, `b`, `c` …"""
    known = [w for w in weights if w > 0]
    keys = [[math.log(w)] if w > 0 else [min(map(math.log, known)) - 9] for w in weights]
    may = allowed or [w > 0 for w in weights]
    names = [chr(ord("a") + k) for k in range(len(weights))]
    return attend(
        [[1.0]],
        keys,
        np.eye(len(weights)),
        allowed=[may],
        query_tokens=["q"],
        key_tokens=names,
    )


# What a row is.


@pytest.mark.parametrize(
    ("attention", "kind", "sentence"),
    [
        (
            read_of(0.97, 0.01, 0.01, 0.01),
            "copy",
            "“q” reads 97 % from “a”: nearly a copy, 1.2 of 4 positions’ worth.",
        ),
        (
            read_of(0.25, 0.75),
            "between",
            "“q” reads 75 % from “b”: between copy and blend, 1.8 of 2 positions’ worth.",
        ),
        (
            read_of(0.3, 0.3, 0.2, 0.2),
            "blend",
            "“q” reads 30 % each from “a” and “b”: a blend, 3.9 of 4 positions’ worth.",
        ),
        (
            read_of(0.4, 0.3, 0.3),
            "blend",
            "“q” reads 40 % from “a”: a blend, 3.0 of 3 positions’ worth.",
        ),
        (
            read_of(0.25, 0.25, 0.25, 0.25),
            "blend",
            "“q” reads all 4 positions alike, 25 % each: a blend, 4.0 of 4 positions’ worth.",
        ),
        (
            read_of(1.0, allowed=[True]),
            "forced",
            "“q” reads 100 % from “a”: forced, the only key it may use.",
        ),
    ],
)
def test_a_row_is_told_by_its_kind(attention, kind, sentence):
    assert kinds.kind(attention, 0) == kind
    assert words.reads(attention, 0) == sentence


def test_a_row_without_keys_says_so_in_every_sentence():
    attention = attend(
        [[1.0]], [[1.0], [2.0]], [[1.0], [2.0]], allowed=[[False, False]], query_tokens=["q"]
    )
    assert kinds.kind(attention, 0) == "no keys allowed"
    told = [words.reads(attention, 0), words.between(attention, 0), words.parts_name(attention, 0)]
    assert told[0] == "“q” may read nothing: no keys allowed, so its output is 0."
    assert told[1].startswith("No key is allowed")
    assert told[2].endswith("nothing.")
    assert not any("nan" in text.lower() for text in told)


def test_a_copy_is_exact_only_at_weight_1():
    attention = LessonHead().attend(SENTENCE, sharpness=math.inf)
    on = words.reads(attention, 3)
    assert on == "“on” reads 100 % from “mat”: a copy, 1.0 of 6 positions’ worth."
    nearly = words.reads(LessonHead().attend(SENTENCE, sharpness=3), 3)
    assert "more than 99 % from “mat”: nearly a copy" in nearly


def test_two_equal_tokens_tie_and_never_copy():
    attention = RandomHead(0).attend(["x", "y", "x"], sharpness=math.inf)
    found = {kinds.kind(attention, row) for row in range(3)}
    assert found <= {"tie", "copy"}
    for row in range(3):
        if attention.weights[row].max() < 1:
            assert kinds.kind(attention, row) == "tie"
            assert "50 % each from “x” (1) and “x” (3): a tie" in words.reads(attention, row)


scores = st.lists(st.floats(-8, 8), min_size=3, max_size=3)


@given(rows=st.lists(scores, min_size=1, max_size=4), sharpness=st.sampled_from([0.0, 1.0, 4.0]))
def test_the_sentence_tells_the_numbers_of_its_row(rows, sharpness):
    attention = attend(np.array(rows) * math.sqrt(3), np.eye(3), np.eye(3), sharpness=sharpness)
    for row, weights in enumerate(attention.weights):
        told = words.reads(attention, row)
        share = re.search(r"(\d+) %", told)
        assert abs(int(share[1]) - 100 * weights.max()) <= 1 + 1e-9
        worth = float(re.search(r"([\d.]+) of 3 positions", told)[1])
        nats = -sum(w * math.log(w) for w in weights if w > 0)
        assert worth == pytest.approx(math.exp(nats), abs=0.0501)
        for key in np.flatnonzero(weights == weights.max()):
            assert "all 3" in told or f"“{key + 1}”" in told


def test_the_sentence_changes_when_the_numbers_change():
    told = {words.reads(LessonHead().attend(SENTENCE, sharpness=s), 2) for s in (0, 0.5, 1, 2)}
    assert len(told) == 4


# Who is meant.


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


# An edit.


@pytest.fixture
def edit():
    head = LessonHead()
    return compare(head.attend(SENTENCE), head.attend(DOG))


def test_the_lesson_of_the_edit(edit):
    assert words.moved_rows(edit, 0.01) == (
        "The rows of “dog”, “sat” and “mat” move; “the” (1), “on” and “the” (5) stay fixed."
    )


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.05, 0.1, 1.0])
def test_the_rows_that_are_said_to_move_are_those_over_the_tolerance(edit, tolerance):
    shift = np.abs(edit.after.weights - edit.before.weights).sum(axis=1) / 2
    names = [words.name(DOG, i) for i in range(6)]
    moved = [name for name, size in zip(names, shift, strict=True) if size > tolerance]
    told = words.moved_rows(edit, tolerance)
    if moved:
        assert told.split(";")[0] == (
            f"The row{'' if len(moved) == 1 else 's'} of {words.several(moved, 6)} "
            f"move{'s' if len(moved) == 1 else ''}"
        )
    else:
        assert told == f"No row of the matrix moved by more than {tolerance:g}."


def test_an_edit_to_the_same_token_moves_nothing():
    head = LessonHead()
    same = compare(head.attend(SENTENCE), head.attend(SENTENCE))
    assert words.moved_rows(same, 0.0) == "No row of the matrix moved."
    assert words.hands(same) == "No output moved."
    assert words.row_hands(same, 1) == "The output at “cat” did not move."
    assert {words.because(reason) for reason in same.reasons} == {"no token was edited"}


def test_every_row_says_why_it_moved_or_stayed(edit):
    told = [words.because(reason) for reason in edit.reasons]
    old, new = edit.before.weights[:, 1], edit.after.weights[:, 1]
    change = [f"from {a:.3f} to {b:.3f}" for a, b in zip(old, new, strict=True)]
    assert told == [
        "scores the new token as it scored the old one",
        f"new query; weight on itself {change[1]}",
        f"reads the edited token more, {change[2]}",
        "scores the new token as it scored the old one",
        "scores the new token as it scored the old one",
        f"reads the edited token more, {change[5]}",
    ]


def test_a_masked_row_says_that_it_may_not_read_the_edited_token():
    head = LessonHead()
    edit = compare(head.attend(SENTENCE, causal=True), head.attend(DOG, causal=True))
    assert words.because(edit.reasons[0]) == "may not read the edited token"


def test_the_hands_tell_the_lengths_of_the_moves(edit):
    moved = edit.after.weights @ edit.after.values - edit.before.weights @ edit.before.values
    fixed = edit.before.weights @ (edit.after.values - edit.before.values)
    most = int(np.linalg.norm(moved, axis=1).argmax())
    assert words.hands(edit) == (
        f"The output at {words.name(DOG, most)} moved most, by {np.linalg.norm(moved[most]):.3f}; "
        "a fixed mixer, which keeps the first matrix, would have moved it by "
        f"{np.linalg.norm(fixed[most]):.3f}."
    )


@pytest.mark.parametrize(
    ("text", "makes", "total"), [("", "nothing makes 0", 5), ("hot dog", "“hot␣dog” makes 2", 7)]
)
def test_a_replacement_that_is_not_one_token_is_refused_with_the_lengths(text, makes, total):
    told = words.not_one_token(text, 6)
    assert makes in told
    assert f"would have {total} tokens instead of 6" in told


@pytest.mark.parametrize("text", ["dog", " dog ", "\tdog\n"])
def test_blanks_around_a_replacement_do_no_harm(text):
    assert words.not_one_token(text, 6) == ""


def test_unknown_words_are_named_once():
    assert words.unknown(LessonHead(), SENTENCE) == ""
    told = words.unknown(LessonHead(), ["zyzzyva", "cat", "zyzzyva"])
    assert told.count("zyzzyva") == 1
    assert "a vector of its own" in told
    assert words.unknown(RandomHead(0), ["zyzzyva"]) == ""


# An order.


def checked(order, **settings):
    check = check_permutation(LessonHead(), SENTENCE, order, **settings)
    return check, permutation_causes(LessonHead(), SENTENCE, order, **settings)


REVERSED = (5, 4, 3, 2, 1, 0)


def test_a_layer_without_positions_does_not_see_the_order():
    check, causes = checked(REVERSED)
    assert words.shuffle_finding(check, causes) == (
        "Same weights, same outputs, in another order: this layer does not see the order."
    )
    assert [line[1] for line in words.checks(check)] == ["holds"] * 3
    assert "until positions or a mask are added" in words.shuffle_meaning(check, causes)[0]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"positions": "sinusoidal"}, ["the position vectors"]),
        ({"causal": True}, ["the causal mask"]),
        (
            {"positions": "sinusoidal", "causal": True},
            ["the position vectors", "the causal mask"],
        ),
    ],
)
def test_what_breaks_the_checks_is_named(settings, named):
    check, causes = checked(REVERSED, **settings)
    finding = words.shuffle_finding(check, causes)
    assert finding == f"The order shows: {' and '.join(named)} told the two sentences apart."
    assert [line[1] for line in words.checks(check)] == ["does not hold"] * 3
    meaning = words.shuffle_meaning(check, causes)[0].lower()
    assert all(name in meaning for name in named)
    assert ("each of the two alone is enough" in meaning) == (len(named) == 2)


@pytest.mark.parametrize(
    ("order", "words_found"),
    [
        ((0, 1, 2, 3, 4, 5), "This is the order as it was"),
        ((4, 1, 2, 3, 0, 5), "Only equal tokens"),
    ],
)
def test_an_order_that_changes_nothing_is_said_to_prove_nothing(order, words_found):
    check, causes = checked(order)
    finding = words.shuffle_finding(check, causes)
    assert finding.startswith(words_found)
    assert "proves nothing" in finding
    assert words.shuffle_meaning(check, causes) == []


def test_the_residuals_are_told_as_they_are():
    check, _ = checked(REVERSED, causal=True)
    told = [float(line[2].replace("−", "-")) for line in words.checks(check)]
    expected = [check.weights_residual, check.outputs_residual, check.pooled_residual]
    assert told == pytest.approx(expected, abs=5.1e-4)
    assert words.gap_finding(check).endswith("far above rounding.")
    assert "different sums" in words.pooled_finding(check)


@given(value=st.floats(1e-300, 1e3))
def test_a_residual_is_never_told_as_0(value):
    told = float(words.scientific(value).replace("−", "-"))
    assert told == pytest.approx(value, rel=0.06)


# Names of pictures, for who does not see them.


def test_the_first_picture_is_named_by_its_copies_and_blends():
    told = words.spread_name(LessonHead().attend(SENTENCE))
    plurals = {"Copies": "copy", "Ties": "tie", "Blends": "blend"}
    attention = LessonHead().attend(SENTENCE)
    for title, kind in plurals.items():
        rows = [words.name(SENTENCE, r) for r in range(6) if kinds.kind(attention, r) == kind]
        assert (f"{title}: {words.several(rows, 4)}" in told) == bool(rows)
    assert told.startswith("Attention weights of 6 rows")


def test_the_journey_names_who_arrives_and_who_stays():
    attention = LessonHead().attend(SENTENCE)
    paths = travel(attention.scores, [0.0, 1.0, 16.0])
    told = words.travelling(attention, paths, 0)
    assert (
        "“the” (1) and “the” (5) score all keys alike and stay a blend at every sharpness" in told
    )
    copies = [words.name(SENTENCE, r) for r in range(6) if paths[-1, r] < 0.25]
    assert f"At 16, {words.several(copies, 6)} " in told


@pytest.mark.parametrize(("others", "sharpness"), [(40, 2.0), (1000, 2.0)])
def test_two_keys_that_share_a_row_are_no_copy_however_long_the_sentence(others, sharpness):
    read = LessonHead().attend(["on", "mat", "chair"] + ["the"] * others, sharpness=sharpness)
    assert copy_blend(read.weights, read.allowed)[0] < kinds.COPY_BELOW
    assert kinds.kind(read, 0) == "between"
    assert "copy," not in words.reads(read, 0)


def test_a_long_picture_counts_no_tie_as_a_copy():
    read = LessonHead().attend_long(["on", "mat", "mat"] + ["the"] * 63, sharpness=math.inf)
    short = LessonHead().attend(["on", "mat", "mat"] + ["the"] * 63, sharpness=math.inf)
    copies = sum(kinds.kind(short, row) == "copy" for row in range(66))
    told = long_words.rows_found(read.overview(64).spread)
    assert f"Of 66 rows, {copies} lie near a copy" in told
    assert kinds.kind(short, 0) == "tie"


def test_outputs_that_moved_alike_are_not_told_apart():
    head = LessonHead()
    before = head.attend(["the", "cat", "sat", "on", "the", "mat"], sharpness=0)
    after = head.attend(["the", "dog", "sat", "on", "the", "mat"], sharpness=0)
    assert words.hands(compare(before, after)).startswith("All 6 outputs moved alike, by 0.067;")


def test_a_window_of_no_weight_names_no_largest():
    told = long_words.window_name(["the"] * 100, np.zeros((48, 48)), 0, 52)
    assert told == "Weights of rows 1 to 48 on columns 53 to 100. All of them are 0."


def test_a_tie_is_told_as_one_at_every_sharpness():
    for sharpness in (16.0, math.inf):
        read = LessonHead().attend(["on", "bed", "house", "tree"], sharpness=sharpness)
        said = words.reads(read, 0)
        assert said.startswith("“on” reads 33 % each from “bed”, “house” and “tree”"), said


@pytest.mark.parametrize(("n", "told"), [(6, False), (16, False), (17, True), (64, True)])
def test_that_labels_may_be_left_out_is_said_where_columns_can_be_too_narrow(n, told):
    read = LessonHead().attend([f"w{i}" for i in range(n)])
    for legend in (words.legend(read), words.edit_legend(read), words.thinned(n)):
        assert ("labels stand at even steps" in legend) == told


def test_one_row_and_one_token_are_told_as_one():
    assert words.weights_name(1) == "attention weights of 1 row, from 0 to 1."
    assert words.weights_name(2048) == "attention weights of 2,048 rows, from 0 to 1."
    assert "would have 1 token instead of 2," in words.not_one_token("", 2)
    assert "would have 3 tokens instead of 2," in words.not_one_token("hot dog", 2)
