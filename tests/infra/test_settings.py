"""What a site must be told, and the sentences that say what is missing."""

import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network
from pathlib import Path

import pytest

from infra.settings import Settings, SettingsError, variables

A, B, SEEDS = bytes(range(32)), bytes(range(32, 64)), bytes(range(64, 96))
WHOLE = {
    "FORGEPOST_URL": "https://turns.example.org",
    "FORGEPOST_SECRETS": f"b:{B.hex()},a:{A.hex()}",
    "FORGEPOST_SEED_SECRET": SEEDS.hex(),
    "EVENTS_REDIS_URL": "redis://:redis-word@10.0.0.5:6379/0",
    "SMTP_URL": "smtp+starttls://forge:mail-word@mail.example.org:587",
}


def refused(**changes: str | None) -> str:
    """What is said about the whole environment with these changes (None: not set)."""
    environ = {name: value for name, value in {**WHOLE, **changes}.items() if value is not None}
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(environ)
    return str(caught.value)


def test_a_whole_environment_makes_settings():
    assert Settings.from_env(WHOLE) == Settings(
        url="https://turns.example.org",
        secrets=(("b", B), ("a", A)),
        seed_secret=SEEDS,
        events_redis_url="redis://:redis-word@10.0.0.5:6379/0",
        rq_redis_url="redis://:redis-word@10.0.0.5:6379/0",
        smtp_url="smtp+starttls://forge:mail-word@mail.example.org:587",
        mail_domain="turns.example.org",
        dkim="",
        mail_in_url="",
        imap_url="",
        authserv_id="",
        data=Path.cwd() / "var",
        dev=False,
        partitions=16,
        allow_loss_window=False,
        replicas=0,
        redis_durability_attested=False,
        witness=Path.cwd() / "var" / "witness",
        archive="",
        archive_after=0,
        webhooks_private="no",
        metrics_token="",
        rate_limits="",
        trusted_proxies=(ip_network("127.0.0.0/8"), ip_network("::1/128")),
    )


def test_a_key_for_signatures_that_cannot_be_read_is_said_at_the_start():
    assert refused(DKIM_KEYS="forgepost:/nowhere/dkim.pem") == "DKIM_KEYS: the key file /nowhere/dkim.pem cannot be read: No such file or directory"


def test_what_is_set_counts_more_than_what_is_usual():
    environ = {
        **WHOLE,
        "FORGEPOST_URL": "https://Turns.Example.org/",
        "RQ_REDIS_URL": "unix:///run/redis.sock",
        "MAIL_DOMAIN": "in.example.org",
        "FORGEPOST_DATA": "/srv/forgepost",
        "FORGEPOST_PARTITIONS": "4",
        "ALLOW_LOSS_WINDOW": "yes",
        "REPLICAS": "2",
        "REDIS_DURABILITY_ATTESTED": "1",
        "RATE_LIMITS": "off",
        "TRUSTED_PROXIES": "10.0.0.5, 2001:db8::/32",
    }
    settings = Settings.from_env(environ)
    assert (settings.url, settings.rq_redis_url, settings.mail_domain) == ("https://turns.example.org", "unix:///run/redis.sock", "in.example.org")
    assert (settings.data, settings.partitions) == (Path("/srv/forgepost"), 4)
    assert (settings.allow_loss_window, settings.replicas, settings.redis_durability_attested) == (True, 2, True)
    assert (settings.rate_limits, settings.trusted_proxies) == ("off", (ip_network("10.0.0.5"), ip_network("2001:db8::/32")))
    assert Settings.from_env(settings.environ()) == settings


def test_an_empty_environment_is_told_everything_it_lacks_at_once():
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({})
    lines = str(caught.value).splitlines()
    assert [line.split()[0] for line in lines] == [
        "FORGEPOST_URL",
        "EVENTS_REDIS_URL",
        "FORGEPOST_SECRETS",
        "FORGEPOST_SEED_SECRET",
        "SMTP_URL",
    ]
    assert all("is not set" in line for line in lines)


def test_a_variable_set_to_nothing_is_not_set():
    assert "FORGEPOST_SECRETS is not set" in refused(FORGEPOST_SECRETS="  ")


@pytest.mark.parametrize("name", ["FORGEPOST_SECRETS", "FORGEPOST_SEED_SECRET"])
def test_the_command_that_a_missing_secret_is_answered_with_makes_one_that_is_accepted(name: str):
    sentence = refused(**{name: None})
    program = sentence.split("python -c ")[1].strip("'")
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert Settings.from_env({**WHOLE, name: made})


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("FORGEPOST_SECRETS", "a:" + "0f" * 16, "16 bytes, and 32 are needed: make one with: python -c"),
        ("FORGEPOST_SECRETS", A.hex(), "must name each secret's key id"),
        ("FORGEPOST_SECRETS", "a:" + "0" * 64, "nobody drew by chance"),
        ("FORGEPOST_SECRETS", "a:" + "zz" * 32, "not written in hex digits"),
        ("FORGEPOST_SECRETS", "a:" + A.hex()[:-1], "not written in hex digits"),
        ("FORGEPOST_SECRETS", "u:" + A.hex(), "a key id is one digit or one small letter other than i, l, o and u"),
        ("FORGEPOST_SECRETS", "A:" + A.hex(), "a key id is one digit"),
        ("FORGEPOST_SECRETS", "ab:" + A.hex(), "a key id is one digit"),
        ("FORGEPOST_SECRETS", f"a:{A.hex()},a:{B.hex()}", "the key id a twice"),
        ("FORGEPOST_SECRETS", f"a:{A.hex()},", "must name each secret's key id"),
        ("FORGEPOST_SEED_SECRET", "0f" * 31, "31 bytes, and 32 are needed: make one with: python -c"),
        ("ARCHIVE_URL", "s3://", "or a bucket, as in s3://bucket/prefix"),
        ("ARCHIVE_URL", "s3://key:secret@bucket", "or a bucket, as in s3://bucket/prefix"),
        ("ARCHIVE_URL", "archive", "it must be a directory"),
        ("ARCHIVE_AFTER_DAYS", "soon", "it must be a number of days, or 0"),
        ("ARCHIVE_AFTER_DAYS", "30", "ARCHIVE_URL is not: say where to move matches to"),
        ("FORGEPOST_URL", "turns.example.org", "begins with https:// or http://"),
        ("FORGEPOST_URL", "ftp://turns.example.org", "begins with https:// or http://"),
        ("FORGEPOST_URL", "https://", "names a host"),
        ("FORGEPOST_URL", "https://turns.example.org/play", "no path"),
        ("FORGEPOST_URL", "https://ann@turns.example.org", "no path"),
        ("FORGEPOST_URL", "https://turns.example.org?x", "no path"),
        ("FORGEPOST_URL", "https://turns.example.org:port", "names a host"),
        ("FORGEPOST_URL", "https://tür.example.org", "names a host"),
        ("FORGEPOST_URL", "http://turns.example.org", "make it https://"),
        ("FORGEPOST_URL", "https://10.0.0.1", "MAIL_DOMAIN is not set: FORGEPOST_URL has no domain name"),
        ("METRICS_TOKEN", "short", "must be 16 to 200 visible ASCII characters; make one with: python -c"),
        ("WEBHOOKS_PRIVATE", "perhaps", "must be no, yes, or networks as in 10.0.0.0/8,fd00::/8"),
        ("WEBHOOKS_PRIVATE", "10.0.0.1/8", "10.0.0.1/8 has host bits set"),
        ("EVENTS_REDIS_URL", "127.0.0.1:6379", "begins with redis:// or rediss:// or unix://"),
        (
            "EVENTS_REDIS_URL",
            "redis+sentinel://10.0.0.5:26379",
            "must name the sentinels and what they call the master, as in redis+sentinel://10.0.0.5",
        ),
        ("EVENTS_REDIS_URL", "redis+sentinel://10.0.0.5:port/forgepost", "must name the sentinels and what they call the master"),
        ("EVENTS_REDIS_URL", "redis+sentinel://10.0.0.5/forgepost?colour=red", "has an option that a Redis client does not take"),
        ("RQ_REDIS_URL", "http://127.0.0.1", "begins with redis://"),
        ("SMTP_URL", "mail.example.org:25", "begins with smtp:// or smtp+starttls:// or smtps://"),
        ("SMTP_URL", "smtp://mail.example.org/x", "must end after the port"),
        ("SMTP_URL", "smtp://forge:word@mail.example.org:25", "for everybody to read"),
        ("MAIL_DOMAIN", "ann@example.org", "must be a domain"),
        ("MAIL_DOMAIN", "turns..example.org", "must be a domain"),
        ("FORGEPOST_PARTITIONS", "0", "a number from 1 to 100"),
        ("FORGEPOST_PARTITIONS", "101", "a number from 1 to 100"),
        ("FORGEPOST_PARTITIONS", "１６", "a number from 1 to 100"),
        ("FORGEPOST_DEV", "maybe", "it can be 1 or 0"),
        ("ALLOW_LOSS_WINDOW", "2", "it can be 1 or 0"),
        ("REPLICAS", "yes", "it must be a number from 0 to 9"),
        ("RATE_LIMITS", "moves=1/1", "'moves' is nothing that is limited; what is limited is read, "),
        ("TRUSTED_PROXIES", "nginx", "must be addresses or networks with commas between them, as in 10.0.0.5,10.1.0.0/16: 'nginx' "),
        ("TRUSTED_PROXIES", "10.0.0.5/8", "has host bits set"),
    ],
)
def test_a_wrong_value_is_answered_with_a_sentence_that_names_its_variable(name: str, value: str, words: str):
    said = refused(**{name: value})
    assert words in said
    assert said.split()[0] in {name, "MAIL_DOMAIN"}
    assert len(said.splitlines()) == 1


def test_no_complaint_repeats_a_secret_or_a_password():
    for changes in (
        {"FORGEPOST_SECRETS": f"ab:{A.hex()}"},
        {"FORGEPOST_SEED_SECRET": SEEDS.hex() + "0"},
        {"SMTP_URL": "smtp://forge:mail-word@mail.example.org"},
    ):
        said = refused(**changes)
        assert A.hex() not in said
        assert SEEDS.hex() not in said
        assert "mail-word" not in said


def test_a_password_may_travel_in_the_clear_only_inside_this_machine():
    assert Settings.from_env({**WHOLE, "SMTP_URL": "smtp://forge:word@127.0.0.1:2525"}).smtp_url == "smtp://forge:word@127.0.0.1:2525"


def test_secrets_and_passwords_are_never_shown():
    settings = Settings.from_env(WHOLE)
    shown = repr(settings) + str(settings) + str(settings.configured())
    for secret in (A.hex(), B.hex(), SEEDS.hex(), "redis-word", "mail-word", repr(A)):
        assert secret not in shown
    assert "FORGEPOST_SECRETS=b:…, a:…" in shown
    assert "SMTP_URL=smtp+starttls://forge:…@mail.example.org:587" in shown
    assert "EVENTS_REDIS_URL=redis://:…@10.0.0.5:6379/0" in shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://10.0.0.5:6379/0", "redis://10.0.0.5:6379/0"),
        ("redis://forge@10.0.0.5", "redis://forge@10.0.0.5"),
        ("rediss://forge:red:is@w0rd@10.0.0.5:6379/0", "rediss://forge:…@10.0.0.5:6379/0"),
        ("redis://10.0.0.5/0?password=w0rd", "redis://10.0.0.5/0?…"),
        ("redis+sentinel://:w0rd@10.0.0.5:26379,10.0.0.6/forgepost/0", "redis+sentinel://:…@10.0.0.5:26379,10.0.0.6/forgepost/0"),
        ("unix://:w0rd@/run/redis.sock?db=1", "unix://:…@/run/redis.sock?…"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str):
    listed = {variable.name: value for variable, value in Settings.from_env({**WHOLE, "EVENTS_REDIS_URL": url}).configured()}
    assert listed["EVENTS_REDIS_URL"] == listed["RQ_REDIS_URL"] == shown


def test_every_variable_is_listed_with_its_value_and_what_it_is_for():
    listed = Settings.from_env(WHOLE).configured()
    assert [variable.name for variable, _ in listed] == [
        "FORGEPOST_URL",
        "FORGEPOST_SECRETS",
        "FORGEPOST_SEED_SECRET",
        "EVENTS_REDIS_URL",
        "RQ_REDIS_URL",
        "SMTP_URL",
        "MAIL_DOMAIN",
        "DKIM_KEYS",
        "MAIL_IN_URL",
        "IMAP_URL",
        "AUTHSERV_ID",
        "FORGEPOST_DATA",
        "FORGEPOST_DEV",
        "FORGEPOST_PARTITIONS",
        "ALLOW_LOSS_WINDOW",
        "REPLICAS",
        "REDIS_DURABILITY_ATTESTED",
        "WITNESS_DIR",
        "ARCHIVE_URL",
        "ARCHIVE_AFTER_DAYS",
        "WEBHOOKS_PRIVATE",
        "RATE_LIMITS",
        "TRUSTED_PROXIES",
        "METRICS_TOKEN",
    ]
    assert all(variable.about.endswith(".") for variable, _ in listed)
    assert [variable.name for variable in variables().values() if variable.secret] == ["FORGEPOST_SECRETS", "FORGEPOST_SEED_SECRET", "METRICS_TOKEN"]


def test_settings_can_be_handed_to_a_process_that_is_started(tmp_path: Path):
    for settings in (Settings.from_env(WHOLE), Settings.development(tmp_path, port=8123, redis_port=7000, smtp_port=7001)):
        assert Settings.from_env(settings.environ()) == settings


def test_a_development_site_makes_its_secrets_once_and_keeps_them_to_itself(tmp_path: Path):
    first = Settings.development(tmp_path / "var")
    secrets = tmp_path / "var" / "secrets"
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o600
    assert Settings.development(tmp_path / "var") == first
    assert (
        Settings.from_env({**WHOLE, "FORGEPOST_SECRETS": "", "FORGEPOST_DEV": "1", "FORGEPOST_DATA": str(tmp_path / "var")}).secrets == first.secrets
    )
    assert Settings.development(tmp_path / "other").secrets != first.secrets
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secrets"]


def test_a_development_site_lives_on_this_machine(tmp_path: Path):
    settings = Settings.development(tmp_path, port=8001, redis_port=6391, smtp_port=2526)
    assert (settings.url, settings.dev, settings.mail_domain) == ("http://127.0.0.1:8001", True, "forgepost.localhost")
    assert (settings.events_redis_url, settings.rq_redis_url) == ("redis://127.0.0.1:6391/0", "redis://127.0.0.1:6391/0")
    assert (settings.smtp_url, settings.data) == ("smtp://127.0.0.1:2526", tmp_path)
    assert Settings.development(tmp_path, host="::1").url == "http://[::1]:8000"


def test_processes_that_start_at_once_agree_on_the_secrets(tmp_path: Path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: Settings.development(tmp_path), range(16)))
    assert len(set(made)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secrets"]


def test_a_place_where_secrets_cannot_be_kept_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(
        SettingsError, match=r"FORGEPOST_DATA is .*/file/var, where the secrets of a development site cannot be kept: Not a directory"
    ):
        Settings.development(tmp_path / "file" / "var")


def test_outside_development_no_secret_is_made(tmp_path: Path):
    assert "FORGEPOST_SEED_SECRET is not set" in refused(FORGEPOST_SEED_SECRET=None, FORGEPOST_DATA=str(tmp_path / "var"))
    assert not (tmp_path / "var").exists()


def test_what_works_but_not_well_is_doubted():
    assert Settings.from_env(WHOLE).doubts() == []
    long = Settings.from_env(
        {**WHOLE, "FORGEPOST_URL": "https://turns-by-mail.example.org", "ALLOW_LOSS_WINDOW": "1", "REDIS_DURABILITY_ATTESTED": "1"}
    )
    assert [doubt.split(":")[0] for doubt in long.doubts()] == [
        "FORGEPOST_URL has 33 characters",
        "ALLOW_LOSS_WINDOW is on",
        "REDIS_DURABILITY_ATTESTED is on",
    ]


def test_where_replies_are_taken_from_is_said_by_two_addresses():
    settings = Settings.from_env({**WHOLE, "MAIL_IN_URL": "lmtp://127.0.0.1:8024", "IMAP_URL": "imaps://in:w0rd@mail.example.org/INBOX"})
    assert (settings.mail_in_url, settings.imap_url) == ("lmtp://127.0.0.1:8024", "imaps://in:w0rd@mail.example.org/INBOX")
    assert {variable.name: value for variable, value in settings.configured()}["IMAP_URL"] == "imaps://in:…@mail.example.org/INBOX"
    assert any("AUTHSERV_ID is not set" in doubt for doubt in settings.doubts())
    assert not any("AUTHSERV_ID" in doubt for doubt in Settings.from_env({**WHOLE, "AUTHSERV_ID": "mx.example.org"}).doubts())


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MAIL_IN_URL", "lmtp://127.0.0.1", "MAIL_IN_URL must end after its port"),
        ("MAIL_IN_URL", "http://127.0.0.1:1", "MAIL_IN_URL is no address that begins with lmtp:// or smtp://"),
        ("IMAP_URL", "imaps://mail.example.org", "IMAP_URL must name a user and a password"),
        ("IMAP_URL", "imap://in:w0rd@mail.example.org", "IMAP_URL would send its password for everybody to read"),
    ],
)
def test_an_address_for_replies_that_cannot_be_is_refused(name: str, value: str, words: str):
    assert refused(**{name: value}).startswith(words)
