"""What holds for every picture: it is drawn, its drawing never changes, its text is data."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import altair as alt
import numpy as np
import pytest
import vl_convert

from dashboard.charts.picture import built_once
from tests.charts.gallery import GALLERY, SIZES, labels_of, words

every_picture = pytest.mark.parametrize("kind", GALLERY)
every_size = pytest.mark.parametrize("n", SIZES)

LIVE = ("spread", "live weights", "live difference")
MATRICES = ("live weights", "live difference", "given difference")
POSITIONAL = {"x", "x2", "y", "y2", "xOffset", "yOffset"}


def layers(spec, above=()):
    """Every layer that draws, with the table it reads and all steps on the way to it."""
    steps = (*above, *spec.get("transform", []))
    table = spec.get("data", {}).get("name")
    for layer in spec.get("layer", []):
        inner = layer if "data" in layer else {**layer, "data": {"name": table}}
        yield from layers(inner, steps)
    if "layer" not in spec:
        yield spec, table, steps


def encodings(spec):
    """Every channel of every layer, by name."""
    for layer, _, _ in layers(spec):
        yield from layer["encoding"].items()


def scales(spec, channels):
    for channel, definition in encodings(spec):
        if channel in channels and definition.get("scale"):
            yield channel, definition["scale"]


def listed(spec):
    """The drawing as far as the schema goes: it knows no events of a parameter."""
    return {
        **spec,
        "params": [
            {name: part for name, part in param.items() if name != "on"}
            for param in spec.get("params", [])
        ],
    }


@every_picture
@pytest.mark.parametrize("n", [8, 13, 71])
def test_every_drawing_is_valid_vega_lite(kind, n):
    alt.Chart.from_dict(listed(GALLERY[kind](words(n)).spec), validate=True)


@every_picture
@pytest.mark.parametrize("n", [1, 4])
def test_every_picture_with_its_numbers_inside_is_valid(kind, n):
    complete = GALLERY[kind](words(n), causal=True).complete()
    alt.Chart.from_dict(listed(complete), validate=True)


@every_picture
@pytest.mark.parametrize("n", [1, 6, 13])
def test_every_picture_with_its_numbers_inside_is_json(kind, n):
    complete = GALLERY[kind](words(n), causal=True).complete()
    told = json.loads(json.dumps(complete, allow_nan=False))
    assert set(told["datasets"]) == set(complete["datasets"])


@every_picture
@pytest.mark.parametrize("n", [1, 6, 13])
def test_every_picture_is_drawn(kind, n):
    complete = {**GALLERY[kind](words(n), causal=n != 6).complete(), "width": 700}
    svg = vl_convert.vegalite_to_svg(complete, allowed_base_urls=[])
    assert "NaN" not in svg
    assert svg.count("<path") + svg.count("<text") > 4


@every_picture
@every_size
def test_the_drawing_is_the_same_object_for_other_numbers_and_tokens(kind, n):
    pictures = [
        GALLERY[kind](words(n), seed=1),
        GALLERY[kind](words(n, "other"), seed=1),
        GALLERY[kind](["same"] * n, seed=1),
        GALLERY[kind](words(n), seed=2),
    ]
    assert len({id(picture.spec) for picture in pictures}) == 1
    # Among thousands of cells that move by themselves, none is asked for a mask there is not.
    of_a_mask = GALLERY[kind](words(n), seed=1, causal=True).spec
    alike = not (kind in LIVE and n > 31)
    assert (of_a_mask is pictures[0].spec) is alike
    assert GALLERY[kind](words(n, "other"), seed=2, causal=True).spec is of_a_mask


@every_picture
@every_size
def test_no_token_is_in_the_drawing(kind, n):
    picture = GALLERY[kind](words(n, "ZQX"))
    assert "ZQX" not in json.dumps(picture.spec)


@every_picture
def test_a_drawing_is_not_changed_by_being_shown(kind):
    picture = GALLERY[kind](words(6))
    before = json.dumps(picture.spec)
    picture.complete()["layer"] = None
    assert json.dumps(GALLERY[kind](words(6, "v")).spec) == before


@every_picture
def test_every_place_is_a_number_and_never_a_token(kind):
    """Equal tokens would share a place on an axis of names."""
    channels = [
        (channel, definition)
        for channel, definition in encodings(GALLERY[kind](words(6)).spec)
        if channel in POSITIONAL
    ]
    assert channels
    for channel, definition in channels:
        if "field" in definition and channel not in ("x2", "y2"):
            assert definition["type"] == "quantitative", (channel, definition)
        else:
            assert "field" in definition or isinstance(definition["datum"], int | float)


@every_picture
@every_size
def test_every_scale_of_place_is_fixed(kind, n):
    found = list(scales(GALLERY[kind](words(n)).spec, {"x", "y"}))
    assert found
    for _, scale in found:
        assert len(scale["domain"]) >= 2 or n == 1
        assert scale.get("nice", False) is False


@every_picture
@every_size
def test_a_sentence_of_equal_tokens_loses_no_place(kind, n):
    same, other = GALLERY[kind](["same"] * n), GALLERY[kind](words(n))
    for name in set(same.data) - {"names"}:  # names of dots that coincide are joined
        assert len(same.frame(name)) == len(other.frame(name))


@every_picture
@pytest.mark.parametrize("n", [*SIZES, 31, 32, 44])
def test_every_picture_says_that_it_is_drawn_as_svg(kind, n):
    spec = GALLERY[kind](words(n)).spec
    assert spec["usermeta"]["embedOptions"]["renderer"] == "svg"


@every_picture
@every_size
def test_every_picture_has_a_name_in_words(kind, n):
    assert GALLERY[kind](words(n)).alt.strip()


@every_picture
def test_every_table_that_the_drawing_reads_is_there(kind):
    picture = GALLERY[kind](words(6))
    asked = {table for _, table, _ in layers(picture.spec)}
    steps = [step for _, _, of_layer in layers(picture.spec) for step in of_layer]
    asked |= {step["from"]["data"]["name"] for step in steps if "lookup" in step}
    assert asked == set(picture.data)


def made(step):
    """The fields that a step adds."""
    lists = [step, *step.get("aggregate", []), *step.get("joinaggregate", [])]
    lists += step.get("window", [])
    names = {one["as"] for one in lists if "as" in one}
    return names | set(step.get("from", {}).get("fields", []))


@every_picture
@pytest.mark.parametrize("n", [6, 71])
def test_every_field_that_the_drawing_reads_is_in_its_table(kind, n):
    picture = GALLERY[kind](words(n), causal=True)
    fields = set()
    for layer, table, steps in layers(picture.spec):
        known = set(picture.data[table]).union(*map(made, steps))
        for definition in layer["encoding"].values():
            for one in definition if isinstance(definition, list) else [definition]:
                if "field" in one:
                    fields.add(one["field"])
                    assert one["field"] in known, one
    assert fields


@pytest.mark.parametrize("kind", ["spread", *MATRICES, "moves"])
def test_the_labels_of_all_rows_are_drawn(kind):
    tokens = ["the", "cat", "sat", "on", "the", "mat"]
    svg = vl_convert.vegalite_to_svg(
        {**GALLERY[kind](tokens).complete(), "width": 900}, allowed_base_urls=[]
    )
    for name in labels_of(tokens):
        # To the left of their rows; labels of columns end elsewhere.
        assert re.search(rf'<text text-anchor="end"[^>]*>{re.escape(name)}</text>', svg)


@every_picture
@pytest.mark.parametrize("n", [1, 6, 71])
def test_columns_are_of_one_length_and_of_kinds_that_arrow_takes(kind, n):
    for table in GALLERY[kind](words(n), causal=True).data.values():
        assert len({len(column) for column in table.values()}) == 1
        for name, column in table.items():
            if column.dtype.kind in "fiu":
                assert column.dtype.isnative, name
            assert not (column.dtype.kind == "f" and np.isinf(column).any()), name


def test_a_drawing_is_built_once_however_many_ask_at_once():
    built = []
    barrier = Barrier(8)

    @built_once(2)
    def build(n):
        built.append(n)
        sleeping.wait(0.05)  # long enough for all to ask
        return [n]

    sleeping = Event()

    def ask(_):
        barrier.wait()
        return build(6)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert built == [6]
    assert all(one is found[0] for one in found)
