"""Activities on the stand-in: running instances, participants, and codes that identify users."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs

from tests.standin.rest import RefusedError, Request
from tests.standin.things import BOT_ID, Channel, Json, User

SECRET = "the-secret"
UNKNOWN_INSTANCE = 10066
UNAUTHORIZED = 401


@dataclass
class Activities:
    """Discord's state of an application's Activity."""

    running: dict[str, Json] = field(default_factory=dict)
    """The instances, by their names."""
    codes: dict[str, User] = field(default_factory=dict)
    """Unused codes."""
    _tokens: dict[str, User] = field(default_factory=dict)
    _made: int = 0

    def join(self, user: User, channel: Channel, *, in_server: bool = True) -> str:
        """Let a user launch or join the Activity in a channel. A channel has one instance."""
        place: Json = {"id": f"gc-{channel.guild.id}-{channel.id}", "kind": "gc", "channel_id": str(channel.id)}
        place |= {"guild_id": str(channel.guild.id)} if in_server else {"id": f"pc-{channel.id}", "kind": "pc"}
        name = f"i-{BOT_ID}-{place['id']}"
        instance = self.running.setdefault(
            name,
            {
                "application_id": str(BOT_ID),
                "instance_id": name,
                "launch_id": str(BOT_ID + len(self.running)),
                "location": place,
                "users": [],
            },
        )
        if str(user.id) not in instance["users"]:
            instance["users"].append(str(user.id))
        return name

    def leave(self, user: User, name: str) -> None:
        """Let a user close the Activity. The last one ends it."""
        users = self.running[name]["users"]
        users.remove(str(user.id))
        if not users:
            del self.running[name]

    def authorize(self, user: User) -> str:
        """Return the code that the page gets for its user."""
        self._made += 1
        code = f"code{self._made:026d}"
        self.codes[code] = user
        return code

    def exchange(self, request: Request) -> Json:
        """Exchange a code for a token."""
        assert request.authorization == "", "an application goes by its secret"
        form = {name: values[0] for name, values in parse_qs(request.body, strict_parsing=True).items()}
        assert form.keys() == {"client_id", "client_secret", "grant_type", "code"}
        if (form["client_id"], form["client_secret"]) != (str(BOT_ID), SECRET):
            raise RefusedError(401, 0)
        user = self.codes.pop(form["code"], None)
        if user is None or form["grant_type"] != "authorization_code":
            raise RefusedError(400, 0)
        token = f"token-of-{form['code']}"
        self._tokens[token] = user
        about = {"token_type": "Bearer", "expires_in": 604_800, "refresh_token": "r", "scope": "identify"}
        return {"access_token": token, **about}

    def who(self, request: Request) -> Json:
        """Return the token's user."""
        user = self._tokens.get(request.authorization.removeprefix("Bearer "))
        if user is None:
            raise RefusedError(401, 0)
        return {**user.payload, "locale": user.locale}

    def instance(self, name: str) -> Json:
        """An instance that runs."""
        if name not in self.running:
            raise RefusedError(404, UNKNOWN_INSTANCE)
        return self.running[name]
