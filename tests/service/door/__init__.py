"""Tests of the rooms in service/door."""
