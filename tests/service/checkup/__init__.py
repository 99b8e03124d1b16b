"""Tests of the rooms in service/checkup."""
