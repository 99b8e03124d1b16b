"""Players, as they see themselves: who they are, their API tokens, and how much mail they want."""

from __future__ import annotations

from typing import Any, Final

from marshmallow import ValidationError, validates_schema

from infra.people.players import MOST_PASSES, SCOPES
from infra.people.preferences import MOST_REMINDERS
from service.schemas.fields import Inside, Many, Text, Time, Whole, Yes
from service.schemas.matches import PLAYER
from service.schemas.strict import Asked, Told

GIVEN: Final = tuple(scope for scope in SCOPES if scope != "admin")  # who runs the site gives that one, on its command line
TOKEN: Final = "fp_" + "0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk"
LISTED_AS: Final = "3f9a0c1d2e4b5a67"
MOMENT: Final = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{3})?Z$"
REMINDER: Final = r"^([1-9][0-9]?%|[1-9][0-9]{0,2}h)$"
CADENCES: Final = ("each", "every", "daily", "off")
NAME: Final = "As others see it; at most 40 characters, nothing that looks like an address."
EMAIL: Final = "Where mail goes; nobody else sees it."
ZONE: Final = "The time zone in which times are told, by its IANA name."
CADENCE: Final = "A mail for each turn, at most one every so many `hours`, one a day at the full `hour` in your zone, or none at all."
REMINDERS: Final = f"When to be reminded: `80%` of the time has passed, or `12h` are left. At most {MOST_REMINDERS}; an empty list for never."


class SignUp(Asked):
    """Who wants to play."""

    name = Text(NAME, "Ann", longest=80, required=True)
    email = Text(EMAIL, "ann@example.org", longest=254, required=True)
    zone = Text(ZONE, "Europe/Vienna", longest=64)


class SignedUp(Told):
    """What was done, whoever it was."""

    mailed_to = Text("The address, as mail is sent to it.", "ann@example.org", required=True)


class QuietHours(Asked):
    """The hours in which no mail comes, in your zone; over midnight where `from` is later than `to`."""

    start = Whole("From this full hour.", 22, most=23, data_key="from", required=True)
    end = Whole("To this full hour.", 7, most=23, data_key="to", required=True)

    @validates_schema
    def _some_hours(self, said: dict[str, int], **_: Any) -> None:
        if said["start"] == said["end"]:
            raise ValidationError({"to": ["must be another hour than `from`"]})


class MailChoice(Asked):
    """How much mail you want. What is left out stays as it is."""

    cadence = Text(CADENCE, "each", choices=CADENCES)
    hours = Whole("With `every`: how many hours.", 6, least=1, most=168)
    hour = Whole("With `daily`: at which full hour.", 8, most=23)
    reminders = Many(
        Text("A moment.", "80%", pattern=REMINDER, like="as `80%` of the time passed, or as `12h` left"), REMINDERS, most=MOST_REMINDERS, least=0
    )
    quiet = Inside(QuietHours(), "Hours without mail; null for none.", allow_none=True)


class QuietTold(Told):
    """The hours in which no mail comes."""

    start = Whole("From this full hour.", 22, most=23, data_key="from", required=True)
    end = Whole("To this full hour.", 7, most=23, data_key="to", required=True)


class MailWanted(Told):
    """How much mail you want."""

    cadence = Text(CADENCE, "each", choices=CADENCES, required=True)
    hours = Whole("With `every`: how many hours.", 6, least=1, most=168, required=True)
    hour = Whole("With `daily`: at which full hour.", 8, most=23, required=True)
    reminders = Many(Text("A moment.", "80%"), REMINDERS, required=True)
    quiet = Inside(QuietTold(), "Hours without mail; null for none.", allow_none=True, required=True)


class MatchMail(Told):
    """How much mail you want about a match."""

    mail = Inside(MailWanted(), "What counts.", required=True)
    own = Yes("Whether anything of it was chosen for this match alone.", required=True)


class Me(Told):
    """The player whose token it is."""

    id = Text("The player's id.", PLAYER, required=True)
    name = Text("As others see it.", "Ann", required=True)
    email = Text(EMAIL, "ann@example.org", required=True)
    new_email = Text(
        "Where mail goes as soon as a mail that we sent there is answered; null when no change is under way.", allow_none=True, required=True
    )
    zone = Text(ZONE, "Europe/Vienna", required=True)
    confirmed = Yes("Whether a mail that we sent to `email` was answered.", required=True)
    created_at = Time("Since when we know the player.", required=True)
    mail = Inside(MailWanted(), "How much mail you want, where nothing else was said for a match.", required=True)


class MyChanges(Asked):
    """What is to be changed; what is left out stays as it is."""

    name = Text(NAME, "Ann of Cleves", longest=80)
    email = Text("A new address: it counts once the mail that goes there is answered. Your present one withdraws the wish.", longest=254)
    zone = Text(ZONE, "Asia/Kolkata", longest=64)
    mail = Inside(MailChoice(), "How much mail you want.")


class Erasing(Asked):
    """Yes, really."""

    erase = Text("Your player id: whoever sends it is sure to erase nobody else by a token that was mixed up.", PLAYER, longest=40)


class NewToken(Asked):
    """A token to be made."""

    name = Text("What it is for, so that you know it again.", "my bot", longest=80, required=True)
    scopes = Many(
        Text("A scope.", choices=GIVEN),
        "What it allows; never more than the token that makes it.",
        least=1,
        most=len(GIVEN),
        once=True,
        required=True,
    )
    expires_at = Text(
        "Until when it is good; left out, until it is revoked.",
        "2027-11-29T10:00:00Z",
        pattern=MOMENT,
        like="a time in UTC, as in 2027-11-29T10:00:00Z",
        form="date-time",
    )


class ApiToken(Told):
    """An API token as it is listed: never the token itself."""

    id = Text("By which it is revoked.", LISTED_AS, required=True)
    name = Text("What it is for.", "my bot", required=True)
    scopes = Many(Text("A scope.", choices=SCOPES), "What it allows.", required=True)
    created_at = Time("When it was made.", required=True)
    expires_at = Time("Until when it is good; null: until it is revoked.", allow_none=True, required=True)
    used_at = Time("When it was last used, to about a minute; null: never.", allow_none=True, required=True)


class FreshToken(ApiToken):
    """An API token that has just been made."""

    token = Text("The token, shown this once.", TOKEN, required=True)


class ApiTokens(Told):
    """Your tokens."""

    tokens = Many(Inside(ApiToken()), f"The oldest first; at most {MOST_PASSES}.", required=True)


SIGN_UP, SIGNED_UP, ME, MY_CHANGES, ERASING, MAIL_CHOICE, MATCH_MAIL = SignUp(), SignedUp(), Me(), MyChanges(), Erasing(), MailChoice(), MatchMail()
NEW_TOKEN, FRESH_TOKEN, API_TOKENS = NewToken(), FreshToken(), ApiTokens()
