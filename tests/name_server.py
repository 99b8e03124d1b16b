"""A real name server for tests on a port of its own: what stands in its zone, in the form of zone files."""

import socket
import socketserver
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset


class NameServer:
    """`zone`: name → lines as in `MX 10 mail.example.org.`; whatever is not there does not exist."""

    def __init__(self, zone: dict[str, list[str]]) -> None:
        self.zone = zone
        self.asked: list[str] = []
        self.failing = False

    def answer(self, wire: bytes) -> bytes:
        query = dns.message.from_wire(wire)
        answer = dns.message.make_response(query)
        answer.flags |= dns.flags.RA
        (question,) = query.question
        name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        self.asked.append(f"{kind} {name}")
        lines = self.zone.get(name)
        if self.failing or lines is None:
            answer.set_rcode(dns.rcode.SERVFAIL if self.failing else dns.rcode.NXDOMAIN)
            return answer.to_wire()
        for line in lines:
            sort, _, said = line.partition(" ")
            if sort == kind:
                answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", sort, said))
        return answer.to_wire()


@contextmanager
def answering(server: NameServer) -> Iterator[str]:
    """The server's address while it is up."""

    class Datagram(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            wire, back = self.request
            back.sendto(server.answer(wire), self.client_address)

    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Datagram) as udp:
        thread = Thread(target=udp.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"127.0.0.1:{udp.server_address[1]}"
        finally:
            udp.shutdown()
            thread.join()


@contextmanager
def mute() -> Iterator[tuple[str, Callable[[], set[str]]]]:
    """The address of a server that takes questions and never answers, and what it was asked."""

    def asked() -> set[str]:
        questions = set()
        with suppress(BlockingIOError):
            while wire := deaf.recv(4096):
                (question,) = dns.message.from_wire(wire).question
                questions.add(f"{dns.rdatatype.to_text(question.rdtype)} {question.name.to_text(omit_final_dot=True)}")
        return questions

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.setblocking(False)
        place: Any = deaf.getsockname()
        yield f"127.0.0.1:{place[1]}", asked
