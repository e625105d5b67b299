"""A head made by hand: small vectors a person can read, and a table of who looks for what."""

from typing import Final
from unicodedata import category

import numpy as np

from core.door import FloatArray
from core.hashing import hashed_uniform
from core.heads import ProjectedHead

# Nine, so that the scores are divided by sqrt(9) = 3.
FEATURES: Final = (
    "determiner",
    "animal",
    "person",
    "acts",  # how much it acts
    "action",
    "relation",
    "thing",
    "place",
    "quality",
)

# What a word offers: its key, and its value.
WORDS: Final[dict[str, dict[str, float]]] = {
    # determiners
    "the": {"determiner": 1},
    "a": {"determiner": 0.9},
    "an": {"determiner": 0.8},
    "this": {"determiner": 0.7, "quality": 0.1},
    "every": {"determiner": 0.6, "quality": 0.2},
    # animals
    "cat": {"animal": 1, "acts": 1},
    "dog": {"animal": 1, "acts": 1.4},
    "bird": {"animal": 0.9, "acts": 1.2},
    "mouse": {"animal": 0.8, "acts": 0.6},
    "horse": {"animal": 1.1, "acts": 1.3},
    "cow": {"animal": 1.1, "acts": 0.5},
    "fish": {"animal": 0.7, "acts": 0.7},
    "fox": {"animal": 0.9, "acts": 1.5},
    # people
    "girl": {"person": 1, "acts": 1.1},
    "boy": {"person": 1, "acts": 1.2},
    "child": {"person": 0.9, "acts": 1.3},
    "woman": {"person": 1.1, "acts": 1},
    "man": {"person": 1.1, "acts": 0.9},
    "teacher": {"person": 1.2, "acts": 0.8},
    "friend": {"person": 0.8, "acts": 0.7},
    # pronouns
    "i": {"person": 0.7, "acts": 1.1},
    "you": {"person": 0.7, "acts": 1},
    "he": {"person": 0.6, "acts": 1.1},
    "she": {"person": 0.6, "acts": 1.2},
    "they": {"person": 0.5, "acts": 1.3},
    "it": {"animal": 0.3, "acts": 0.6, "thing": 0.3},
    # actions
    "sat": {"action": 1},
    "slept": {"action": 0.7},
    "stood": {"action": 0.8},
    "was": {"action": 0.4},
    "saw": {"action": 0.9},
    "ate": {"action": 1.1},
    "walked": {"action": 1.2},
    "jumped": {"action": 1.3},
    "ran": {"action": 1.4},
    "chased": {"action": 1.5},
    # relations
    "on": {"relation": 1},
    "under": {"relation": 1.1},
    "over": {"relation": 1.2},
    "behind": {"relation": 1.05},
    "in": {"relation": 0.9, "place": 0.1},
    "near": {"relation": 0.8, "place": 0.1},
    "to": {"relation": 0.8, "place": 0.2},
    "with": {"relation": 0.7},
    # things
    "mat": {"thing": 1},
    "hat": {"thing": 0.9},
    "ball": {"thing": 0.8, "acts": 0.1},
    "book": {"thing": 0.85},
    "box": {"thing": 0.95},
    "chair": {"thing": 1.05},
    "table": {"thing": 1.1},
    "bed": {"thing": 1.1, "place": 0.2},
    "tree": {"thing": 0.9, "place": 0.4},
    "car": {"thing": 1, "acts": 0.4},
    # places
    "house": {"place": 1, "thing": 0.3},
    "garden": {"place": 1.1},
    "park": {"place": 1},
    "street": {"place": 0.9},
    "school": {"place": 1.1, "person": 0.1},
    "river": {"place": 0.9, "acts": 0.2},
    # qualities
    "big": {"quality": 1},
    "small": {"quality": 0.8},
    "old": {"quality": 0.7},
    "red": {"quality": 0.9},
    "happy": {"quality": 1.1},
    "quick": {"quality": 1.2},
    "lazy": {"quality": 0.6},
}

# What a word looks for. Row: a feature of the word that asks; entry: a feature of the word that
# is asked, and how much the one looks for the other. A word of several features looks for the sum.
LOOKS_FOR: Final[dict[str, dict[str, float]]] = {
    "determiner": {},  # nothing: a plain average of the sentence
    "animal": {"action": 3},  # what is it doing?
    "person": {"action": 3},
    "acts": {"action": 3},  # the more it acts, the more it asks
    "action": {"acts": 8.5},  # who does it?
    "relation": {"thing": 14, "place": 14},  # on what? where?
    "thing": {"acts": 3, "action": 2, "relation": 1},  # who does what with it? mildly
    "place": {"acts": 2, "action": 3, "relation": 2},
    "quality": {"animal": 6, "person": 6, "thing": 6, "place": 6},  # which one is so?
}

# An unknown word has a little of everything, never as much as a known one has of its own kind.
UNKNOWN_UP_TO: Final = 0.6


class LessonHead(ProjectedHead):
    """Head whose every number can be read: nine named features, and what looks for what.

    A word's key and value are its features; its query is what ``LOOKS_FOR`` says of them. Known
    words are found in any case and with punctuation around them. Any other word has features
    from a hash of its token, the same on every machine.

    Examples
    --------
    >>> head = LessonHead()
    >>> read = head.attend("the cat sat on the mat".split())
    >>> read.weights[2].round(2)  # sat looks for who acts
    array([0.05, 0.77, 0.05, 0.05, 0.05, 0.05])
    >>> read.weights[0] == 1 / 6  # the looks for nothing
    array([ True,  True,  True,  True,  True,  True])
    >>> head.knows("Mat."), head.knows("zyzzyva")
    (True, False)
    """

    def __init__(self) -> None:
        self.name = "lesson"
        self.feature_names = FEATURES
        self.to_queries = np.array([_row(LOOKS_FOR[name]) for name in FEATURES])  # (9, 9)
        self.to_keys = np.eye(len(FEATURES))  # (9, 9)
        self.to_values = np.eye(len(FEATURES))  # (9, 9)

    def vector(self, token: str) -> FloatArray:
        """Features of the token, of shape (9,), in the order of ``feature_names``."""
        word = _word(token)
        if word in WORDS:
            return _row(WORDS[word])
        return UNKNOWN_UP_TO * hashed_uniform(f"lesson head, token {token}", len(FEATURES))

    def knows(self, token: str) -> bool:
        """Whether the token is one of the lesson's words."""
        return _word(token) in WORDS


def _word(token: str) -> str:
    """Return the word in a token: no punctuation around it, no capitals.

    Marks on its last letter belong to it: an accent makes another word.
    """
    ours = [place for place, letter in enumerate(token) if letter.isalnum()]
    if not ours:
        return ""
    end = ours[-1] + 1
    while end < len(token) and category(token[end]).startswith("M"):
        end += 1
    return token[ours[0] : end].casefold()


def _row(features: dict[str, float]) -> FloatArray:
    """Return the named numbers in the order of the features, of shape (9,)."""
    return np.array([features.get(name, 0.0) for name in FEATURES])
