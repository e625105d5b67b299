"""The guard that every browser test relies on can itself turn red."""

import pytest

ELSEWHERE = "http://elsewhere.invalid/"


@pytest.mark.parametrize(
    ("event", "act", "noticed"),
    [
        ("console", "console.error('planted')", "console error: planted"),
        ("console", "fetch('/media/planted.png')", "console error: Failed to load resource"),
        ("weberror", "setTimeout(() => { throw new Error('planted') })", "page error: planted"),
        ("request", f"fetch('{ELSEWHERE}')", "request to another host"),
    ],
)
def test_what_goes_wrong_in_the_browser_is_noticed(visitor, event, act, noticed):
    context = visitor.page.context
    answer = {"body": "", "headers": {"Access-Control-Allow-Origin": "*"}}
    context.route(ELSEWHERE, lambda route: route.fulfill(**answer))  # nothing leaves the machine
    visitor.open()
    assert visitor.problems == []
    with context.expect_event(event):
        visitor.page.evaluate(f"() => {{ {act} }}")
    assert [problem.startswith(noticed) for problem in visitor.problems] == [True]
    visitor.problems.clear()
