"""The log of events in Redis (store.md): keys, the append script, its feed, its deadlines, and the gate before the first write."""
