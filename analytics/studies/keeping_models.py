"""``python -m analytics.studies.keeping_models``: deals the models that are kept anew.

Needed when cards are dealt otherwise than before, which a test notices.
"""

from __future__ import annotations

import msgspec

from analytics.simulate.dealing import Deal, deal_of
from analytics.studies.dealing_models import DEALT, FILE, KEPT, Kept, dealt, digest_of


def main() -> None:
    """Writes the file that studies read."""
    found = [_to_keep(deal_of(name), seats) for name in KEPT for seats in (2, 4)]
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def _to_keep(way: Deal, seats: int) -> Kept:
    models = dealt(way, seats)
    return Kept(
        deal=way.name,
        seats=seats,
        first=digest_of(way, seats),
        games=DEALT,
        means={name: model.means.tolist() for name, model in models.items()},
        variances={name: model.variances.tolist() for name, model in models.items()},
    )


if __name__ == "__main__":
    main()
