"""Numbers with their noun, for operators."""


def counted(number: int, thing: str) -> str:
    """Return ``1 hand`` or ``1,024 hands``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
