"""Which batch goes where: running one pure function over many logs."""

from __future__ import annotations

from analytics.jobs.verifying import Progress, verify_logs

__all__ = ["Progress", "verify_logs"]
