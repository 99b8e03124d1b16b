"""Tests of the rooms in infra/people."""
