"""What a link asks for and cannot have is named, with what takes its place."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.link import (
    MAX_CHARACTERS,
    REPLACED,
    Note,
    UnusableError,
    View,
    read_link,
    read_order,
)
from tests.link.links import (
    LONG,
    NAMES,
    OFF,
    share_value,
)

NOT_A_NUMBER = ["", " ", "nan", "inf", "-inf", "-1", "99999", "1e400", "abc", "1 2", "0x1", "1_0"]
NOT_A_NUMBER += ["١", "１", "+1", "--", ".", "1,5", "\x00", "1\n"]

BAD = {
    "head": ["", "Lesson", "LESSON", "lesson ", "dark"],
    "seed": [*NOT_A_NUMBER, "10000", "1.0", "1e2", "2.5"],
    "sharpness": [*NOT_A_NUMBER, "16.1", "99", "1e2"],
    "hard": ["", "True", "1", "yes", "maybe", "nan"],
    "causal": ["", "TRUE", "0", "no", "false "],
    "positions": ["", "None", "cosine", "sinusoidal,none"],
    "row": [*NOT_A_NUMBER, "0", "7", "99", "1.0"],
    "at": [*NOT_A_NUMBER, "0", "7", "99", "2.0"],
    "tolerance": [*NOT_A_NUMBER, "1.01", "2", "99"],
    "pool": ["", "Max", "largest", "median"],
    "window": ["", "1", "1-1", "1-2-3", "0-1", "a-b"],
    "order": ["", "1-2-3", "1-1-3-4-5-6", "0-1-2-3-4-5", "7-6-5-4-3-2", "a-b", "nan", "1e400"],
    "text": ["x" * (MAX_CHARACTERS + 1), "x" * 600_000],
    "to": ["x" * (MAX_CHARACTERS + 1), "x" * 600_000],
}

REASONS = {
    "head": "must be lesson or random",
    "seed": "must be a whole number from 0 to 9999",
    "sharpness": "must be a number from 0 to 16",
    "hard": "must be true or false",
    "causal": "must be true or false",
    "positions": "must be none or sinusoidal",
    "row": "must be a whole number from 1 to 6",
    "at": "must be a whole number from 1 to 6",
    "tolerance": "must be a number from 0 to 1",
    "order": "must ",
    "pool": "must be max or mean",
    "window": "must go with more than 64 tokens",
    "text": "must have at most 20,000 characters, and has ",
    "to": "must have at most 20,000 characters, and has ",
}

USED = {
    "text": "the cat sat on the mat",
    "head": "lesson",
    "seed": "0",
    "sharpness": "1",
    "hard": "false",
    "causal": "false",
    "positions": "none",
    "row": "6",
    "at": "2",
    "to": "dog",
    "tolerance": "0.01",
    "order": "6-5-4-3-2-1",
    "pool": "max",
    "window": "",
}


def test_every_parameter_has_bad_values_here():
    assert set(BAD) == set(REASONS) == set(USED) == set(NAMES)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        pytest.param(name, raw, id=f"{name}={raw[:20]!a}")
        for name, raws in BAD.items()
        for raw in raws
    ],
)
def test_a_bad_value_is_named_with_its_reason_and_what_is_used(name, raw):
    view, (note,) = read_link({name: [raw]})
    assert view == View()
    assert (note.parameter, note.used) == (name, USED[name])
    assert note.came == raw or (note.came == raw[:59] + "…" and len(raw) > 60)
    assert note.reason.startswith(REASONS[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_value_given_twice_is_not_used(name):
    good = "2" if name in ("row", "at") else share_value(name)
    view, notes = read_link({name: [good, good]})
    came = f"{good}, {good}"
    assert view == View()
    assert notes == (Note(name, came, "must be given once, and came 2 times", USED[name]),)


def test_a_bad_value_leaves_the_others_in_force():
    short = {"text": View().text, "window": None}  # a window goes with a long sentence
    query = {name: [share_value(name)] for name in NAMES if name not in short}
    for name in sorted(set(NAMES) - {*short, "to"}):
        view, notes = read_link({**query, name: ["?"]})
        assert view == replace(View(**{**OFF, **short}), **{name: getattr(View(), name)})
        assert [note.parameter for note in notes] == [name]


def test_a_row_is_judged_by_the_sentence_of_its_link():
    assert read_link({"text": ["a b"], "row": ["2"]}) == (View(text="a b", row=2), ())
    _, (note,) = read_link({"text": ["a b"], "row": ["3"]})
    assert note == Note("row", "3", "must be a whole number from 1 to 2", "2")


def test_unknown_names_are_told_once_and_the_first_are_named():
    view, notes = read_link({"T": ["3"], "foo": ["1"]})
    told = Note("T, foo", "3", "must be a known name", "", several=True)
    assert (view, notes) == (View(), (told,))


def test_a_thousand_unknown_names_make_one_short_note():
    _, (note,) = read_link({f"p{i:04}": ["x" * 600] for i in range(1001)})
    assert note.parameter == "p0000, p0001, p0002 and 998 more"
    assert len(note.came) <= 60


def test_six_hundred_kilobytes_are_answered_briefly_and_soon():
    heap = "1-" * 300_000
    _, notes = read_link({name: [heap] for name in (*NAMES, heap)})
    assert {note.parameter for note in notes} >= set(NAMES)
    assert max(len(part) for note in notes for part in (note.parameter, note.came, note.used)) < 80
    assert max(len(note.reason) for note in notes) < 200


@pytest.mark.parametrize("name", ["text", "to"])
def test_half_a_surrogate_pair_is_replaced_and_told(name):
    view, (note,) = read_link({name: ["a\ud800b"]})
    assert getattr(view, name) == "a\ufffdb"
    assert note == Note(name, "a\ufffdb", "must not hold half a surrogate pair", "a\ufffdb")


def test_a_whole_surrogate_pair_becomes_its_character():
    view, _ = read_link({"text": ["\ud83d\udc08"]})
    assert view.text == "🐈"


def test_the_documented_example_of_a_note():
    _, (note,) = read_link({"sharpness": ["nan"]})
    assert note == Note("sharpness", "nan", "must be a number from 0 to 16", "1")


@pytest.mark.parametrize("raw", ["44-1", "1-44", "0-1", "1", "1-1-1", "1-x", "-1", "1,1"])
def test_a_window_that_leaves_the_sentence_is_named(raw):
    view, notes = read_link({"text": [LONG.text], "window": [raw]})
    assert view.window is None
    assert notes[0].reason == "must be a row and a column from 1 to 43, such as 1-43"
    assert notes[0].used == "43-43"


# An order typed by hand.


@pytest.mark.parametrize("typed", ["3-1-2", "3 1 2", "3, 1, 2", " 3-1 ,2 ", "-3-1-2-", "03-1-002"])
def test_an_order_may_be_typed_with_blanks_and_commas(typed):
    assert read_order(typed, 3) == (3, 1, 2)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("1-2", "must name each position from 1 to 3 once, and lacks 3"),
        ("1-2-2", "must name each position from 1 to 3 once, and repeats 2, lacks 3"),
        ("1-2-4", "must name each position from 1 to 3 once, and has no token at 4, lacks 3"),
        ("0-1-2-3", "must name each position from 1 to 3 once, and has no token at 0"),
        ("", "must name each position from 1 to 3 once, and lacks 1, 2, 3"),
        ("one two three", "must be positions joined by hyphens, such as 2-1-3"),
        ("1-2-٣", "must be positions joined by hyphens, such as 2-1-3"),
        ("1;2;3", "must be positions joined by hyphens, such as 2-1-3"),
        ("1.0-2-3", "must be positions joined by hyphens, such as 2-1-3"),
    ],
)
def test_a_faulty_order_says_what_is_wrong_with_it(typed, fault):
    with pytest.raises(UnusableError) as told:
        read_order(typed, 3)
    assert str(told.value) == fault


def test_a_long_list_of_faults_is_cut():
    with pytest.raises(UnusableError, match=r"lacks 2, 3, 4, 5, 6 …$"):
        read_order("1", 64)


# Whatever comes, no exception, and everything that could not be used is named.

hostile = st.one_of(
    st.text(max_size=30),  # surrogates and control characters included
    st.sampled_from([raw for raws in BAD.values() for raw in raws if len(raw) < 100]),
    st.sampled_from([str(value) for value in OFF.values()]),
    st.integers(-5, 70).map(str),
    st.floats().map(str),
)
queries = st.dictionaries(
    st.sampled_from([*NAMES, "v"]) | st.text(max_size=12),
    st.lists(hostile, max_size=3),
    max_size=12,
)


@given(query=queries)
def test_no_link_raises_and_every_unusable_value_is_named(query):
    view, notes = read_link(query)
    named = [note.parameter for note in notes]
    for name in NAMES:
        asked = query.get(name)
        if asked is None:
            assert getattr(view, name) == getattr(View(), name)
        elif name not in named:
            assert len(asked) == 1
            assert_says(getattr(view, name), asked[0])
    assert ("v" in named) == ("v" in query and query["v"] != ["1"])
    assert len([note for note in notes if note.reason == "must be a known name"]) == bool(
        set(query) - {"v", *NAMES}
    )
    assert named == list(dict.fromkeys(named))
    "".join(f"{note}" for note in notes).encode()  # what a page shows can be sent to a browser
    assert math.isfinite(view.sharpness)
    assert math.isfinite(view.tolerance)


def assert_says(value, raw):
    """A value in force is what the link said, spelt otherwise at most."""
    if isinstance(value, bool):
        assert raw == ("true" if value else "false")
    elif isinstance(value, tuple):
        assert value == tuple(int(part) for part in raw.replace(",", " ").replace("-", " ").split())
    elif isinstance(value, str):
        assert value == raw
    else:
        assert value == float(raw)


# What is mended is told.


def test_line_breaks_of_a_text_stay_as_line_feeds():
    assert read_link({"text": ["a\nb\n\nc d"]}) == (View(text="a\nb\n\nc d"), ())
    view, notes = read_link({"text": ["a\nb\r\nc\rd"]})
    assert view.text == "a\nb\nc\nd"
    assert [(note.parameter, note.reason) for note in notes] == [
        ("text", "must not hold carriage returns")
    ]


def test_line_breaks_of_a_new_token_become_spaces_with_a_note():
    view, notes = read_link({"to": ["a\nb\r\nc d"]})
    assert view.to == "a b c d"
    assert [(note.parameter, note.reason) for note in notes] == [
        ("to", "must not hold line breaks")
    ]


@pytest.mark.parametrize("name", ["sharpness", "tolerance"])
def test_a_number_too_small_to_be_told_from_0_is_named_and_not_taken_for_0(name):
    view, notes = read_link({name: ["1e-400"]})
    assert view == View()
    assert [(n.parameter, n.came, n.reason) for n in notes] == [
        (name, "1e-400", "must be 0, or large enough to be told from it")
    ]
    for nothing in ("0", "0.000", "0e-400", "0.0e9"):
        assert read_link({name: [nothing]}) == (replace(View(), **{name: 0.0}), ())
    assert read_link({name: ["5e-324"]})[1] == ()


def test_one_unknown_name_with_a_comma_in_it_is_one_name():
    assert [n.several for n in read_link({"a,b": ["1"]})[1]] == [False]
    assert [n.several for n in read_link({"a": ["1"], "b": ["1"]})[1]] == [True]


@pytest.mark.parametrize("name", ["text", "to"])
def test_what_stands_for_bytes_that_are_no_text_is_told_and_kept(name):
    view, notes = read_link({name: ["a\ufffd"]})
    assert view == replace(View(), **{name: "a\ufffd"})
    assert notes == (Note(name, "a\ufffd", REPLACED, "a\ufffd"),)
    assert read_link({name: ["a\U0001f600"]})[1] == ()
