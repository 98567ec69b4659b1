"""Which studies there are."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Final

from analytics.studies import bombs, deals, economy, findings, kou, players, wealth
from analytics.studies.study import Study
from analytics.warehouse.errors import WarehouseError

_MODULES: Final = (bombs, kou, economy, wealth, deals, players, findings)
ALL: Final = tuple(study for module in _MODULES for study in module.STUDIES)
STUDIES: Final[Mapping[str, Study]] = {study.name: study for study in ALL}


def study_of(name: str) -> Study:
    """The study of a name.

    Raises:
        WarehouseError: there is none; says which is near.
    """
    if isinstance(name, str) and name in STUDIES:
        return STUDIES[name]
    near = difflib.get_close_matches(str(name), STUDIES, 1)
    hint = f"; is {near[0]} meant?" if near else f"; there are {', '.join(STUDIES)}."
    raise WarehouseError(f"there is no study {name!r}{hint}")
