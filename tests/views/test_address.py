"""The address of a page: what a link that is opened says, and what Back brings back."""

import pytest

from dashboard import session
from tests.views.visit import drawn, opened


@pytest.mark.parametrize(
    ("query", "notes"),
    [
        ({}, []),
        ({"v": "1", "row": "2"}, []),
        ({"embed": "true"}, []),
        (
            {"sharpness": "nan"},
            ["` sharpness ` came as ` nan `, but must be a number from 0 to 16; ` 1 ` is used"],
        ),
        (
            {"causal": ["true", "true"]},
            ["` causal ` came as ` true, true `, but must be given once, and came 2 times"],
        ),
        (
            {"T": "3", "row": "9"},
            [
                "` row ` came as ` 9 `, but must be a whole number from 1 to 6; ` 6 ` is used",
                "` T ` is not a setting of these pages and was left out.",
            ],
        ),
        ({"to": "x" * 20_001}, ["` to ` came as ` xxx"]),
        (
            {"text": "a \ufffd"},
            [
                "` text ` holds ` \ufffd `, which stands for what could not be read as text. "
                "If nobody typed it, this link is damaged."
            ],
        ),
        (
            {"text": "", "order": "x", "row": "9999"},
            [
                "` row ` came as ` 9999 `, but must be a whole number from 1 to 2048; "
                "it was left out.",
                "` order ` came as ` x `, but must be positions joined by hyphens",
            ],
        ),
    ],
    ids=ascii,
)
def test_a_link_shows_its_notes_and_no_others(query, notes):
    app = opened("weights", **query)
    told = app.warning[0].value.split("\n\n")[1:] if app.warning else []
    assert len(told) == len(notes)
    for line, note in zip(told, notes, strict=True):
        assert line.startswith(note)


def test_a_note_goes_when_something_is_changed():
    app = opened("weights", sharpness="nan")
    app.toggle(key="causal").set_value(True).run()
    assert not app.warning
    assert app.query_params == {"v": "1", "causal": "true"}


def test_what_a_visitor_typed_needs_no_note():
    app = opened("weights")
    app.text_input(key="text").set_value("a \ufffd b").run()
    assert app.query_params["text"] == "a \ufffd b"
    app.run()
    assert not app.warning


def test_a_link_that_was_opened_stays_as_it_came_until_something_is_changed():
    query = {"text": "the cat", "sharpness": "1", "row": "2"}
    app = opened("weights", **query)
    assert app.query_params == query


def test_going_back_in_one_session_shows_the_earlier_view():
    app = opened("weights", text="a cat ran")
    app.query_params = {"text": "the dog"}
    app.run()
    assert app.text_input(key="text").value == "the dog"
    app.query_params = {"text": "a cat ran"}
    app.run()
    assert app.text_input(key="text").value == "a cat ran"
    assert len(drawn(app)[0]["cells"]) == 9


def test_a_back_that_ends_a_run_before_it_told_the_address_is_heeded(monkeypatch):
    app = opened("weights", text="the dog")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(session, "tell_address", lambda: None)
        app.slider(key="sharpness").set_value(3.0).run()
        assert "sharpness" not in app.query_params
    app.query_params["text"] = "a cat ran"
    app.run()
    assert app.text_input(key="text").value == "a cat ran"
