"""Who may do what: every route and every kind of caller, from one table."""
