"""Pictures that people ask for: once for all who ask for the same, and apart from everything else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from bot.chat.art.asked_pictures import MAX_PICTURES, AskedPictures


@pytest.fixture
def pictures() -> Iterator[AskedPictures]:
    opened = AskedPictures()
    yield opened
    opened.close()


async def test_what_many_ask_for_is_drawn_once(pictures: AskedPictures) -> None:
    drawn: list[str] = []

    def drawing() -> bytes:
        drawn.append("page")
        return b"picture"

    assert await asyncio.gather(*(pictures.draw(("page", 1), drawing) for _ in range(150))) == [b"picture"] * 150
    assert await pictures.draw(("page", 1), drawing) == b"picture"
    assert drawn == ["page"]
    await pictures.draw(("page", 2), drawing)
    assert drawn == ["page", "page"], "what stands on it is another"


async def test_the_oldest_are_forgotten(pictures: AskedPictures) -> None:
    drawn: list[int] = []

    def drawing(page: int) -> bytes:
        drawn.append(page)
        return b""

    for page in (*range(MAX_PICTURES + 1), MAX_PICTURES, 0):
        await pictures.draw(page, lambda page=page: drawing(page))  # type: ignore[misc]
    assert drawn == [*range(MAX_PICTURES + 1), 0]


async def test_one_that_could_not_be_drawn_is_tried_again(pictures: AskedPictures) -> None:
    def fails() -> bytes:
        raise OSError("no font")

    for _ in range(2):
        with pytest.raises(OSError, match="no font"):
            await pictures.draw("page", fails)
    assert await pictures.draw("page", lambda: b"picture") == b"picture"


async def test_who_gives_up_takes_the_picture_from_nobody(pictures: AskedPictures) -> None:
    goes_on = threading.Event()

    def drawing() -> bytes:
        goes_on.wait()
        return b"picture"

    first, second = (asyncio.create_task(pictures.draw("page", drawing)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    goes_on.set()
    assert await second == b"picture"
    assert first.cancelled()


async def test_a_hundred_that_wait_keep_nothing_else_waiting(pictures: AskedPictures) -> None:
    goes_on = threading.Event()

    def drawing() -> bytes:
        goes_on.wait()
        return b"picture"

    asked = [asyncio.create_task(pictures.draw(page, drawing)) for page in range(100)]
    try:
        await asyncio.sleep(0)
        # The common threads of the process, which draw results and start workers.
        assert await asyncio.to_thread(lambda: "a result") == "a result"
        assert not any(one.done() for one in asked)
    finally:
        goes_on.set()
        await asyncio.gather(*asked)
