"""Where a token stands, written as waves."""

import numpy as np

from core.door import FloatArray, as_whole


def sinusoidal(n: int, d_model: int) -> FloatArray:
    """Sines and cosines of each position, one wavelength a pair of columns.

    Wavelengths grow from 2π to 10000 · 2π, so that no two positions look alike.

    Parameters
    ----------
    n : int
        Number of positions, counted from 0.
    d_model : int
        Number of columns. If odd, the last column is a sine.

    Returns
    -------
    ndarray of shape (n, d_model)
        -1 to 1. Even columns are sines, odd columns cosines.

    Raises
    ------
    ValueError
        If ``n`` or ``d_model`` is no whole number of 0 or more.

    References
    ----------
    Vaswani et al., Attention Is All You Need, 2017, sec. 3.5. https://arxiv.org/abs/1706.03762

    Examples
    --------
    >>> sinusoidal(2, 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    """
    n, d_model = as_whole("n", n), as_whole("d_model", d_model)
    column = np.arange(d_model)  # (d_model,)
    rate = 10000.0 ** -((column - column % 2) / max(d_model, 1))  # (d_model,)
    angle = np.arange(n)[:, np.newaxis] * rate  # (n, d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))  # (n, d_model)
