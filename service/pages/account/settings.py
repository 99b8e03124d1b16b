"""My settings: who I am, where mail goes and how much of it, programs that play for me, where I am signed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from zoneinfo import available_timezones

import msgspec
from flask import Response, request

from domain.match.reading import plain
from infra.people.erasure import erase, matches_of
from infra.people.players import Player, TooMany
from infra.people.preferences import MOST_REMINDERS, Preferences
from infra.people.spelling import Misspelled, label, spelled, zone
from service.accounts import move
from service.door.asking import asking
from service.here import site
from service.pages.frame import go, pages, sentence, sheet
from service.pages.options import Unfit
from service.pages.session import dismissed, forgotten, must_be_ours, yourself
from service.schemas.accounts import GIVEN

CADENCES: Final = {"each": "A mail for each turn", "every": "At most one every so many hours", "daily": "One a day", "off": "No mail at all"}
SCOPES: Final = {
    "matches:read": "see my matches",
    "matches:play": "play for me, join and leave",
    "matches:create": "start matches",
    "player:read": "see these settings",
    "player:write": "change these settings and make tokens",
    "webhooks:write": "have news sent to a program",
}
DAYS: Final = {"30": "30 days", "90": "90 days", "365": "a year", "": "until I revoke it"}
WORD: Final = "erase"  # what is typed by whoever means it
DAY: Final = 86_400_000  # ms
DONE: Final = {
    "you": "Your name and time zone are changed.",
    "address": "A mail is on its way to the new address. Mail goes there once its link was opened.",
    "stay": "Your address stays as it is.",
    "mail": "Mail comes as you want it from now on.",
    "calendar": "Your calendar has a new address; the one before opens nothing any more.",
    "revoke": "The token opens nothing any more.",
    "disown": "No move is taken any more that this key signed.",
}


@pages.get("/me/settings", strict_slashes=False)
def settings() -> Response:
    """The page."""
    return show(yourself())


@pages.post("/me/settings", strict_slashes=False)
def change_settings() -> Response:
    """Do what one of its forms asks for."""
    player = yourself()
    must_be_ours()
    wish = request.form.get("do", "")
    work = FORMS.get(wish)
    if work is None:
        return show(player, 400, {"page": f"This page has no button “{plain(wish, 40)}”. Nothing was done; use one of the buttons below."})
    wrong: dict[str, str] = {}
    done = work(player, wrong)
    if wrong:
        return show(player, 422, wrong)
    return done if isinstance(done, Response) else go("pages.settings", done=done, _anchor="done")


def show(player: Player, status: int = 200, wrong: Mapping[str, str] | None = None, fresh: str = "") -> Response:
    """The settings as they are, or as they were typed where something is wrong with them; `fresh` is a token that was just made."""
    preferences, moving = site().preferring.preferences(player.id), site().players.moving(player.id)
    passes = site().players.passes(player.id)
    said: Mapping[str, str] = {name: plain(text, 254) for name, text in request.form.items()} if wrong else {}
    return sheet(
        "settings.html",
        status,
        player=player,
        said=said,
        wrong=wrong or {},
        mail=preferences,
        moving=moving.address if moving else "",
        passes=passes,
        keys=site().player_keys.of(player.id),
        sessions=site().sessions.begun(player.id),
        calendar=f"{site().settings.url}/c/{site().tokens.seal(site().calendars.token(player.id))}.ics",
        fresh=fresh,
        done=DONE.get(request.args.get("done", ""), ""),
        cadences=CADENCES,
        scopes=SCOPES,
        chosen=request.form.getlist("scope") if wrong else ["matches:read", "matches:play"],
        days=DAYS,
        word=WORD,
        unfinished=len(matches_of(site(), player.id)),
        zones=sorted(available_timezones()),
    )


def _told(wrong: dict[str, str], field: str, read: Callable[[str], Any]) -> Any:
    """What a field says, or the complaint about it."""
    said = request.form.get(field, "")
    try:
        return read(said)
    except (Misspelled, Unfit) as why:
        wrong[field] = sentence(str(why), said.strip())
        return None


def _you(player: Player, wrong: dict[str, str]) -> str:
    name, where = _told(wrong, "name", spelled), _told(wrong, "zone", zone)
    if not wrong:
        site().players.rename(player.id, name)
        site().players.live_in(player.id, where)
    return "you"


def _address(player: Player, wrong: dict[str, str]) -> str:
    box = _told(wrong, "address", site().players.box)
    if not wrong and not move(site(), player, box):
        wrong["address"] = "This address was asked too often just now. Try again in an hour."
    return "stay" if box == player.address else "address"


def _mail(player: Player, wrong: dict[str, str]) -> str:
    usual = Preferences()
    wish = {
        "cadence": _told(wrong, "cadence", _cadence),
        "hours": _told(wrong, "hours", lambda said: number(said, 1, 168, usual.hours)),
        "hour": _told(wrong, "hour", lambda said: number(said, 0, 23, usual.hour)),
        "reminders": _told(wrong, "reminders", _reminders),
        "quiet": _quiet(wrong),
    }
    if not wrong:
        try:
            site().preferring.choose(player.id, wish, afresh=True)
        except msgspec.ValidationError as why:
            wrong["page"] = sentence(str(why))
    return "mail"


def _cadence(said: str) -> str:
    if said not in CADENCES:
        raise Unfit("choose one of these")
    return said


def number(said: str, least: int, most: int, usual: int) -> int:
    """The number in a field; the usual one where it is empty. Raises Unfit."""
    if not said.strip():
        return usual
    if not (said.isascii() and said.isdigit() and len(said) < 5 and least <= int(said) <= most):
        raise Unfit(f"this takes a whole number from {least} to {most}")
    return int(said)


def _reminders(said: str) -> list[str]:
    found = [part for part in re.split(r"[\s,;]+", said.strip()) if part]
    if len(found) > MOST_REMINDERS or not all(re.fullmatch(r"[1-9][0-9]?%|[1-9][0-9]{0,2}h", part) for part in found):
        raise Unfit(f"write it as 80% (of the time passed) or as 12h (left), at most {MOST_REMINDERS} of them, or leave it empty")
    return found


def _quiet(wrong: dict[str, str]) -> dict[str, int] | None:
    said = [request.form.get(name, "").strip() for name in ("quiet_from", "quiet_to")]
    if not any(said):
        return None
    hours = [int(part) for part in said if re.fullmatch(r"[0-9]{1,2}", part) and int(part) < 24]
    if len(hours) < len(said) or hours[0] == hours[1]:
        wrong["quiet_from"] = "Give two different full hours from 0 to 23, or leave both empty."
        return None
    return {"start": hours[0], "end": hours[1]}


def _calendar(player: Player, _wrong: dict[str, str]) -> str:
    site().calendars.change(player.id)
    return "calendar"


def _token(player: Player, wrong: dict[str, str]) -> Response | str:
    name = _told(wrong, "token_name", label)
    scopes = [scope for scope in request.form.getlist("scope") if scope in GIVEN]
    days = request.form.get("days", "")
    if not scopes:
        wrong["scope"] = "Tick at least one: a token that may do nothing opens nothing."
    if days not in DAYS:
        wrong["days"] = "Choose one of these."
    if wrong:
        return ""
    expires = site().clock() + int(days) * DAY if days else None
    try:
        return show(player, fresh=site().players.new_token(player.id, scopes, name, expires))
    except TooMany as full:
        wrong["token_name"] = sentence(str(full))
        return ""


def _revoke(player: Player, wrong: dict[str, str]) -> str:
    if not site().players.revoke(player.id, request.form.get("token", "")):
        wrong["page"] = "You have no such token (any more)."
    return "revoke"


def _disown(player: Player, wrong: dict[str, str]) -> str:
    if not site().player_keys.revoke(player.id, request.form.get("key", "")):
        wrong["page"] = "You have no such key (any more)."
    return "disown"


def _erase(player: Player, wrong: dict[str, str]) -> Response | str:
    if request.form.get("word", "").strip().casefold() != WORD:
        wrong["word"] = f"You are still here: to be erased, type the word “{WORD}” into the field first."
        return ""
    erase(site(), player.id, "web")
    asking().porter.forget()
    forgotten()
    return dismissed(sheet("erased.html"))


FORMS: Final[Mapping[str, Callable[[Player, dict[str, str]], Response | str]]] = {
    "you": _you,
    "address": _address,
    "mail": _mail,
    "calendar": _calendar,
    "token": _token,
    "revoke": _revoke,
    "disown": _disown,
    "erase": _erase,
}
