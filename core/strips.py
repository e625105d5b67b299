"""A matrix that comes a few rows at a time, pooled as it comes."""

import numpy as np

from core.door import FloatArray, IntArray
from core.pooling import Pooled, reduce_blocks


class Strips:
    """Rows pooled across, to be pooled down when all are there.

    Parameters
    ----------
    rule : ufunc of two cells
        ``numpy.maximum`` or ``numpy.minimum``.
    n_rows : int
    column_edges : ndarray of int of shape (n_column_blocks + 1,)
    """

    def __init__(self, rule: np.ufunc, n_rows: int, column_edges: IntArray) -> None:
        self.rule, self.column_edges = rule, column_edges
        self.rows = np.empty((n_rows, len(column_edges) - 1), np.float32)

    def put(self, rows: slice | IntArray, cells: FloatArray) -> None:
        """Take some rows, of shape (n_rows, n_columns)."""
        self.rows[rows] = reduce_blocks(self.rule, cells, self.column_edges, 1, self.rows.dtype)

    def pooled(self, order: IntArray, row_edges: IntArray) -> Pooled:
        """The rows of ``order``, each as often as it is named there, in blocks."""
        blocks = reduce_blocks(self.rule, self.rows[order], row_edges, 0, self.rows.dtype)
        return Pooled(blocks, row_edges, self.column_edges)
