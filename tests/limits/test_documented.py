"""Every limit of `docs/limits.md` has its test, or refuses nothing; and nothing else has one."""

import ast
import re
from collections.abc import Iterator

from limits import test_engine, test_gateway, test_requests, test_server
from tools.sources import ROOT

TESTED = test_requests.ROWS | test_server.ROWS | test_engine.ROWS | test_gateway.ROWS
ELSEWHERE = {
    "a reply": "integration/test_simulate.py::"
    "test_a_reply_larger_than_clients_take_is_refused_before_anything_is_done",
    "requests worked on at the same time": "integration/test_simulate.py::"
    "test_two_batches_are_in_flight_and_answered_in_order",
    "leaves of all trees in a message; the report": "integration/test_evaluating.py::"
    "test_what_cannot_be_searched_is_named",
    "answers to a message of leaves": "integration/test_evaluating.py::"
    "test_wrong_answers_end_the_stream_and_are_named",
    "actions worked on at the same time": "integration/test_play.py::"
    "test_actions_sent_at_once_are_answered_in_their_order",
    "its first message, `begin`": "integration/test_play.py::"
    "test_a_stream_that_does_not_begin_is_ended",
    "matches": "integration/test_play.py::test_a_stream_begins_once_and_with_the_right_token",
    "`slow_reader_seconds`": "integration/test_watching.py::"
    "test_whoever_reads_too_slowly_is_told_where_to_resume",
    "its pieces of base64, each padded, by gRPC-Web text": "gateway/test_refusals.py::"
    "test_a_text_of_many_pieces_is_not_decoded",
    "requests behind a stream on its connection, before it has ended": "gateway/test_connections.py"
    "::test_a_watch_behind_which_more_is_asked_for_is_ended",
    "what is kept for a reader of a stream": "gateway/test_connections.py::"
    "test_a_reader_that_takes_nothing_is_ended",
    "a browser that has vanished without a word, as one that lost its net": "gateway/test_serve.py"
    "::test_a_connection_is_asked_whether_its_browser_is_still_there",
    "streams of requests (`Play`, `Simulate`, `Evaluate`)": "gateway/test_refusals.py::"
    "test_a_stream_of_requests_is_unimplemented",
    "`drain_seconds`": "faults/test_watchers.py::"
    "test_a_drain_ends_a_thousand_watches_in_ten_seconds",
    "`engine_seconds`": "integration/test_playouts.py::test_too_much_long_work_is_refused",
    "`calls_per_key`": "integration/test_access.py::"
    "test_each_key_has_its_pace_and_those_without_that_of_their_peer",
    "`calls_per_peer`": "integration/test_access.py::"
    "test_each_key_has_its_pace_and_those_without_that_of_their_peer",
    "proposals of a seat between two actions": "unit/test_proposals.py::"
    "test_proposals_come_to_an_end",
    "rematches of a match that were aborted": "integration/test_rematch.py::"
    "test_a_rematch_that_was_aborted_does_not_block_the_next",
    "a pause": "unit/test_proposals.py::test_a_pause_ends_by_itself",
    "PostgreSQL does not answer": "contract/test_postgres_store.py::"
    "test_a_server_that_stays_away_is_told",
    "news of a match on other nodes": "integration/test_nodes.py::"
    "test_without_notifications_watchers_hear_of_everything_by_the_poll",
    "a turn that a bot thinks about": "contract/test_postgres_store.py::"
    "test_a_turn_is_claimed_by_one_node",
    "a webhook": "integration/test_webhooks.py::test_another_node_goes_on_where_one_was_killed",
}
"""What is measured in seconds, or in bytes that no caller can choose to the byte."""
NO_CAP = {"`bot_threads`", "`engine_threads`", "`store_connections`", "a tree"}
"""What makes others wait or stops growing, and refuses nothing."""
_HEADS = ("what", "setting", "variable", "---")


def rows() -> Iterator[str]:
    """The first cells of the tables, but for that of variables, which are no limits."""
    text = (ROOT / "docs/limits.md").read_text()
    limits = text[text.index("## Of a request") :]
    cells = re.findall(r"^\| (.*?) \|", limits, re.MULTILINE)
    return (each for each in cells if each not in _HEADS)


def functions(path: str) -> set[str]:
    """The tests of a file."""
    tree = ast.parse((ROOT / "tests" / path).read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {each.name for each in tree.body if isinstance(each, kinds)}


def test_each_limit_of_the_document_is_tested_and_each_that_is_tested_is_in_it() -> None:
    documented = list(rows())
    assert len(documented) == len(set(documented))
    assert set(documented) == TESTED | ELSEWHERE.keys() | NO_CAP


def test_no_limit_is_listed_twice() -> None:
    assert not TESTED & ELSEWHERE.keys() and not NO_CAP & (TESTED | ELSEWHERE.keys())


def test_the_tests_elsewhere_are_there() -> None:
    for named in ELSEWHERE.values():
        path, _, name = named.partition("::")
        assert name in functions(path), named
