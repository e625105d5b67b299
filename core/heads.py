"""What every head can do, and the read that heads of three matrices share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np

from core.attention import Attention, attend
from core.attention import causal as causal_mask
from core.door import BoolArray, FloatArray, as_flag, as_tokens
from core.long_attention import LongAttention, attend_long
from core.positions import sinusoidal

Positions: TypeAlias = Literal["none", "sinusoidal"]


class Head(Protocol):
    """Anything that turns tokens into one read."""

    @property
    def name(self) -> str:
        """Short name for people."""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the value features, d_value long."""

    def attend(
        self,
        tokens: Sequence[str],
        *,
        sharpness: float = 1.0,
        causal: bool = False,
        positions: Positions = "none",
    ) -> Attention:
        """Read the tokens once."""

    def attend_long(
        self,
        tokens: Sequence[str],
        *,
        sharpness: float = 1.0,
        causal: bool = False,
        positions: Positions = "none",
    ) -> LongAttention:
        """Read tokens too many to keep a matrix of them."""

    def knows(self, token: str) -> bool:
        """Whether the head has a vector of its own making for the token."""


class ProjectedHead(ABC):
    """Head whose queries, keys and values are three matrices times the token's vector.

    Attributes
    ----------
    name : str
    feature_names : tuple of str, d_value long
    to_queries, to_keys : ndarray of shape (d_model, d_key)
    to_values : ndarray of shape (d_model, d_value)
    """

    name: str
    feature_names: tuple[str, ...]
    to_queries: FloatArray
    to_keys: FloatArray
    to_values: FloatArray

    @abstractmethod
    def vector(self, token: str) -> FloatArray:
        """Vector of the token, of shape (d_model,)."""

    @abstractmethod
    def knows(self, token: str) -> bool:
        """Whether the head has a vector of its own making for the token."""

    def attend(
        self,
        tokens: Sequence[str],
        *,
        sharpness: float = 1.0,
        causal: bool = False,
        positions: Positions = "none",
    ) -> Attention:
        """Read of the tokens by themselves: each position asks, and each is asked.

        Parameters
        ----------
        tokens : sequence of str, n long
        sharpness : float, 0 to infinity
            Multiplies the scores; 1 is ordinary attention.
        causal : bool
            Whether a position may read only itself and those before it.
        positions : {"none", "sinusoidal"}
            What is added to the token vectors, if anything.

        Returns
        -------
        Attention
            With n queries and n keys.

        Raises
        ------
        ValueError
            If ``tokens`` is one str, or a setting is not one of those above.

        Examples
        --------
        >>> from core import LessonHead
        >>> LessonHead().attend(["the", "cat"], sharpness=0).weights
        array([[0.5, 0.5],
               [0.5, 0.5]])
        """
        tokens = as_tokens("tokens", tokens)
        return attend(
            *self._vectors(tokens, positions),
            sharpness=sharpness,
            allowed=_mask(causal, len(tokens)),
            query_tokens=tokens,
            key_tokens=tokens,
        )

    def attend_long(
        self,
        tokens: Sequence[str],
        *,
        sharpness: float = 1.0,
        causal: bool = False,
        positions: Positions = "none",
    ) -> LongAttention:
        """Read of tokens too many to keep a matrix of them; everything else is as in `attend`.

        Examples
        --------
        >>> from core import LessonHead
        >>> read = LessonHead().attend_long(["the", "cat"] * 1000)
        >>> read.weights(1999)[0, :2].round(6), read.overview(256).pooled.values.shape
        (array([0.0005, 0.0005]), (256, 256))
        """
        tokens = as_tokens("tokens", tokens)
        return attend_long(
            *self._vectors(tokens, positions),
            sharpness=sharpness,
            allowed=_mask(causal, len(tokens)),
            query_tokens=tokens,
            key_tokens=tokens,
        )

    def _vectors(
        self, tokens: tuple[str, ...], positions: Positions
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return queries and keys, each (n, d_key), and values, (n, d_value)."""
        if positions not in get_args(Positions):
            raise ValueError(f'positions must be "none" or "sinusoidal", got {positions!r}')
        n, d_model = len(tokens), self.to_queries.shape[0]
        known = {token: self.vector(token) for token in set(tokens)}  # each token is hashed once
        rows = [known[token] for token in tokens]
        vectors = np.array(rows, dtype=np.float64).reshape(n, d_model)  # (n, d_model)
        if positions == "sinusoidal":
            vectors = vectors + sinusoidal(n, d_model)  # (n, d_model)
        return (
            _project(vectors, self.to_queries),
            _project(vectors, self.to_keys),
            _project(vectors, self.to_values),
        )


def _mask(causal: bool, n: int) -> BoolArray | None:
    return causal_mask(n) if as_flag("causal", causal) else None


def _project(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return vectors @ matrix, equal rows for equal vectors wherever they stand."""
    product: FloatArray = np.einsum("nm,md->nd", vectors, matrix)
    return product
