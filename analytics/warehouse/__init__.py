"""The warehouse: facts, verdicts, postings and findings of many logs, under DuckDB."""
