"""Tests of the simulator, and what they share."""
