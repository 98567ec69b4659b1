"""Groups whose commands are imported only when somebody asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that knows its commands by where they are.

    Args:
        places: per command "module:name", in the order in which help lists them.
    """

    def __init__(self, *args: Any, places: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places = places

    def list_commands(self, _: click.Context) -> list[str]:
        """The names, in their order."""
        return list(self.places)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        place = self.places.get(cmd_name)
        if place is None:
            return None
        module, name = place.split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments begin with.

        Raises:
            UsageError: there is none; the nearest one is suggested.
        """
        name = args[0]
        if name.startswith("-") or name in self.places or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        near = get_close_matches(name, self.places, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
