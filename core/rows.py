"""A large matrix a few rows at a time, so that no step needs a second one of its size."""

from collections.abc import Iterator

# Few enough to stay in the processor's cache, many enough to keep its vector units busy.
CELLS = 2**17


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Slices that take all rows in turn, each of about ``CELLS`` cells.

    Examples
    --------
    >>> [block.indices(5)[:2] for block in row_blocks(5, CELLS // 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    step = max(1, CELLS // max(1, n_columns))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))
