"""Attention as numbers: one head's read, what it does, and what moves it."""

from core.attention import Attention, attend, attention_weights, causal
from core.compare import Comparison, Reason, compare
from core.hashing import hashed_uniform
from core.heads import Head
from core.lesson import LessonHead
from core.long_attention import LongAttention, Overview, attend_long
from core.long_comparison import LongComparison, compare_long
from core.long_permutation import (
    LongPermutationCheck,
    check_long_permutation,
    long_permutation_causes,
)
from core.measures import (
    copy_blend,
    effective_positions,
    entropy,
    resharpen,
    total_variation,
)
from core.order import check_order, inverse_order
from core.permutation import (
    PermutationCheck,
    check_permutation,
    permutation_causes,
    permuted_residual,
)
from core.pooling import Pooled, mask_blocks, pool
from core.positions import sinusoidal
from core.random_head import RandomHead
from core.reading import Reading, read_row
from core.spread import Spread, spread, spread_of_scores
from core.travel import travel

__all__ = [
    "Attention",
    "Comparison",
    "Head",
    "LessonHead",
    "LongAttention",
    "LongComparison",
    "LongPermutationCheck",
    "Overview",
    "PermutationCheck",
    "Pooled",
    "RandomHead",
    "Reading",
    "Reason",
    "Spread",
    "attend",
    "attend_long",
    "attention_weights",
    "causal",
    "check_long_permutation",
    "check_order",
    "check_permutation",
    "compare",
    "compare_long",
    "copy_blend",
    "effective_positions",
    "entropy",
    "hashed_uniform",
    "inverse_order",
    "long_permutation_causes",
    "mask_blocks",
    "permutation_causes",
    "permuted_residual",
    "pool",
    "read_row",
    "resharpen",
    "sinusoidal",
    "spread",
    "spread_of_scores",
    "total_variation",
    "travel",
]
