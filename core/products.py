"""Scores that depend on their own query and key alone, to the last bit, at every size."""

import math

import numpy as np

from core.door import FloatArray
from core.rows import row_blocks

# So many products are added at a time: few enough for an exact sum.
TERMS = 128


def operand(vectors: FloatArray) -> FloatArray:
    """Queries or keys as `write_scores` wants them, in float64.

    A BLAS product rounds a pair by its place in the matrix: equal keys do not tie, and a new
    order of the tokens moves the scores. float32 is kept from that by sums without rounding:
    each row is cut to whole multiples of one power of two, so fine that no more is lost than
    float32 rounds off the row's largest number, so coarse that a sum of ``TERMS`` products fits
    into the 53 bits of float64. BLAS may then add in any order. float64 leaves no room for
    that; it is left as it is, for einsum, which sums each pair alike.
    """
    if vectors.dtype != np.float32:
        return vectors
    terms = min(TERMS, max(1, vectors.shape[1]))
    bits = (53 - (terms - 1).bit_length()) // 2  # of one factor: 23 for TERMS, more for fewer
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)  # (n, 1)
    exponent = np.frexp(largest)[1]  # (n, 1), largest < 2**exponent
    anchor = np.ldexp(1.5, exponent + 52 - bits)  # (n, 1), its last bit is the power of two
    cut: FloatArray = (vectors + anchor) - anchor  # (n, d_key)
    return cut


def write_scores(out: FloatArray, queries: FloatArray, keys: FloatArray) -> None:
    """Write ``queries @ keys.T / sqrt(d_key)`` into ``out``, from operands.

    Raises
    ------
    ValueError
        If a score does not fit into the number type of ``out``.
    """
    root = math.sqrt(queries.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        if out.dtype == np.float32:
            for rows in row_blocks(*out.shape):
                np.divide(_product(queries[rows], keys), root, out=out[rows], casting="same_kind")
        else:
            np.einsum("qd,kd->qk", queries, keys, out=out)
            out /= root
    refuse_overflow("scores", out, queries, keys)


def refuse_overflow(name: str, product: FloatArray, left: FloatArray, right: FloatArray) -> None:
    """Raise ValueError where a matrix product is not finite."""
    if np.isfinite(product.min(initial=0)) and np.isfinite(product.max(initial=0)):
        return
    raise ValueError(
        f"{name} must fit into {product.dtype}, got an overflow from products of numbers up "
        f"to {np.abs(left).max():.3g} and {np.abs(right).max():.3g}"
    )


def _product(queries: FloatArray, keys: FloatArray) -> FloatArray:
    """Return ``queries @ keys.T``, ``TERMS`` features at a time in their order."""
    product: FloatArray = queries[:, :TERMS] @ keys[:, :TERMS].T  # (n_rows, n_keys)
    for start in range(TERMS, queries.shape[1], TERMS):
        some = slice(start, start + TERMS)
        product += queries[:, some] @ keys[:, some].T
    return product
