"""A large matrix a few rows at a time, so that no step needs a second one of its size."""

from collections.abc import Iterator

from core.door import BoolArray

# Few enough to stay in the processor's cache, many enough to keep its vector units busy.
CELLS = 2**16


def row_blocks(n_rows: int, n_columns: int, cells: int = CELLS) -> Iterator[slice]:
    """Slices that take all rows in turn, each of about as many cells, one row at least.

    Examples
    --------
    >>> [block.indices(5)[:2] for block in row_blocks(5, 100, cells=200)]
    [(0, 2), (2, 4), (4, 5)]
    """
    step, _ = block_shape(n_rows, n_columns, cells)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def block_shape(n_rows: int, n_columns: int, cells: int = CELLS) -> tuple[int, int]:
    """Rows and columns of the largest block: room that serves each in turn.

    Fresh memory costs more than the arithmetic done in it.
    """
    return max(1, min(n_rows, cells // max(1, n_columns))), n_columns


def cut(mask: BoolArray | None, rows: slice) -> BoolArray | None:
    """Some rows of a mask, if there is one."""
    return None if mask is None else mask[rows]
