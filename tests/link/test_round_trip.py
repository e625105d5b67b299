"""A link is a promise: what is written comes back the same, next year too."""

from dataclasses import fields, replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.link import (
    DEFAULTS,
    MAX_TOKENS,
    PAGES,
    Note,
    View,
    address,
    fit,
    query,
    read_link,
    read_order,
    share_query,
    value_shown,
    write_number,
    write_order,
)
from tests.link.links import LONG, NAMES, ODD_TEXTS, OFF, one_each, pages_of, parsed, views


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


def test_a_short_sentence_writes_no_setting_of_long_ones():
    assert not {"pool", "window"} & set(parsed(share_query(View(pool="mean"), "weights")))
    assert View(pool="mean").window_shown == ()


def test_two_thousand_tokens_and_their_order_come_back():
    tokens = " ".join(f"w{i}" for i in range(MAX_TOKENS))
    view = View(text=tokens, order=(2, 1, *range(3, MAX_TOKENS + 1)), row=2000, at=1999)
    for page in PAGES:
        read, notes = read_link(parsed(share_query(view, page)))
        assert notes == ()
        for name in (name for name in NAMES if page in pages_of(name)):
            assert value_shown(read, name) == value_shown(view, name)


# Defaults change with the version, never under a link.


@pytest.fixture
def next_year(monkeypatch):
    """The link table after somebody gave every parameter another default."""
    later = View(**{**OFF, "row": None, "at": None, "order": None, "window": None})
    monkeypatch.setattr(query, "DEFAULTS", {**DEFAULTS, 2: later})
    monkeypatch.setattr(query, "VERSION", 2)
    return later


def test_an_old_link_keeps_its_meaning_when_defaults_change(next_year):
    assert read_link({"v": ["1"]}) == (View(), ())
    assert read_link({"v": ["1"], "causal": ["true"]}) == (View(causal=True), ())
    assert read_link({}) == (next_year, ())
    assert read_link({"v": ["2"]}) == (next_year, ())


@pytest.mark.parametrize("page", PAGES)
def test_a_full_old_link_keeps_its_meaning_when_defaults_change(page, monkeypatch):
    old = share_query(View(sharpness=0.5), page)
    monkeypatch.setattr(query, "DEFAULTS", {**DEFAULTS, 2: View(**OFF)})
    monkeypatch.setattr(query, "VERSION", 2)
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
