"""Matrix products that let equal keys tie bit for bit, and refuse to overflow."""

import math
from collections.abc import Iterator

import numpy as np

from core.door import FloatArray, IntArray
from core.rows import block_shape, row_blocks

# From so many scores on, float32 is left to BLAS.
MANY_PAIRS = 512 * 512

# Bytes of scores at a time: a matrix product wants more rows than a softmax does.
PRODUCT = 2**22


class PairScores:
    """``queries @ keys.T / sqrt(d_key)``, all at once or a few rows at a time.

    A BLAS product rounds a pair by its place in the matrix: equal keys do not tie, and a new
    order of the tokens moves the scores. einsum sums each pair alike, but ten times slower. So
    BLAS serves large float32 matrices alone, and there one column for all equal keys.
    """

    def __init__(self, queries: FloatArray, keys: FloatArray) -> None:
        self.queries, self.keys = queries, keys  # (n_queries, d_key), (n_keys, d_key)
        self.blas = queries.dtype == np.float32 and len(queries) * len(keys) >= MANY_PAIRS
        if self.blas:
            self.distinct, self.which = distinct(keys)

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """All scores, a few rows at a time; each block lies where the last one was."""
        shape = len(self.queries), len(self.keys)
        cells = PRODUCT // self.queries.itemsize
        room = np.empty(block_shape(*shape, cells), self.queries.dtype)
        for some in row_blocks(*shape, cells):
            scores = room[: some.stop - some.start]  # (some rows, n_keys)
            self.write(scores, some)
            for rows in row_blocks(*scores.shape):
                yield slice(some.start + rows.start, some.start + rows.stop), scores[rows]

    def write(self, out: FloatArray, rows: slice | IntArray) -> None:
        """Write the scores of some rows into ``out``, of shape (n_rows, n_keys).

        Raises
        ------
        ValueError
            If a score does not fit into the number type.
        """
        queries = self.queries[rows]  # (n_rows, d_key)
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            if not self.blas:
                np.einsum("qd,kd->qk", queries, self.keys, out=out)
            elif len(self.distinct) == len(self.keys):
                np.matmul(queries, self.keys.T, out=out)
            else:
                for some in row_blocks(*out.shape):
                    columns = queries[some] @ self.distinct.T  # (some rows, n_distinct)
                    columns.take(self.which, axis=1, out=out[some], mode="clip")
            out /= math.sqrt(queries.shape[1])
        refuse_overflow("scores", out, self.queries, self.keys)


def mix(weights: FloatArray, values: FloatArray) -> FloatArray:
    """``weights @ values``, refused where it overflows.

    Rows of equal weights give outputs that are equal: bit for bit where einsum sums them, up to
    rounding where BLAS does, in large float32 matrices.
    """
    blas = weights.dtype == values.dtype == np.float32 and weights.size >= MANY_PAIRS
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        outputs: FloatArray = (
            weights @ values if blas else np.einsum("qk,kd->qd", weights, values)
        )  # (n_queries, d_value)
    refuse_overflow("outputs", outputs, weights, values)
    return outputs


def refuse_overflow(name: str, product: FloatArray, left: FloatArray, right: FloatArray) -> None:
    """Raise ValueError where a product, sum or difference of two matrices is not finite."""
    if np.isfinite(product.min(initial=0)) and np.isfinite(product.max(initial=0)):
        return
    raise ValueError(
        f"{name} must fit into {product.dtype}, got an overflow from numbers up "
        f"to {np.abs(left).max():.3g} and {np.abs(right).max():.3g}"
    )


def distinct(vectors: FloatArray) -> tuple[FloatArray, IntArray]:
    """Each vector once, and which of them every vector is."""
    data = (vectors + 0).tobytes()  # -0.0 becomes 0.0
    width = vectors.itemsize * vectors.shape[1]
    number: dict[bytes, int] = {}
    starts = range(0, len(data), width)
    which = np.array([number.setdefault(data[i : i + width], len(number)) for i in starts], np.intp)
    return np.frombuffer(b"".join(number), vectors.dtype).reshape(-1, vectors.shape[1]), which
