"""Plots: one function per figure, from the frame of a study to axes of matplotlib.

No function here asks a warehouse, reads or writes a file, or shows a window.
"""

from __future__ import annotations

from analytics.plots.registry import PLOTS, Plot
from analytics.plots.style import PlotError, drawing

__all__ = ["PLOTS", "Plot", "PlotError", "drawing"]
