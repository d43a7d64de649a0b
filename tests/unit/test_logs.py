import json
import logging
import sys

from tablestate_service.logs import JsonFormatter


def test_a_record_is_one_json_line_with_what_the_call_added() -> None:
    record = logging.makeLogRecord(
        {"name": "tablestate_service", "levelname": "INFO", "msg": "two\nlines", "created": 0.5}
    )
    record.match_id = "cafe"
    line = JsonFormatter().format(record)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["message"], told["match_id"]) == ("info", "two\nlines", "cafe")
    assert told["time"].startswith("1970-01-01T00:00:00.")


def test_an_exception_comes_with_its_stack() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": sys.exc_info()})
    assert "ValueError: broken" in json.loads(JsonFormatter().format(record))["stack"]
