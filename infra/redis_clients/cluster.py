"""A client of a Redis Cluster that is asked as one of a single server is: each command goes where its key lies, each pipeline in parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from threading import RLock
from time import monotonic, sleep
from typing import Any, Final

from redis import ConnectionPool, Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.client import Pipeline
from redis.cluster import ClusterNode
from redis.exceptions import AskError, ClusterCrossSlotError, ClusterDownError, RedisClusterException, TryAgainError
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry

ELSEWHERE: Final = (AskError, TryAgainError, ClusterDownError)  # a slot lies elsewhere (MOVED is a kind of ASK), is on its way, or nobody has it
GONE: Final = (Disconnected, TimedOut)
AGAIN: Final = (*GONE, *ELSEWHERE)
PAUSES: Final = (0.0, 0.05, 0.2, 0.5)  # seconds before each try of what did not find its place
POLL: Final = 0.1  # seconds between two looks into streams of several slots, which no command can wait for together
BELOW: Final = {"XGROUP", "XINFO", "OBJECT", "MEMORY"}  # commands whose key stands behind a second word
SCRIPTS: Final = {"EVAL", "EVALSHA"}
READS: Final = {"XREAD", "XREADGROUP"}


class Cluster(Redis):
    """Connects to nothing before it is asked. Whatever spans several slots is done slot by slot, so a transaction must keep to one."""

    def __init__(self, hosts: tuple[tuple[str, int], ...], *, tries: int = len(PAUSES), **how: Any) -> None:
        super().__init__(*hosts[0], **how)
        self._hosts, self.tries, self._how = hosts, tries, how
        self._lock = RLock()
        self._map: RedisCluster | None = None

    def pool_of(self, key: Any) -> ConnectionPool:
        """Connections to the server that a key lies on. Raises Disconnected."""
        return self.server_of(key).connection_pool

    def server_of(self, key: Any) -> Redis:
        """A client of that server alone. Raises Disconnected."""
        found: Redis = self._placed(lambda known: known.get_redis_connection(_found(known.get_node_from_key(key))))
        return found

    def servers(self) -> list[Redis]:
        """One for each master, in the order of their addresses. Raises Disconnected."""
        found: list[Redis] = self._placed(
            lambda known: [known.get_redis_connection(node) for node in sorted(known.get_primaries(), key=lambda node: node.name)]
        )
        return found

    def slot(self, key: Any) -> int:
        """The slot that a key lies in."""
        slot: int = self._placed(lambda known: known.keyslot(key))
        return slot

    def look_again(self) -> None:
        """Something was not where it was thought to be."""
        self._placed(lambda known: known.nodes_manager.initialize())

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """One command, at its key's server; what has no key goes to one or all, as redis-py sees fit."""
        return self._placed(lambda known: known.execute_command(*args, **options))

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:  # noqa: FBT001, FBT002, ARG002 - redis-py's form
        return Parts(self, transaction=transaction)

    def transaction(self, func: Callable[[Pipeline], None], *watches: Any, **options: Any) -> Any:
        return self.server_of(watches[0]).transaction(func, *watches, **options)

    def delete(self, *names: Any) -> Any:
        return self._summed("DEL", names)

    def unlink(self, *names: Any) -> Any:
        return self._summed("UNLINK", names)

    def exists(self, *names: Any) -> Any:
        return self._summed("EXISTS", names)

    def dbsize(self, **_options: Any) -> Any:
        return sum(server.dbsize() for server in self.servers())

    def bgrewriteaof(self, **_options: Any) -> Any:
        return [server.bgrewriteaof() for server in self.servers()]

    def scan_iter(self, match: Any = None, count: Any = None, _type: Any = None, **options: Any) -> Iterator[Any]:
        for server in self.servers():
            yield from server.scan_iter(match=match, count=count, _type=_type, **options)

    def xreadgroup(self, groupname: Any, consumername: Any, streams: Any, count: Any = None, block: Any = None, **options: Any) -> Any:  # type: ignore[override]
        """As a single server does, but that news of a stream is heard of POLL later."""
        until = monotonic() + (block or 0) / 1000
        while True:
            with self.pipeline(transaction=False) as pipe:
                for name, place in streams.items():
                    pipe.xreadgroup(groupname, consumername, {name: place}, count=count, **options)
                found = [pair for said in pipe.execute() for pair in pairs(said)]
            if found or monotonic() + POLL > until:
                return found
            sleep(POLL)

    def close(self) -> None:
        with self._lock:
            if self._map is not None:
                self._map.close()
        super().close()

    def _summed(self, command: str, names: tuple[Any, ...]) -> int:
        with self.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.execute_command(command, name)  # type: ignore[no-untyped-call]
            return sum(pipe.execute())

    def _placed(self, ask: Callable[[Any], Any]) -> Any:
        try:
            with self._lock:
                known = self._map = self._map or self._looked()
            return ask(known)
        except RedisClusterException as lost:
            raise Disconnected(str(lost)) from lost

    def _looked(self) -> RedisCluster:
        nodes = [ClusterNode(*host) for host in self._hosts]  # type: ignore[no-untyped-call]
        retry = Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5) if self.tries > 1 else NoBackoff(), self.tries - 1)
        how = {name: value for name, value in self._how.items() if name != "retry"}
        return RedisCluster(startup_nodes=nodes, retry=retry, **how)


class Parts(Pipeline):
    """A pipeline that is carried out server by server; a transaction, and whatever uses scripts in it, as on a single one."""

    def __init__(self, cluster: Cluster, *, transaction: bool) -> None:
        super().__init__(cluster.connection_pool, cluster.response_callbacks, transaction, None)
        self._cluster, self._whole = cluster, transaction

    def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - redis-py's form
        """The replies in the order of the commands. What did not find its place is sent again, so all of it must bear that."""
        stack, scripts = list(self.command_stack), set(self.scripts)
        self.reset()
        if self._whole and len({self._cluster.slot(_key(args)) for args, _ in stack}) > 1:
            raise ClusterCrossSlotError("a transaction must keep to one slot")
        replies: dict[int, Any] = dict.fromkeys(range(len(stack)), Disconnected("nobody was asked"))
        for pause in PAUSES[: self._cluster.tries]:
            if pause:
                sleep(pause)
                self._cluster.look_again()
            replies |= self._round(stack, scripts, [place for place, reply in replies.items() if isinstance(reply, AGAIN)])
            if not any(isinstance(reply, AGAIN) for reply in replies.values()):
                break
        found = list(replies.values())
        for reply in found:
            if isinstance(reply, GONE):
                raise reply
        if raise_on_error:
            self.raise_first_error(stack, found)  # type: ignore[no-untyped-call]
        return found

    def _round(self, stack: list[Any], scripts: set[Any], places: list[int]) -> dict[int, Any]:
        """What each server says to its commands, or what kept it from answering."""
        shared: dict[Redis, list[int]] = defaultdict(list)
        for place in places:
            shared[self._cluster.server_of(_key(stack[place][0]))].append(place)
        said: dict[int, Any] = {}
        for server, its in shared.items():
            try:
                said |= zip(its, self._part(server, [stack[place] for place in its], scripts), strict=True)
            except AGAIN as error:
                said |= dict.fromkeys(its, error)
        return said

    def _part(self, server: Redis, stack: list[Any], scripts: set[Any]) -> list[Any]:
        with server.pipeline(transaction=self._whole) as pipe:
            pipe.command_stack, pipe.scripts = stack, scripts
            return pipe.execute(raise_on_error=False)


def _found(node: Any) -> ClusterNode:
    if node is None:
        raise Disconnected("no server of the cluster has this slot")
    said: ClusterNode = node
    return said


def _key(args: tuple[Any, ...]) -> Any:
    """The (first) key of a command."""
    name = args[0].decode() if isinstance(args[0], bytes) else str(args[0])
    match name.upper():
        case word if word in SCRIPTS:
            return args[3]
        case word if word in READS:
            return args[next(place for place, said in enumerate(args) if said in ("STREAMS", b"STREAMS")) + 1]
        case word if word in BELOW:
            return args[2]
        case _:
            return args[1]


def pairs(said: Any) -> list[Any]:
    """Streams with their rows, as one protocol gives them and the other."""
    if isinstance(said, dict):
        return [[name, [row for rows in pages for row in rows]] for name, pages in said.items()]
    return list(said or ())
