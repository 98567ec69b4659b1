"""``python -m cli`` is ``paipu``."""

from __future__ import annotations

from cli.main import main

main()
