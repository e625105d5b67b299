"""A link is a promise: what is written comes back the same, and what cannot be used is named."""

import math
from dataclasses import fields, replace
from urllib.parse import parse_qs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard import link
from dashboard.link import (
    DEFAULTS,
    MAX_CHARACTERS,
    MAX_SEED,
    MAX_SHARPNESS,
    MAX_TOKENS,
    PAGES,
    PARAMETERS,
    SHORT,
    Note,
    UnusableError,
    View,
    address,
    fit,
    read_link,
    read_order,
    share_query,
    value_shown,
    write_number,
    write_order,
)

NAMES = [parameter.name for parameter in PARAMETERS]

# Every parameter, with a value that is neither its default nor what follows from the sentence.
OFF = {
    "text": "a dog ran",
    "head": "random",
    "seed": 41,
    "sharpness": 2.55,
    "hard": True,
    "causal": True,
    "positions": "sinusoidal",
    "row": 2,
    "at": 5,
    "to": "quick fox",
    "tolerance": 0.125,
    "order": (2, 1, 3, 4, 6, 5),
    "pool": "mean",
    "window": (31, 2),
}
LONG = View(text=" ".join(f"w{i}" for i in range(90)))  # where every parameter has its say

ODD_TEXTS = [
    "",
    " ",
    "  cat  sat  ",
    "a & b=c #d +e 100% ?/",
    "%41 %2B %zz &amp; ;",
    "v=2&text=no",
    "🐈‍⬛ sat 👩🏽‍🚀",
    "القطة جلست",
    "e\u0301 \u0301 a\u20dd",
    "\u202eabc\u202c \u200b \u2028 \t \x00",
    "$x$ :red[hot] `c` <b>x</b> \\ ' \"",
]


def parsed(query: str) -> dict[str, list[str]]:
    return parse_qs(query, keep_blank_values=True)


def one_each(query: dict[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in query.items()}


def pages_of(name: str) -> tuple[str, ...]:
    return next(parameter.pages for parameter in PARAMETERS if parameter.name == name)


texts = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=60),
    st.text("&=#+%?/ ab", max_size=20),
)


@st.composite
def views(draw, text=texts, long=False):
    """A view whose row, position and order fit its sentence, as every view on a page does."""
    words = " ".join(f"w{i}" for i in range(draw(st.integers(2049, 2060)))) if long else draw(text)
    n = len(words.split())
    place = st.none() | st.integers(1, n) if n else st.none()
    return View(
        text=words,
        head=draw(st.sampled_from(link.HEADS)),
        seed=draw(st.integers(0, MAX_SEED)),
        sharpness=draw(st.floats(0, MAX_SHARPNESS)),
        hard=draw(st.booleans()),
        causal=draw(st.booleans()),
        positions=draw(st.sampled_from(link.POSITIONS)),
        row=draw(place),
        at=draw(place),
        to=draw(text),
        tolerance=draw(st.floats(0, 1)),
        order=draw(st.none() | st.permutations(range(1, n + 1)).map(tuple)) if 0 < n < 99 else None,
        pool=draw(st.sampled_from(link.POOLS)) if n > SHORT else "max",
    )


# What is written comes back.


@given(view=views(), page=st.sampled_from(PAGES))
def test_a_shared_link_shows_the_same_view(view, page):
    read, notes = read_link(parsed(share_query(view, page)))
    assert notes == ()
    of_page = [name for name in NAMES if page in pages_of(name)]
    assert {name: value_shown(read, name) for name in of_page} == {
        name: value_shown(view, name) for name in of_page
    }


@given(view=views(long=True), page=st.sampled_from(PAGES))
def test_a_shared_link_carries_a_sentence_too_long_to_read(view, page):
    read, notes = read_link(parsed(share_query(view, page)))
    assert (read.text, notes) == (view.text, ())


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("text", ["", "   "])
def test_a_shared_link_of_an_empty_sentence_has_nothing_to_complain_about(text, page):
    read, notes = read_link(parsed(share_query(View(text=text), page)))
    assert (read.text, notes) == (text, ())
    assert fit(replace(read, text="the cat")).row_shown == 2


@given(view=views())
def test_the_address_bar_tells_the_view_on_every_page(view):
    assert read_link(one_each(address(view))) == (view, ())


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_comes_back_off_its_default_and_on_it(name):
    base = LONG if name in ("pool", "window") else View()
    for view in (base, replace(base, **{name: OFF[name]})):
        for page in pages_of(name):
            read, notes = read_link(parsed(share_query(view, page)))
            assert (value_shown(read, name), notes) == (value_shown(view, name), ())
        assert read_link(one_each(address(view))) == (view, ())


def test_the_table_of_off_values_is_off_everywhere():
    assert set(OFF) == set(NAMES) == {field.name for field in fields(View)}
    assert [name for name in NAMES if OFF[name] == value_shown(View(), name)] == []
    assert [name for name in NAMES if OFF[name] == value_shown(LONG, name)] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_shared_link_writes_out_every_parameter_of_its_page(page):
    written = parsed(share_query(LONG, page))
    assert list(written) == ["v", *(name for name in NAMES if page in pages_of(name))]
    assert written["v"] == ["1"]


def test_the_default_links_are_the_ones_the_design_shows():
    assert [share_query(View(), page) for page in PAGES] == [
        "v=1&text=the%20cat%20sat%20on%20the%20mat&head=lesson&seed=0&sharpness=1&hard=false"
        "&causal=false&positions=none&row=6",
        "v=1&text=the%20cat%20sat%20on%20the%20mat&head=lesson&seed=0&sharpness=1&hard=false"
        "&causal=false&positions=none&row=6&at=2&to=dog&tolerance=0.01",
        "v=1&text=the%20cat%20sat%20on%20the%20mat&head=lesson&seed=0&sharpness=1&hard=false"
        "&causal=false&positions=none&order=6-5-4-3-2-1",
    ]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_text_comes_back_character_for_character(text):
    view = View(text=text, to=text)
    read, notes = read_link(parsed(share_query(view, "edit")))
    assert (read.text, read.to) == (text, text)
    assert notes == ()


def test_the_plain_view_has_a_plain_address():
    assert address(View()) == {}
    assert address(View(causal=True)) == {"v": "1", "causal": "true"}


@given(value=st.floats(0, 1e6, allow_subnormal=True))
@example(5e-324)
@example(0.1 + 0.2)
@example(1e-5)
def test_a_written_number_reads_back_bit_for_bit(value):
    assert float(write_number(value)) == value


@given(order=st.integers(1, 70).flatmap(lambda n: st.permutations(range(1, n + 1))))
def test_a_written_order_reads_back(order):
    assert read_order(write_order(order), len(order)) == tuple(order)


# Defaults change with the version, never under a link.


@pytest.fixture
def next_year(monkeypatch):
    """The link table after somebody gave every parameter another default."""
    later = View(**{**OFF, "row": None, "at": None, "order": None, "window": None})
    monkeypatch.setattr(link, "DEFAULTS", {**DEFAULTS, 2: later})
    monkeypatch.setattr(link, "VERSION", 2)
    return later


def test_an_old_link_keeps_its_meaning_when_defaults_change(next_year):
    assert read_link({"v": ["1"]}) == (View(), ())
    assert read_link({"v": ["1"], "causal": ["true"]}) == (View(causal=True), ())
    assert read_link({}) == (next_year, ())
    assert read_link({"v": ["2"]}) == (next_year, ())


@pytest.mark.parametrize("page", PAGES)
def test_a_full_old_link_keeps_its_meaning_when_defaults_change(page, monkeypatch):
    old = share_query(View(sharpness=0.5), page)
    monkeypatch.setattr(link, "DEFAULTS", {**DEFAULTS, 2: View(**OFF)})
    monkeypatch.setattr(link, "VERSION", 2)
    read, notes = read_link(parsed(old))
    assert (read.sharpness, read.text, notes) == (0.5, View().text, ())


def test_new_links_carry_the_new_version(next_year):
    assert address(next_year) == {}
    assert address(View())["v"] == "2"
    assert read_link(one_each(address(View()))) == (View(), ())
    assert parsed(share_query(View(), "weights"))["v"] == ["2"]


@pytest.mark.parametrize("raw", ["0", "2", "01", "one", "", " 1", "1.0"])
def test_an_unknown_version_is_named(raw):
    view, notes = read_link({"v": [raw], "causal": ["true"]})
    assert view == View(causal=True)
    assert notes == (Note("v", raw, "must be 1", "1"),)


# What cannot be used is named, with what takes its place.

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


def share_value(name: str) -> str:
    return address(replace(View(), **{name: OFF[name]}))[name]


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
    assert (view, notes) == (View(), (Note("T, foo", "3", "must be a known name", ""),))


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


# A sentence that shrinks.


def test_what_no_longer_fits_follows_the_sentence_again():
    view = View(row=5, at=6, order=(2, 1, 3, 4, 5, 6))
    assert fit(view) == view
    shrunk = fit(replace(view, text="the cat sat"))
    assert (shrunk.row_shown, shrunk.edited_position, shrunk.order_shown) == (3, 2, (3, 2, 1))


def test_what_still_fits_stays_when_the_sentence_shrinks():
    view = fit(View(text="the cat sat", row=2, at=3))
    assert (view.row, view.at) == (2, 3)


def test_emptying_the_sentence_forgets_nothing():
    view = View(row=5, at=6, order=(2, 1, 3, 4, 5, 6))
    emptied = fit(replace(view, text="  "))
    assert fit(replace(emptied, text=view.text)) == view


@given(view=views(), text=texts)
def test_every_view_that_was_fitted_shows_positions_of_its_sentence(view, text):
    fitted = fit(replace(view, text=text))
    n = len(text.split())
    if n:
        assert 1 <= fitted.row_shown <= n
        assert 1 <= fitted.edited_position <= n
        assert sorted(fitted.order_shown) == list(range(1, n + 1))
    assert fit(fitted) == fitted


def test_the_most_tokens_are_what_the_pages_say():
    assert (SHORT, MAX_TOKENS) == (64, 2048)


def test_a_short_sentence_writes_no_setting_of_long_ones():
    assert not {"pool", "window"} & set(parsed(share_query(View(pool="mean"), "weights")))
    assert View(pool="mean").window_shown == ()


@pytest.mark.parametrize(
    ("row", "window"), [(1, (1, 1)), (25, (1, 1)), (26, (2, 2)), (66, (42, 42)), (90, (43, 43))]
)
def test_the_window_follows_the_row_until_it_is_moved(row, window):
    assert replace(LONG, row=row).window_shown == window
    assert replace(LONG, row=row, window=(7, 9)).window_shown == (7, 9)


@pytest.mark.parametrize("raw", ["44-1", "1-44", "0-1", "1", "1-1-1", "1-x", "-1", "1,1"])
def test_a_window_that_leaves_the_sentence_is_named(raw):
    view, notes = read_link({"text": [LONG.text], "window": [raw]})
    assert view.window is None
    assert notes[0].reason == "must be a row and a column from 1 to 43, such as 1-43"
    assert notes[0].used == "43-43"


def test_a_sentence_that_shrinks_takes_its_window_back():
    moved = replace(LONG, window=(43, 43))
    assert fit(moved) == moved
    assert fit(replace(moved, text=" ".join(LONG.tokens[:89]))).window is None
    assert fit(replace(moved, text="the cat")).window is None


def test_two_thousand_tokens_and_their_order_come_back():
    tokens = " ".join(f"w{i}" for i in range(MAX_TOKENS))
    view = View(text=tokens, order=(2, 1, *range(3, MAX_TOKENS + 1)), row=2000, at=1999)
    for page in PAGES:
        read, notes = read_link(parsed(share_query(view, page)))
        assert notes == ()
        for name in (name for name in NAMES if page in pages_of(name)):
            assert value_shown(read, name) == value_shown(view, name)


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
