"""`python -m tests.contract` writes v1.yaml anew from openapi.yaml: at a release, and never to make a test pass."""

from __future__ import annotations

import yaml

from tests.contract.promise import CONTRACT, bare
from tests.service.api.contract import document

HEAD = "# What clients of the last release rely on: openapi.yaml without its words. Written by `python -m tests.contract`, at a release.\n"

if __name__ == "__main__":
    CONTRACT.write_text(HEAD + yaml.safe_dump(bare(document()), sort_keys=True, allow_unicode=True, width=120), "utf-8")
