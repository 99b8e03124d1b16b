"""Everything on one box: what `forgepost run` starts, watches, starts again and stops."""
