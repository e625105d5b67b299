"""How each row travels between blend and copy as sharpness grows."""

from numpy.typing import ArrayLike

from core.door import FloatArray, as_allowed, as_floats, as_number, as_scores
from core.measures import share_of_largest
from core.rows import row_blocks
from core.spread import choices, entropies


def travel(
    scores: ArrayLike, sharpnesses: ArrayLike, *, allowed: ArrayLike | None = None
) -> FloatArray:
    """Copy-to-blend measure of every row at every sharpness.

    No row ever rises: entropy does not grow with sharpness. No weights are kept.

    Parameters
    ----------
    scores : ndarray of shape (n_queries, n_keys)
        Before softmax and before sharpness.
    sharpnesses : array of float of shape (n_sharpnesses,), 0 to infinity
        In any order.
    allowed : boolean ndarray of shape (n_queries, n_keys), optional
        Which keys a query may use; all by default.

    Returns
    -------
    ndarray of shape (n_sharpnesses, n_queries)
        0 copy … 1 blend; NaN where fewer than two keys are allowed.

    Raises
    ------
    ValueError
        As `attention_weights` does.

    Examples
    --------
    >>> import numpy as np
    >>> travel(np.array([[0.0, np.log(3.0)]]), [0.0, 1.0, np.inf]).round(3)
    array([[1.   ],
           [0.811],
           [0.   ]])
    """
    scores = as_scores(scores)  # (n_queries, n_keys)
    if scores.ndim != 2:
        raise ValueError(f"scores must have two axes, got shape {scores.shape}")
    given = as_floats("sharpnesses", sharpnesses)  # (n_sharpnesses,)
    if given.ndim != 1:
        raise ValueError(f"sharpnesses must have one axis, got shape {given.shape}")
    steps = [as_number("sharpness", step) for step in given.tolist()]
    usable = None if allowed is None else as_allowed(allowed, scores.shape)
    blocks = ((rows, scores[rows]) for rows in row_blocks(*scores.shape))
    nats = entropies(blocks, scores.shape, steps, usable)  # (n_sharpnesses, n_queries)
    return share_of_largest(nats, choices(usable, scores.shape))
