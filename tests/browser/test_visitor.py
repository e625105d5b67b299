"""The guard that every browser test relies on can itself turn red."""

import pytest


@pytest.mark.parametrize(
    ("act", "noticed"),
    [
        ("console.error('planted')", "console error: planted"),
        ("setTimeout(() => { throw new Error('planted') })", "page error: planted"),
        ("fetch('http://elsewhere.invalid/').catch(() => {})", "request to another host: http://el"),
        ("fetch('/_stcore/planted')", "console error: Failed to load resource"),
    ],
)
def test_what_goes_wrong_in_the_browser_is_noticed(visitor, act, noticed):
    visitor.open()
    assert visitor.problems == []
    visitor.page.evaluate(f"() => {{ {act} }}")
    visitor.page.wait_for_function("() => true")
    visitor.settle()
    assert any(problem.startswith(noticed) for problem in visitor.problems)
    visitor.problems.clear()
