"""Tests of the rooms in infra/seals."""
