"""Property tests that try the same examples on every machine."""

from hypothesis import settings

settings.register_profile("same everywhere", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("same everywhere")
