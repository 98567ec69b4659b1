"""Tests of the readers and writers of recorded games."""
