"""What Forgepost promises, as sentences; the folders mirror the houses they test."""
