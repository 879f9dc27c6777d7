"""Recurring scheduled events, with Discord's restrictions on their rules.

The restrictions are documented ("System limitations" of guild scheduled events). Issue 6885 of Discord's documentation
says that a recurring event is rescheduled on completion, and issue 7020 that an end of the rule is refused.
"""

from datetime import UTC, datetime, timedelta

from tests.standin import rest
from tests.standin.rest import RefusedError
from tests.standin.things import Json

WEEKLY, DAILY = 2, 3
TAKEN = {"start", "frequency", "interval", "by_weekday"}
"""Of the fields of a rule those that are taken from applications for days and weeks."""


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    assert found.tzinfo is not None, "a time without a zone"
    return found.astimezone(UTC)


def check_recurrence(event: Json) -> None:
    """Refuse a rule that Discord does not take, and one that begins at another time than the event itself."""
    rule = event.get("recurrence_rule")
    if rule is None:
        return
    start = _moment(rule["start"])
    weekdays = rule.get("by_weekday")
    weekly = rule["frequency"] == WEEKLY
    well = (
        not rule.keys() - TAKEN
        and rule["frequency"] in (WEEKLY, DAILY)
        and rule["interval"] in ((1, 2) if weekly else (1,))
        and (weekdays == [start.weekday()] if weekly else weekdays is None)
        and start == _moment(event["scheduled_start_time"])
        and _moment(event["scheduled_end_time"]) > start
    )
    if not well:
        raise RefusedError(400, rest.INVALID_FORM)


def go_on(event: Json) -> None:
    """One that was completed and repeats is scheduled for its next date."""
    rule = event.get("recurrence_rule")
    if rule is None:
        return
    step = timedelta(days=7 * rule["interval"] if rule["frequency"] == WEEKLY else 1)
    for name in ("scheduled_start_time", "scheduled_end_time"):
        event[name] = (_moment(event[name]) + step).isoformat()
    event["recurrence_rule"] = {**rule, "start": event["scheduled_start_time"]}
    event["status"] = 1
