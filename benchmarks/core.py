"""How core compares with SciPy, side by side: ``python benchmarks/core.py``.

Each line holds medians over interleaved pairs, so that a busy machine slows both alike. Extra
memory is the peak above what was held before, results included, as NumPy reports it. Accuracy is
the largest difference from the same softmax in 80 bits.
"""

import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from scipy.special import entr, softmax  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).parents[1]))  # core is run from its folder

from core import (
    LessonHead,
    attend,
    attention_weights,
    pool,
    spread,
    spread_of_scores,
    travel,
)
from core.lesson import WORDS

D_KEY = 64
SIZES = {"float32": (512, 1024, 2048, 4096), "float64": (512, 1024, 2048)}
PAIRS = {512: 41, 1024: 21, 2048: 11, 4096: 5}

Call = Callable[[], object]


def main() -> None:
    """Print one line a task, number type and size."""
    print(f"{'task':<36}{'type':<9}{'n':>5}{'core':>11}{'scipy':>11}{'ratio':>7}{'memory':>19}")
    for kind, sizes in SIZES.items():
        for n in sizes:
            for task, (ours, theirs) in tasks(n, kind).items():
                report(task, kind, n, ours, theirs)
    print()
    for kind, sharpnesses in {"float32": (0.1, 1, 5, 20), "float64": (0.1, 1, 5, 20, 1000)}.items():
        worst = max(entropy_error(kind, sharpness) for sharpness in sharpnesses)
        print(f"entropy, {kind}, sharpness up to {sharpnesses[-1]}: right to {worst:.1e} nats")
    print()
    rng = np.random.default_rng(0)
    few, many = rng.normal(size=(64, 64)), rng.normal(size=(2048, 2048)).astype(np.float32)
    alone("travel, n = 64, 49 sharpnesses", lambda: travel(few, np.linspace(0, 12, 49)), 41)
    alone("travel, n = 2048, 9 sharpnesses", lambda: travel(many, np.linspace(0, 12, 9)), 3)
    alone("pool by max, n = 2048 to 128", lambda: pool(many, 128), 11)
    alone("pool by mean, n = 2048 to 128", lambda: pool(many, 128, "mean"), 11)
    print()
    for n in (6, 64, 512, 2048):
        lesson(n)


def lesson(n: int) -> None:
    """Print what the dashboard asks of the lesson's head, about a text of n tokens."""
    known = [*WORDS, *(f"w{i}" for i in range(n))]
    tokens = [known[i] for i in np.random.default_rng(n).integers(0, len(known), n)]
    head = LessonHead()
    alone(f"lesson, n = {n}, attend", lambda: head.attend(tokens), 5)
    alone(f"lesson, n = {n}, attend_long", lambda: head.attend_long(tokens), 11)
    for name, causal in (("overview", False), ("overview, causal", True)):
        read = head.attend_long(tokens, causal=causal)
        alone(f"lesson, n = {n}, {name}", lambda read=read: read.overview(512), 11)
    alone(f"lesson, n = {n}, 48 rows", lambda: read.weights(slice(0, 48)), 11)
    alone(f"lesson, n = {n}, one row", lambda: read.weights(n - 1), 11)


def entropy_error(kind: str, sharpness: float) -> float:
    """Largest error of an entropy in nats, over 64 rows of 2048 scores."""
    scores = np.random.default_rng(0).normal(size=(64, 2048)).astype(kind)
    weights = softmax(sharpness * scores.astype(np.longdouble), axis=-1)
    logs = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    exact = -(weights * logs).sum(axis=-1)  # (64,)
    ours = spread_of_scores(scores, sharpness=sharpness).entropy
    return float(np.abs(ours - exact).max())


def tasks(n: int, kind: str) -> dict[str, tuple[Call, Call]]:
    """Pairs of calls that answer the same question: core's, and SciPy's."""
    rng = np.random.default_rng(0)
    queries, keys, values = (rng.normal(size=(n, D_KEY)).astype(kind) for _ in range(3))
    root = np.asarray(np.sqrt(D_KEY), kind)
    scores = queries @ keys.T / root
    return {
        "entropy from scores": (
            lambda: spread_of_scores(scores),
            lambda: entr(softmax(scores, axis=-1)).sum(axis=-1),
        ),
        "entropy from queries and keys": (
            lambda: spread(queries, keys),
            lambda: entr(softmax(queries @ keys.T / root, axis=-1)).sum(axis=-1),
        ),
        "weights from scores": (
            lambda: attention_weights(scores),
            lambda: softmax(scores, axis=-1),
        ),
        "scores, weights and outputs": (
            lambda: attend(queries, keys, values),
            lambda: softmax(queries @ keys.T / root, axis=-1) @ values,
        ),
    }


def report(task: str, kind: str, n: int, ours: Call, theirs: Call) -> None:
    """Print the median times of both, the median of their ratios, and their memory."""
    ours(), theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(PAIRS[n])]
    mine, other = (1e3 * median(column) for column in zip(*pairs, strict=True))
    ratio = median(a / b for a, b in pairs)
    print(
        f"{task:<36}{kind:<9}{n:>5}{mine:>8.1f} ms{other:>8.1f} ms{ratio:>7.2f}"
        f"{megabytes(ours):>8.1f} : {megabytes(theirs):>5.1f} MB",
        flush=True,
    )


def alone(task: str, call: Call, times: int) -> None:
    """Print the median and the least time of a task that SciPy has no word for."""
    call()
    taken = [1e3 * seconds(call) for _ in range(times)]
    print(
        f"{task:<36}{median(taken):>8.1f} ms, least {min(taken):.1f} ms, {megabytes(call):.1f} MB"
    )


def seconds(call: Call) -> float:
    """Time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def megabytes(call: Call) -> float:
    """Most memory that one call held at a time."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    main()
