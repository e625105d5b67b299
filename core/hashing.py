"""Numbers from a name, the same on every machine and in every process."""

import hashlib
import math

import numpy as np

from core.door import FloatArray, as_whole


def hashed_uniform(label: str, shape: int | tuple[int, ...]) -> FloatArray:
    """Numbers that look uniform on [0, 1) and depend on the label alone.

    SHAKE-256 of the label, cut into 53-bit integers, over 2**53: integer steps only, so every
    machine gets the same bits. Python's ``hash()`` changes with every process.

    Parameters
    ----------
    label : str
        Any text, half a surrogate pair included.
    shape : int or tuple of int

    Returns
    -------
    ndarray of float64 of the given shape
        0 to 1, 1 excluded.

    Raises
    ------
    ValueError
        If ``label`` is no str, or ``shape`` holds anything but whole numbers of 0 or more.

    References
    ----------
    NIST FIPS 202, SHA-3 Standard, 2015. https://doi.org/10.6028/NIST.FIPS.202

    Examples
    --------
    >>> hashed_uniform("cat", 2).round(4)
    array([0.8466, 0.755 ])
    >>> np.array_equal(hashed_uniform("cat", 2), hashed_uniform("cat", 5)[:2])
    True
    """
    if not isinstance(label, str):
        raise ValueError(f"label must be a str, got {label!r}")
    sizes = shape if isinstance(shape, tuple | list) else (shape,)
    shape = tuple(as_whole("shape", size) for size in sizes)
    name = label.encode("utf-8", errors="surrogatepass")
    digest = hashlib.shake_256(name).digest(8 * math.prod(shape))
    integers = np.frombuffer(digest, dtype="<u8") >> 11  # (prod(shape),), 53 bits each
    return (integers / 2.0**53).reshape(shape)
