"""Polls, as strictly as Discord takes them, and as it gives them back: counted for sure some time after their end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from tests.standin import rest
from tests.standin.rest import RefusedError
from tests.standin.things import Json, Message

MAX_ANSWERS, MAX_ANSWER_LENGTH, MAX_QUESTION_LENGTH, MAX_HOURS = 10, 55, 300, 768


def taken(body: Json, now_ms: int) -> Json:
    """The body of a new message with its poll as Discord gives it back; raises RefusedError for one that it refuses."""
    asked = body["poll"]
    texts = [answer["poll_media"]["text"] for answer in asked["answers"]]
    well = (
        1 <= len(texts) <= MAX_ANSWERS
        and all(1 <= len(text) <= MAX_ANSWER_LENGTH for text in texts)
        and 1 <= len(asked["question"]["text"]) <= MAX_QUESTION_LENGTH
        and 1 <= int(asked["duration"]) <= MAX_HOURS
        and not body.get("components")
    )
    if not well:
        raise RefusedError(400, rest.INVALID_FORM)
    numbers = range(1, len(texts) + 1)
    ends = datetime.fromtimestamp(now_ms / 1000, UTC) + timedelta(hours=int(asked["duration"]))
    answers = [{"answer_id": number, "poll_media": {"text": text}} for number, text in zip(numbers, texts, strict=True)]
    poll = {
        "question": asked["question"],
        "answers": answers,
        "expiry": ends.isoformat(),
        "allow_multiselect": bool(asked["allow_multiselect"]),
        "layout_type": 1,
        "results": {"is_finalized": False, "answer_counts": []},
    }
    return {**body, "poll": poll}


def count_votes(message: Message, votes: Mapping[int, int], *, finalized: bool) -> None:
    """Let a poll show so many votes for each answer; for sure once it is ``finalized``."""
    body = json.loads(message.body)
    counts = [{"id": answer, "count": count, "me_voted": False} for answer, count in votes.items()]
    body["poll"]["results"] = {"is_finalized": finalized, "answer_counts": counts}
    message.body = json.dumps(body, separators=(",", ":"))
