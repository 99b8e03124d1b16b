"""The one place where a site is put together: each process calls it once, after it was forked."""

from __future__ import annotations

from dataclasses import dataclass

from redis import Redis

from domain.desk import Desk
from domain.ports import Clock, EventLog
from infra.clock import now
from infra.keeping.archive import Archive, KeptLog
from infra.keeping.audit import Audit
from infra.keeping.shelves import shelf
from infra.keeping.witness import Witness
from infra.limits.limiter import Limiter
from infra.limits.quotas import quotas
from infra.listing import Listing
from infra.mail.baskets import Baskets
from infra.mail.inbox import Inbox
from infra.mail.mailbox import Mailbox
from infra.mail.smtp import Mailer
from infra.outbox import Outbox
from infra.people.calendars import Calendars
from infra.people.knocks import Knocks
from infra.people.player_keys import PlayerKeys
from infra.people.players import Players
from infra.people.preferences import Preferring
from infra.people.sessions import Sessions
from infra.redis_clients.client import client, hasty
from infra.redis_log.census import Census
from infra.redis_log.due import Dues
from infra.redis_log.feed import Feed
from infra.redis_log.follower import Follower
from infra.redis_log.gate import Gate
from infra.redis_log.log import RedisLog
from infra.redis_log.readonly import ReadOnly
from infra.redis_log.replicas import Replicas
from infra.seals.keys import Keys
from infra.seals.lot import lots
from infra.seals.signing import Signing
from infra.seals.tokens import Tokens
from infra.settings import Settings
from infra.tally import Tally
from infra.vigil import Vigil
from infra.webhooks.queue import Queue
from infra.webhooks.webhooks import Webhooks


@dataclass(frozen=True)
class Site:
    """Everything a process of this site works with. The clients speak bytes and are shared by the process's threads."""

    settings: Settings
    clock: Clock
    log: EventLog
    desk: Desk
    feed: Feed
    follower: Follower
    dues: Dues
    vigil: Vigil
    outbox: Outbox
    baskets: Baskets
    calendars: Calendars
    inbox: Inbox
    listing: Listing
    census: Census
    archive: Archive
    readonly: ReadOnly
    witness: Witness
    audit: Audit
    players: Players
    preferring: Preferring
    sessions: Sessions
    knocks: Knocks
    player_keys: PlayerKeys
    keys: Keys
    signing: Signing
    tokens: Tokens
    mailer: Mailer
    mailbox: Mailbox
    webhooks: Webhooks
    tally: Tally
    hook_queue: Queue
    limiter: Limiter
    redis: Redis
    rq_redis: Redis
    replicas: Replicas


def site(settings: Settings) -> Site:
    """A site by its settings. Connects to nothing yet, so that a process starts also while its Redis does."""
    redis, keys = client(settings.events_redis_url), Keys(settings)
    signing = Signing(keys, redis)
    witness = Witness(settings.witness, signing)
    audit = Audit(redis, settings.partitions, witness)
    census, archive = Census(redis), Archive(shelf(settings.archive) if settings.archive else None)
    gate, replicas = Gate(redis, settings, audit=audit.after_start), Replicas(settings.replicas)
    log = KeptLog(RedisLog(redis, settings.partitions, gate=gate, replicas=replicas), archive, census)
    outbox = Outbox(redis, settings.partitions)
    return Site(
        settings=settings,
        clock=now,
        log=log,
        desk=Desk(log, lots(keys), now),
        feed=Feed(redis, settings.partitions),
        follower=Follower(settings.events_redis_url, settings.partitions),
        dues=Dues(redis, settings.partitions),
        vigil=Vigil(redis),
        outbox=outbox,
        baskets=Baskets(redis),
        calendars=Calendars(redis),
        inbox=Inbox(redis, replicas),
        listing=Listing(redis),
        players=Players(redis, now, settings.mail_domain),
        preferring=Preferring(redis),
        sessions=Sessions(redis, now),
        knocks=Knocks(redis, outbox),
        player_keys=PlayerKeys(redis, now),
        census=census,
        archive=archive,
        readonly=ReadOnly(redis, settings.partitions),
        witness=witness,
        audit=audit,
        keys=keys,
        signing=signing,
        tokens=Tokens(keys),
        mailer=Mailer(settings),
        mailbox=Mailbox(settings.data, settings.url),
        webhooks=Webhooks(redis, now),
        hook_queue=Queue(redis),
        tally=Tally(redis),
        limiter=Limiter(hasty(settings.rq_redis_url), quotas(settings.rate_limits, dev=settings.dev)),  # to count takes no disk
        redis=redis,
        rq_redis=client(settings.rq_redis_url),  # not the same client where the URL is the same: RQ's workers lengthen its pool's time-outs
        replicas=replicas,
    )
