"""Which batch goes where: running one pure function over many logs."""

from __future__ import annotations

from analytics.jobs.verifying import Progress, Ways, verify_logs

__all__ = ["Progress", "Ways", "verify_logs"]
