"""Keeping what was played: audits after a restart, inspection, projections made anew, backups and the archive."""
