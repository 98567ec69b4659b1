"""A slow, plain oracle for Shuangkou (双扣).

It is written from docs/rules.md and docs/log-format.md alone, and shares nothing with the engine.
It enumerates where a replay engine computes, so that the two can be compared:

- `melds`: what a set of cards can be read as, and which reading beats which (clauses 2 to 4);
- `trustee`: what a hand could play (clause 5.1);
- `replay`: one game, action by action (clauses 5 and 5.1);
- `settle`: kou, xiang, deltas and the findings of one game (clauses 6 to 9);
- `presets`: the rulesets of clause 11;
- `random_cases`: seeded rulesets, card sets and games.

"Clause n" in a docstring is clause n of docs/rules.md, "log format" is docs/log-format.md.
"""
