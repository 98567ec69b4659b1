"""Studies: what analysts ask of a warehouse, each a list of named SQL steps to a typed frame."""

from __future__ import annotations

from analytics.studies.asking import Asked
from analytics.studies.opening import Studied, open_warehouse
from analytics.studies.registry import STUDIES
from analytics.studies.study import Step, Study

__all__ = ["STUDIES", "Asked", "Step", "Studied", "Study", "open_warehouse"]
