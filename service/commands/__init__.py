"""The parts of the `forgepost` command that look after matches: one match, and all of them."""
