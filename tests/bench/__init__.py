"""The measures, each a module of its own: `python -m tests.bench.bench_fourfold`."""
