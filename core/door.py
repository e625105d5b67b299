"""What an array, a number or a list of tokens must be to come in, or to go out."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]

# The kinds of NumPy's dtype.kind that are no real numbers, by the name a person would use.
STRANGERS = {
    "c": "complex numbers",
    "O": "Python objects",
    "U": "text",
    "S": "bytes",
    "M": "dates",
    "m": "time spans",
    "V": "records",
}


def as_floats(name: str, array: ArrayLike) -> FloatArray:
    """Return a C-ordered copy in native float32 or float64.

    float16 becomes float32; integers and booleans become float64.
    """
    given = np.asarray(array)
    kind = given.dtype.kind
    if kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got {STRANGERS.get(kind, kind)}")
    small = kind == "f" and given.dtype.itemsize <= 4
    return np.array(given, dtype=np.float32 if small else np.float64, order="C")


def as_finite_matrix(name: str, array: ArrayLike) -> FloatArray:
    """Return a float copy of two axes without infinities and NaN."""
    matrix = as_floats(name, array)
    if matrix.ndim != 2:
        raise ValueError(f"{name} must have two axes, got shape {matrix.shape}")
    refuse(name, "finite", matrix, ~np.isfinite(matrix))
    return matrix


def refuse(name: str, rule: str, array: FloatArray, wrong: BoolArray) -> None:
    """Raise ValueError where any cell is wrong: how many, and the first one."""
    if not wrong.any():
        return
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    raise ValueError(
        f"{name} must be {rule}, got {np.count_nonzero(wrong)} of {wrong.size} that are not; "
        f"the first is {array[first]} at {first}"
    )


def as_number(name: str, value: float) -> float:
    """Return a number from 0 to infinity as a Python float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not value >= 0:
        raise ValueError(f"{name} must be a number from 0 to infinity, got {value!r}")
    return float(value)


def as_flag(name: str, value: bool) -> bool:
    """Return True or False; the text "false" is neither."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def as_allowed(allowed: ArrayLike | None, shape: tuple[int, ...]) -> BoolArray:
    """Return which keys each row may use, in the full shape of the weights.

    A matrix (n_queries, n_keys) serves all leading axes; None allows every key.
    """
    if allowed is None:
        return np.ones(shape, dtype=np.bool_)
    given = np.asarray(allowed)
    if given.dtype != np.bool_:
        raise ValueError(f"allowed must be boolean, got {given.dtype}")
    if given.ndim < min(2, len(shape)) or given.shape != shape[len(shape) - given.ndim :]:
        raise ValueError(f"allowed must have the shape {shape[-2:]}, got {given.shape}")
    return np.broadcast_to(given, shape)


def as_tokens(name: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens as a tuple; a bare str would fall apart into letters."""
    if isinstance(tokens, str):
        raise ValueError(f"{name} must be a sequence of tokens, got the str {tokens!r}")
    given = tuple(tokens)
    strangers = [token for token in given if not isinstance(token, str)]
    if strangers:
        raise ValueError(f"{name} must all be str, got {strangers[0]!r}")
    return tuple(str(token) for token in given)


def read_only(array: ArrayLike) -> NDArray[Any]:
    """Return a copy that cannot be written to."""
    copy = np.array(array)
    copy.setflags(write=False)
    return copy
