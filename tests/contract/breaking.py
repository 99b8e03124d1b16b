"""What a later description of the API breaks of an earlier one, operation by operation; the rules stand in openapi.yaml and CONTRIBUTING.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.contract.shapes import Pair, Said, followed

METHODS = ("get", "post", "put", "patch", "delete")


def breaches(old: Said, new: Said) -> list[str]:
    """Every promise that is broken, in words; none where clients of the old one can go on."""
    pair = Pair(old, new)
    found: list[str] = []
    for path, methods in old["paths"].items():
        for method in METHODS:
            if method in methods:
                place = f"{method.upper()} {path}"
                now = new["paths"].get(path, {}).get(method)
                found += [f"{place} is gone"] if now is None else _of_operation(pair, methods[method], now, place)
    return list(dict.fromkeys(found))


def _of_operation(pair: Pair, old: Said, new: Said, place: str) -> Iterator[str]:
    if old["operationId"] != new["operationId"]:
        yield f"{place} is called {new['operationId']}, and was {old['operationId']}"
    yield from _of_access(old, new, place)
    yield from _of_parameters(pair, old, new, place)
    yield from _of_body(pair, old.get("requestBody", {}), new.get("requestBody", {}), f"body of {place}")
    for status, said in old["responses"].items():
        if status[0] in "23":
            if status not in new["responses"]:
                yield f"{place} no longer answers {status}"
            else:
                before, after = followed(pair.old, said), followed(pair.new, new["responses"][status])
                yield from _of_answer(pair, before, after, f"{status} of {place}")
    fresh = {status: said for status, said in new["responses"].items() if status[0] in "23" and status not in old["responses"]}
    yield from (f"{place} may now answer {status}" for status, said in fresh.items() if not (status == "202" and _as_done(new, said)))
    for status in sorted(set(old["responses"]) & set(new["responses"])):
        if status[0] in "45":
            before, after = followed(pair.old, old["responses"][status]), followed(pair.new, new["responses"][status])
            yield from _of_answer(pair, before, after, f"{status} of {place}")


def _as_done(new: Said, said: Said) -> bool:
    """Whether an answer reads as the 201 beside it: whoever goes by the body and the first figure of the status takes it for that."""
    done = new["responses"].get("201")
    return done is not None and _forms(done) == _forms(said)


def _forms(said: Said) -> dict[str, Any]:
    return {media: form["schema"] for media, form in said.get("content", {}).items()}


def _of_access(old: Said, new: Said, place: str) -> Iterator[str]:
    """Every way of being let in must still be one."""
    for way in old["security"]:
        if way not in new["security"] and {} not in new["security"]:
            yield f"{place} is no longer open {'with ' + ', '.join(way['bearer']) if way else 'without a token'}"


def _of_parameters(pair: Pair, old: Said, new: Said, place: str) -> Iterator[str]:
    before, after = _parameters(pair.old, old), _parameters(pair.new, new)
    for key, said in before.items():
        name = f"{key} of {place}"
        if key not in after:
            yield f"{name} is no longer taken"
            continue
        if after[key].get("required") and not said.get("required"):
            yield f"{name} must now be given"
        yield from pair.breaches(said["schema"], after[key]["schema"], "sent", name)
    yield from (f"{key} of {place} must now be given" for key, said in after.items() if key not in before and said.get("required"))


def _parameters(document: Said, operation: Said) -> Mapping[str, Any]:
    listed = [followed(document, one) for one in operation["parameters"]]
    return {f"{one['in']} {one['name']}": one for one in listed}


def _of_body(pair: Pair, old: Said, new: Said, place: str) -> Iterator[str]:
    if new.get("required") and not old.get("required"):
        yield f"{place} must now be given"
    for media, said in old.get("content", {}).items():
        if media not in new.get("content", {}):
            yield f"{place} is no longer taken as {media}"
        else:
            yield from pair.breaches(said["schema"], new["content"][media]["schema"], "sent", place)


def _of_answer(pair: Pair, old: Said, new: Said, place: str) -> Iterator[str]:
    for media, said in old.get("content", {}).items():
        if media not in new.get("content", {}):
            yield f"{place} no longer comes as {media}"
        else:
            yield from pair.breaches(said["schema"], new["content"][media]["schema"], "given", place)
    yield from (f"{place} no longer has {name}" for name in old.get("headers", {}) if name not in new.get("headers", {}))
