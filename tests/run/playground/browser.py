"""A browser in the test: speaks to the page's requests as its script does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession

from bot.run.playground.page import ChannelPage

Json = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Browser:
    """One open page. `sight` is the last state that it has read: presses are made on that."""

    http: ClientSession
    address: str
    capability: str
    sight: Json = field(default_factory=dict)
    sequence: int = 0

    async def open(self, viewer_id: int) -> None:
        self.sight = await self._ask("POST", "api/pages", {"viewer_id": str(viewer_id)})

    async def look(self) -> Json:
        self.sight = await self._ask("GET", "api/state")
        return self.sight

    async def commands(self) -> Json:
        return await self._ask("GET", "api/commands")

    async def command(self, name: str, **options: str) -> Json:
        return await self.act("run_command", **await self._known(name), options=options)

    async def suggested(self, name: str, option: str, typed: str) -> Json:
        """Return the suggestions for an option's input."""
        known = await self._known(name)
        return await self.act("autocomplete_command", **known, focused=option, value=typed, options={})

    async def _known(self, name: str) -> Json:
        catalog = await self.commands()
        entry = next(entry for entry in catalog["entries"] if entry["invocation"] == name)
        return {
            "command_id": entry["commandId"],
            "path": entry["path"],
            "schema_fingerprint": entry["schemaFingerprint"],
        }

    async def press(self, label: str) -> Json:
        message_id, control = self._control("label", label)
        return await self.act("click", target_id=message_id, control_key=control)

    async def choose(self, placeholder: str, *values: str) -> Json:
        message_id, control = self._control("placeholder", placeholder)
        return await self.act("select", target_id=message_id, control_key=control, values=list(values))

    async def submit(self, text: str) -> Json:
        """Fill the first field of the open dialog and send it."""
        modal = self.sight["modal"]
        fields = [part["custom_id"] for part in _walk(modal["payload"]["components"]) if "custom_id" in part]
        return await self.act("modal_submit", modal_handle=modal["handle"], values={fields[0]: text})

    async def act(self, kind: str, **change_member_settings: Any) -> Json:
        body = {
            "protocol_version": 3,
            "sequence": self.sequence + 1,
            "request_id": f"request-{self.sequence + 1}",
            "generation": self.sight["context"]["generation"],
            "bot_generation": self.sight["botGeneration"],
            "published_revision": self.sight["publishedRevision"],
            "kind": kind,
            **change_member_settings,
        }
        receipt = await self._ask("POST", "api/action", body)
        self.sequence = receipt["expectedSequence"]
        return receipt

    async def picture(self, asset_id: str) -> bytes:
        async with self.http.get(f"{self.address}api/assets/{asset_id}", headers=self._headers()) as response:
            assert response.status == 200
            return await response.read()

    def words(self) -> str:
        """Return the messages' text, oldest first."""
        said = [part.get("content", "") for part in self._parts()]
        return "\n".join([*(message["content"] for message in self.sight["messages"].values()), *said])

    def emojis(self) -> list[Json]:
        return [part["emoji"] for part in self._parts() if part.get("emoji")]

    def _control(self, name: str, value: str) -> tuple[str, str]:
        keys = [part["control_key"] for part in self._parts() if part.get(name) == value]
        return keys[-1].split(":")[1], keys[-1]

    def _parts(self) -> list[Json]:
        return [part for message in self.sight["messages"].values() for part in _walk(message["components"])]

    async def _ask(self, method: str, path: str, body: Json | None = None) -> Json:
        async with self.http.request(method, self.address + path, json=body, headers=self._headers()) as response:
            assert response.status == 200, await response.text()
            answer: Json = await response.json()
            return answer

    def _headers(self) -> dict[str, str]:
        context = {"X-Simcord-Context": self.sight["context"]["id"]} if self.sight else {}
        return {"X-Simcord-Capability": self.capability, **context}


def _walk(components: list[Json]) -> list[Json]:
    return [part for one in components for part in (one, *_walk(one.get("components", [])))]


@asynccontextmanager
async def browsers(page: ChannelPage, *names: str) -> AsyncIterator[list[Browser]]:
    """One browser for each of these people."""
    async with ClientSession() as http:
        opened = [Browser(http=http, address=page.address, capability=page.capability) for _ in names]
        for browser, name in zip(opened, names, strict=True):
            await browser.open(page.world.members[name].id)
        yield opened
