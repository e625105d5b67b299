"""What every room's tests share: repeatable examples, and no quiet skipping in CI."""

import os
from collections.abc import Callable
from typing import NoReturn

import pytest
from hypothesis import settings

# The same examples on every machine and in every run: a red test stays red.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def unavailable() -> Callable[[str], NoReturn]:
    """Skip for want of a tool, or fail where CI=true promises that the tool is there."""

    def stop(reason: str) -> NoReturn:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}; CI=true promises that it is here")
        pytest.skip(reason)

    return stop
