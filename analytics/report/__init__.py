"""Reports: self-contained pages, with the figures and the tables behind them."""
