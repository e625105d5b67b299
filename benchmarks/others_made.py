"""The pages that other tools make of the same weights, written into a folder.

Runs in whichever Python has the tools; what is not installed is left out.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

LAYERS, HEADS, N = 12, 12, 128
TOKENS = [f"w{i}" for i in range(N)]


def main() -> None:
    """Write one page a tool and view."""
    folder = Path(sys.argv[1])
    for name, make in PAGES.items():
        try:
            page = make()
        except ImportError:
            continue
        whole = f'<!doctype html><meta charset="utf-8"><body>{page}</body>'
        (folder / f"{name}.html").write_text(whole, encoding="utf-8")


def weights() -> np.ndarray:
    """Causal weights of random scores, of shape (layers, heads, n, n)."""
    scores = np.random.default_rng(0).normal(size=(LAYERS, HEADS, N, N)).astype(np.float32)
    masses = np.exp(2 * scores) * np.tri(N, dtype=np.float32)
    return masses / masses.sum(axis=-1, keepdims=True)


def layers() -> list:
    """The weights as BertViz wants them: a tensor a layer, with an axis for the batch."""
    import torch

    return [torch.from_numpy(layer[None]) for layer in weights()]


def bertviz_model_view() -> str:
    """All layers and heads as small pictures."""
    from bertviz import model_view

    return model_view(layers(), TOKENS, html_action="return").data


def bertviz_head_view() -> str:
    """One layer at a time, lines between two columns of tokens."""
    from bertviz import head_view

    return head_view(layers(), TOKENS, html_action="return").data


def circuitsvis_one_layer() -> str:
    """The heads of one layer; there is no view of more."""
    from circuitsvis.attention import attention_patterns

    return attention_patterns(TOKENS, weights()[0]).local_src


def inspectus_all() -> str:
    """All layers and heads, as its notebook cell shows them."""
    import IPython.display
    from inspectus import attention

    parts: list[str] = []
    IPython.display.display = lambda part: parts.append(part.data)
    attention(weights(), TOKENS)
    return "".join(parts)


PAGES: dict[str, Callable[[], str]] = {
    "inspectus": inspectus_all,
    "CircuitsVis, one layer": circuitsvis_one_layer,
    "BertViz, head view": bertviz_head_view,
    "BertViz, model view": bertviz_model_view,
}

if __name__ == "__main__":
    main()
