"""The vault: seeds come back only with the right key, for the right hand, and unchanged."""

import logging
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.errors import SeedLostError
from bot.store import StoreError
from bot.store.vault import SeedDecryptionError, SeedVault

pytestmark = pytest.mark.of_sqlite

SEED = bytes(range(32))
HAND = "1:2:3"
KEY = "ab" * 32
OTHER_KEY = "cd" * 32


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Return a path for a key file."""
    return tmp_path / "var" / "chaipo.key"


def vault_of(*keys: str) -> SeedVault:
    """A vault of keys in hex."""
    return SeedVault([bytes.fromhex(key) for key in keys])


def refusal(key_file: Path) -> str:
    """The one line that the operator reads."""
    with pytest.raises(StoreError) as refused:
        SeedVault.open(key_file)
    text = str(refused.value)
    assert "\n" not in text
    assert str(key_file) in text
    return text


@given(st.binary(min_size=32, max_size=32), st.text(max_size=40))
def test_a_sealed_seed_opens_again(seed: bytes, hand_id: str) -> None:
    try:
        hand_id.encode()
    except UnicodeEncodeError:
        return
    vault = vault_of(KEY)
    assert vault.unseal(vault.seal(seed, hand_id=hand_id), hand_id=hand_id) == seed


def test_a_seed_is_sealed_differently_each_time() -> None:
    vault = vault_of(KEY)
    assert len({vault.seal(SEED, hand_id=HAND) for _ in range(100)}) == 100


def test_a_sealed_seed_does_not_show_the_seed() -> None:
    sealed = vault_of(KEY).seal(SEED, hand_id=HAND)
    assert len(sealed) == 8 + 12 + 32 + 16
    assert not any(SEED[at : at + 4] in sealed for at in range(29))


@pytest.mark.parametrize("seed", [b"", SEED[:-1], SEED + b"\0"])
def test_only_a_whole_seed_is_sealed(seed: bytes) -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes"):
        vault_of(KEY).seal(seed, hand_id=HAND)


def test_new_seeds_are_whole_and_never_the_same() -> None:
    seeds = {vault_of(KEY).new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}


def test_the_seed_of_one_hand_does_not_open_as_that_of_another() -> None:
    vault = vault_of(KEY)
    sealed = vault.seal(SEED, hand_id=HAND)
    with pytest.raises(SeedDecryptionError, match="the sealed seed of 1:2:4 is damaged"):
        vault.unseal(sealed, hand_id="1:2:4")


def test_every_flipped_byte_is_noticed() -> None:
    vault = vault_of(KEY)
    sealed = vault.seal(SEED, hand_id=HAND)
    for at in range(len(sealed)):
        damaged = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        with pytest.raises(SeedDecryptionError):
            vault.unseal(damaged, hand_id=HAND)


def test_every_cut_is_noticed() -> None:
    vault = vault_of(KEY)
    sealed = vault.seal(SEED, hand_id=HAND)
    for damaged in [sealed[:length] for length in range(len(sealed))] + [sealed + b"\0"]:
        with pytest.raises(SeedDecryptionError):
            vault.unseal(damaged, hand_id=HAND)


def test_without_its_key_a_seed_is_lost() -> None:
    sealed = vault_of(KEY).seal(SEED, hand_id=HAND)
    with pytest.raises(SeedDecryptionError, match=f"the key that sealed the seed of {HAND} is not in the key file"):
        vault_of(OTHER_KEY).unseal(sealed, hand_id=HAND)


def test_play_understands_that_a_seed_is_lost() -> None:
    assert issubclass(SeedDecryptionError, SeedLostError)


def test_an_old_key_opens_and_the_first_key_seals() -> None:
    old = vault_of(KEY).seal(SEED, hand_id=HAND)
    both = vault_of(OTHER_KEY, KEY)
    assert both.unseal(old, hand_id=HAND) == SEED
    assert vault_of(OTHER_KEY).unseal(both.seal(SEED, hand_id=HAND), hand_id=HAND) == SEED


def test_a_vault_shows_neither_keys_nor_seeds() -> None:
    vault = vault_of(KEY, OTHER_KEY)
    vault.seal(SEED, hand_id=HAND)
    assert repr(vault) == str(vault) == "<SeedVault with 2 keys>"


def test_a_lost_seed_tells_nothing_of_key_or_seed() -> None:
    sealed = vault_of(KEY).seal(SEED, hand_id=HAND)
    with pytest.raises(SeedDecryptionError) as lost:
        vault_of(KEY).unseal(sealed, hand_id="")
    assert not {KEY, SEED.hex(), sealed.hex()} & set(str(lost.value).split())
    assert lost.value.__suppress_context__


# the key file


def test_the_first_use_makes_a_key_that_stays(key_file: Path) -> None:
    sealed = SeedVault.open(key_file).seal(SEED, hand_id=HAND)
    text = key_file.read_text(encoding="utf-8")
    assert SeedVault.open(key_file).unseal(sealed, hand_id=HAND) == SEED
    assert key_file.read_text(encoding="utf-8") == text


def test_every_new_key_is_another(tmp_path: Path) -> None:
    for name in ("a.key", "b.key"):
        SeedVault.open(tmp_path / name)
    assert (tmp_path / "a.key").read_text(encoding="utf-8") != (tmp_path / "b.key").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_only_its_owner_may_read_a_new_key(key_file: Path) -> None:
    SeedVault.open(key_file)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_making_a_key_leaves_nothing_else_behind(key_file: Path) -> None:
    SeedVault.open(key_file)
    assert list(key_file.parent.iterdir()) == [key_file]


def test_making_a_key_is_told_without_showing_it(key_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    SeedVault.open(key_file)
    SeedVault.open(key_file)
    assert caplog.messages == [f"created the key in {key_file}. Back it up, separately from the database"]
    assert key_file.read_text(encoding="utf-8").splitlines()[1] not in caplog.text


def test_bots_that_start_together_get_one_key(key_file: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        vaults = list(threads.map(SeedVault.open, [key_file] * 8))
    sealed = vaults[0].seal(SEED, hand_id=HAND)
    assert {vault.unseal(sealed, hand_id=HAND) for vault in vaults} == {SEED}
    assert list(key_file.parent.iterdir()) == [key_file]


def test_a_key_file_may_hold_comments_empty_lines_and_old_keys(tmp_path: Path) -> None:
    key_file = tmp_path / "chaipo.key"
    key_file.write_text(f"# today's\n{KEY.upper()}\r\n\n# last year's\n  {OTHER_KEY}  \n", encoding="utf-8")
    vault = SeedVault.open(key_file)
    assert vault.unseal(vault_of(OTHER_KEY).seal(SEED, hand_id=HAND), hand_id=HAND) == SEED
    assert vault_of(KEY).unseal(vault.seal(SEED, hand_id=HAND), hand_id=HAND) == SEED


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "chaipo.key does not contain"),
        (b"# only a comment\n", "chaipo.key does not contain"),
        (KEY[:-2].encode(), "chaipo.key, line 1 does not contain"),
        (f"{KEY}\n{OTHER_KEY}00\n".encode(), "chaipo.key, line 2 does not contain"),
        (f"{KEY}\n\nnot a key\n".encode(), "chaipo.key, line 3 does not contain"),
        (b"\xff\xfe" + KEY.encode("utf-16-le"), "chaipo.key does not contain"),
    ],
)
def test_a_malformed_key_file_is_refused_and_left_alone(tmp_path: Path, content: bytes, place: str) -> None:
    key_file = tmp_path / "chaipo.key"
    key_file.write_bytes(content)
    text = refusal(key_file)
    assert place in text
    assert "Restore the right file" in text
    assert key_file.read_bytes() == content


def test_a_refusal_does_not_show_the_key(tmp_path: Path) -> None:
    key_file = tmp_path / "chaipo.key"
    key_file.write_text(f"{KEY}0", encoding="utf-8")
    assert KEY[:8] not in refusal(key_file)


def test_a_folder_is_no_key_file(tmp_path: Path) -> None:
    assert "name another path for the key" in refusal(tmp_path)


def test_a_key_file_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "give the bot's user permission to" in refusal(tmp_path / "file" / "chaipo.key")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)])
def test_a_key_that_others_can_read_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, *, mode: int, warned: bool
) -> None:
    key_file = tmp_path / "chaipo.key"
    key_file.write_text(KEY, encoding="utf-8")
    key_file.chmod(mode)
    SeedVault.open(key_file)
    assert ("Run chmod 600 on it" in caplog.text) is warned
