"""Tuning: what the same games would have paid under another scoring table.

Games are grouped by all that a settlement can see of them (``groups``); a table is then
settled on the groups (``settling``), or, many at a time, on what its shape leaves of them
(``candidates``).
"""
