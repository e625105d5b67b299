"""What an array, a number or a list of tokens must be to come in, or to go out."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Real
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]
IntArray: TypeAlias = NDArray[np.intp]
Read = TypeVar("Read")

# One cell that serves a matrix of any size.
EVERY_KEY: BoolArray = np.array(True)
EVERY_KEY.setflags(write=False)

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


class Record:
    """What nobody can write to, not even a pickled or a deep copy of it."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the arrays that a copy was given for its own, and lock them."""
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        self.__dict__.update(state)


def as_read(name: str, read: Read, kind: type[Read]) -> Read:
    """Return the read if it is one of this kind."""
    if not isinstance(read, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise ValueError(f"{name} must be {article} {kind.__name__}, got {type(read).__name__}")
    return read


def as_head(head: Read) -> Read:
    """Return the head; its class alone reads nothing."""
    if isinstance(head, type):
        raise ValueError(f"head must be a head, such as {head.__name__}(), got the class itself")
    return head


def as_floats(name: str, array: ArrayLike) -> FloatArray:
    """Return the array in native float32 or float64 and C order; a copy only if it was not so.

    float16 becomes float32; integers and booleans become float64.
    """
    given = _unmasked(name, array)
    kind = given.dtype.kind
    if kind == "O" and given.ndim == 0:
        raise ValueError(f"{name} must be an array, got {type(array).__name__}")
    if kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got {STRANGERS.get(kind, kind)}")
    small = kind == "f" and given.dtype.itemsize <= 4
    if given.dtype.itemsize <= 8:
        return np.asarray(given, dtype=np.float32 if small else np.float64, order="C")
    with np.errstate(over="ignore"):  # refused below
        floats = np.asarray(given, dtype=np.float64, order="C")
    refuse(name, "small enough for float64", given, np.isinf(floats) & np.isfinite(given))
    return floats


def _unmasked(name: str, array: ArrayLike) -> NDArray[Any]:
    """Return the array; a mask would be lost without a word."""
    try:
        given = np.asarray(array)
    except ValueError:  # what NumPy says of it names neither the argument nor what is wrong
        raise ValueError(f"{name} must be an array, got rows that differ in length") from None
    masked = np.count_nonzero(array.mask) if isinstance(array, np.ma.MaskedArray) else 0
    if masked:
        raise ValueError(f"{name} must have no masked cells, got {masked} of {given.size}")
    return given


def as_finite_matrix(name: str, array: ArrayLike) -> FloatArray:
    """Return floats of two axes without infinities and NaN."""
    matrix = as_floats(name, array)
    if matrix.ndim != 2:
        raise ValueError(f"{name} must have two axes, got shape {matrix.shape}")
    refuse(name, "finite", matrix, ~np.isfinite(matrix))
    return matrix


def as_queries_and_keys(queries: ArrayLike, keys: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two finite matrices of one d_key, in one number type."""
    queries = as_finite_matrix("queries", queries)  # (n_queries, d_key)
    keys = as_finite_matrix("keys", keys)  # (n_keys, d_key)
    d_key = queries.shape[1]
    if keys.shape[1] != d_key or d_key == 0:
        raise ValueError(
            f"queries and keys must share d_key >= 1, got {queries.shape} and {keys.shape}"
        )
    kind = np.result_type(queries, keys)
    return queries.astype(kind, copy=False), keys.astype(kind, copy=False)


def as_scores(scores: ArrayLike) -> FloatArray:
    """Return floats with an axis of keys, each finite or -inf."""
    given = as_floats("scores", scores)  # (..., n_keys)
    if given.ndim == 0:
        raise ValueError(f"scores must have an axis of keys, got the single number {given}")
    if not given.max(initial=-np.inf) < np.inf:
        refuse("scores", "finite or -inf", given, ~(given < np.inf))
    return given


def refuse(name: str, rule: str, array: FloatArray, wrong: BoolArray) -> None:
    """Raise ValueError where any cell is wrong: how many, and the first one."""
    if not wrong.any():
        return
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    raise ValueError(
        f"{name} must be {rule}, got {np.count_nonzero(wrong)} of {wrong.size} that are not; "
        f"the first is {array[first]!s} at {first}"
    )


def as_number(name: str, value: float) -> float:
    """Return a number from 0 to infinity as a Python float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not value >= 0:
        raise ValueError(f"{name} must be a number from 0 to infinity, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number) and value != number:
        raise ValueError(f"{name} must be infinity or fit into float64, got a larger number")
    return number


def as_whole(name: str, value: int, least: int = 0) -> int:
    """Return a whole number, not below the least, as a Python int."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{name} must be a whole number of {least} or more, got {value!r}")
    return int(value)


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
        return np.broadcast_to(EVERY_KEY, shape)
    given = _unmasked("allowed", allowed)
    if given.dtype != np.bool_:
        raise ValueError(f"allowed must be boolean, got {given.dtype}")
    if given.ndim < min(2, len(shape)) or given.shape != shape[len(shape) - given.ndim :]:
        raise ValueError(f"allowed must have the shape {shape[-2:]}, got {given.shape}")
    return np.broadcast_to(given, shape)


def as_tokens(name: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens as a tuple; a bare str would fall apart into letters."""
    if isinstance(tokens, str):
        raise ValueError(f"{name} must be a sequence of tokens, got the str {tokens!r}")
    if isinstance(tokens, Set | Mapping) or not isinstance(tokens, Iterable):
        raise ValueError(f"{name} must be a sequence of tokens, got {tokens!r}")
    given = tuple(tokens)
    strangers = [token for token in given if not isinstance(token, str)]
    if strangers:
        raise ValueError(f"{name} must all be str, got {strangers[0]!r}")
    return tuple(str(token) for token in given)


def read_only(array: ArrayLike) -> NDArray[Any]:
    """Return the array if nobody can write to it, else a copy that nobody can write to."""
    given = np.asarray(array)
    if not _frozen(given):
        given = given.copy()
        given.setflags(write=False)
    return given


def _frozen(array: NDArray[Any]) -> bool:
    """Return whether neither the array nor what it is a view of can be written to."""
    owner: Any = array
    while owner is not None:
        if not hasattr(owner, "base") or (isinstance(owner, np.ndarray) and owner.flags.writeable):
            return False
        owner = owner.base
    return True
