from tablestate_service.adapters.postgres_feed import payloads

LIMIT = 8000


def test_news_are_told_in_as_few_notifications_as_can_hold_them() -> None:
    news = {f"{number:032x}": number**4 for number in range(1, 700)}
    texts = list(payloads(news))
    told = dict(each.split(":") for text in texts for each in text.split())
    assert told == {match_id: str(version) for match_id, version in news.items()}
    assert all(len(text.encode()) < LIMIT for text in texts)
    assert len(texts) == -(-sum(len(text) + 1 for text in texts) // 7900)


def test_one_match_is_one_notification() -> None:
    assert list(payloads({"a": 1})) == ["a:1"]
