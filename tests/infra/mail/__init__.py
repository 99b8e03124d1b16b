"""Tests of the rooms in infra/mail."""
