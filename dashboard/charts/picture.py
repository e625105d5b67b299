"""A picture: a drawing that never changes with the numbers, the numbers, and its name in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from threading import RLock
from typing import Any, TypeVar

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]  # a table
Spec = dict[str, Any]  # a part of a drawing, as Vega-Lite writes it
Built = TypeVar("Built")
# How a drawing writes a number in full: as `labels.exact` does.
EXACT = (
    "{0} == 0 ? '0' : replace(replace(format({0}, abs({0}) < 0.00005 ? '.1e' : '.4f'), '-', '−'), "
    "'-', '−')"
)


class Lasting(Columns):
    """A table that many pictures show: whoever writes it in another form keeps that with it."""

    written: bytes = b""


@dataclass(frozen=True)
class Picture:
    """One chart, ready to show.

    `spec` is built once per shape and shared by every rerun and visitor: the browser updates the
    numbers in place as long as it stays the same. `data` are its named tables. `alt` states the
    present finding, for a reader who does not see the picture.
    """

    spec: Mapping[str, Any]
    data: Mapping[str, Columns]
    alt: str

    def frame(self, name: str) -> pd.DataFrame:
        """One of the tables as a frame."""
        return pd.DataFrame(self.data[name])

    def complete(self) -> dict[str, Any]:
        """The drawing with its numbers inside, for any reader of Vega-Lite."""
        frames = {name: self.frame(name).astype(object) for name in self.data}
        tables = {
            name: frame.where(frame.notna(), None).to_dict("records")
            for name, frame in frames.items()
        }
        return {**self.spec, "datasets": tables}


def tabulate(**named: Any) -> Columns:
    """Equally long columns; a single value stands for a whole column.

    Plain columns rather than a frame: they are made anew on every rerun, and this is five times
    as quick.

    Examples
    --------
    >>> tabulate(key=[1, 2], kind="weight")
    {'key': array([1, 2]), 'kind': array(['weight', 'weight'], dtype=object)}
    """
    arrays = {name: _column(values) for name, values in named.items()}
    length = max(len(values) for values in arrays.values() if values.ndim)
    return {
        name: values if values.ndim else np.full(length, values) for name, values in arrays.items()
    }


def lasting(most: int) -> Callable[[Callable[..., Columns]], Callable[..., Columns]]:
    """Keep the last `most` tables of a maker: those in which no number of a read stands.

    Sequences that it takes are told apart by what they hold.
    """

    def wrap(make: Callable[..., Columns]) -> Callable[..., Columns]:
        @lru_cache(maxsize=most)
        def kept(*arguments: Any) -> Columns:
            columns = Lasting(make(*arguments))
            for values in columns.values():
                values.setflags(write=False)
            return columns

        @wraps(make)
        def made(*arguments: Any) -> Columns:
            return kept(*(tuple(a) if isinstance(a, list) else a for a in arguments))

        return made

    return wrap


def _column(values: Any) -> NDArray[Any]:
    if isinstance(values, list) and values and isinstance(values[0], str):
        return np.array(
            values, dtype=object
        )  # at once: texts of NumPy's own take five times as long
    array = np.asarray(values)
    return array.astype(object) if array.dtype.kind == "U" else array


def where(table: Columns, keep: NDArray[np.bool_]) -> Columns:
    """The lines of a table that are to be kept."""
    return {name: values[keep] for name, values in table.items()}


def layered(
    *layers: alt.Chart | Spec,
    data: str = "",
    steps: Sequence[Spec] = (),
    apart: Sequence[str] = ("color",),
) -> Spec:
    """Layers from the back to the front, as Vega-Lite writes them.

    They may share a table and the `steps` that work on it; the scales named in `apart` are not
    shared. Put together by Altair the same takes ten times as long, and whoever types a sentence
    of a new length waits for it; so the charts are not validated here but in the tests.
    """
    spec: Spec = {"layer": [_unit(layer) for layer in layers]}
    if data:
        spec["data"] = {"name": data}
    if steps:
        spec["transform"] = list(steps)
    return {**spec, "resolve": {"scale": dict.fromkeys(apart, "independent")}}


def _unit(layer: alt.Chart | Spec) -> Spec:
    if not isinstance(layer, alt.Chart):
        return layer
    spec: Spec = layer.to_dict(validate=False, context={"top_level": False})
    if layer.data is alt.Undefined:  # it reads what it lies in, where Altair puts an empty table
        del spec["data"]
    return spec


def calculate(**formulas: str) -> list[Spec]:
    """Steps that work out fields, each by its formula."""
    return [{"calculate": formula, "as": name} for name, formula in formulas.items()]


def lookup(of: str, key: str, *fields: str) -> Spec:
    """The step that takes `fields` from the line of another table that has the same `key`."""
    return {
        "lookup": key,
        "from": {"data": {"name": of}, "key": key, "fields": list(fields)},
    }


def tip(**fields: str) -> alt.ExprRef:
    """What the pointer is told at a mark: fields that are texts already, each by its title.

    Vega-Lite would ask of every field of every mark, at every move of a hand, whether it is one.

    Examples
    --------
    >>> print(tip(row="reads", told="positions' worth").expr)
    {"reads": datum.row, "positions' worth": datum.told}
    """
    titles = {field: json.dumps(title, ensure_ascii=False) for field, title in fields.items()}
    told = ", ".join(f"{title}: datum.{field}" for field, title in titles.items())
    return alt.ExprRef(f"{{{told}}}")


def mark_name(row: str, column: str) -> dict[str, str]:
    """The name of a mark: two fields that say where it is, and its number, as `exact` tells it.

    Worked out where it is drawn, it need not be sent.

    Examples
    --------
    >>> mark_name("row", "column")
    {'expr': "datum.row + ', ' + datum.column + ': ' + datum.exact"}
    """
    return {"expr": f"datum.{row} + ', ' + datum.{column} + ': ' + datum.exact"}


def drawing(chart: Spec, height: int, *, params: Sequence[Spec] = ()) -> Spec:
    """The spec of a chart whose data are named tables, without frame or grid of its own.

    It is drawn as SVG: the platform would take a canvas, in which no mark has a name, by the number
    of rows.
    """
    spec = {**chart, "height": height, "usermeta": {"embedOptions": {"renderer": "svg"}}}
    return {**spec, "params": list(params)} if params else spec


def table(name: str) -> alt.NamedData:
    """A table of the picture, by its name in `Picture.data`."""
    return alt.NamedData(name=name)


def built_once(most: int) -> Callable[[Callable[..., Built]], Callable[..., Built]]:
    """Keep the last `most` results of a builder; while one thread builds, the others wait for it.

    A class that opens one link on a fresh server would else build the same drawing a hundred times
    at once, each slowing all the others.

    Examples
    --------
    >>> @built_once(2)
    ... def build(n):
    ...     print("building", n)
    ...     return [n]
    >>> build(1) is build(1)
    building 1
    True
    """

    def wrap(build: Callable[..., Built]) -> Callable[..., Built]:
        kept = lru_cache(maxsize=most)(build)
        building = RLock()

        @wraps(build)
        def built(*arguments: Any, **named: Any) -> Built:
            with building:
                return kept(*arguments, **named)

        return built

    return wrap
