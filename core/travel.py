"""How each row travels between blend and copy as sharpness grows."""

import numpy as np
from numpy.typing import ArrayLike

from core.attention import attention_weights
from core.door import FloatArray
from core.measures import copy_blend


def travel(
    scores: ArrayLike, sharpnesses: ArrayLike, *, allowed: ArrayLike | None = None
) -> FloatArray:
    """Copy-to-blend measure of every row at every sharpness.

    No row ever rises: entropy does not grow with sharpness.

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
    >>> travel(np.array([[0.0, np.log(3.0)]]), [0.0, 1.0, np.inf]).round(3)
    array([[1.   ],
           [0.811],
           [0.   ]])
    """
    rows = [
        copy_blend(attention_weights(scores, sharpness=sharpness, allowed=allowed), allowed)
        for sharpness in np.asarray(sharpnesses, dtype=float).tolist()
    ]  # each (n_queries,)
    return np.array(rows).reshape(len(rows), np.shape(scores)[0])  # (n_sharpnesses, n_queries)
