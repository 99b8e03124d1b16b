"""Ports that are free, and ports that are not."""

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from service.running.ports import INNER, NoPort, address, await_free, inner, trouble


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", inner(1)[0])) as server:
        yield server


def test_inner_ports_are_different_free_and_not_among_those_of_outgoing_connections():
    found = inner(20)
    assert len(set(found)) == 20
    assert set(found) <= set(INNER)
    assert [trouble("127.0.0.1", port) for port in found] == [None] * 20
    assert INNER.stop <= int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])


def test_a_port_that_was_given_is_given_to_nobody_else_and_can_be_listened_at():
    ours = set(inner(50))
    code = f"from service.running import ports; print(any(map(ports._hold, {sorted(ours)})))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    for port in ours:
        with socket.create_server(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)):
            pass


def test_a_port_that_is_taken_is_named(taken: socket.socket):
    port = taken.getsockname()[1]
    assert trouble("127.0.0.1", port) == f"nothing can listen on 127.0.0.1 port {port}: address already in use"
    with pytest.raises(NoPort, match=f"port {port}: address already in use; end what listens there, or give another port with --port"):
        await_free("127.0.0.1", port, 0.0)


def test_a_port_that_is_about_to_become_free_is_waited_for(taken: socket.socket):
    leaving = threading.Timer(0.2, taken.close)
    leaving.start()
    await_free("127.0.0.1", taken.getsockname()[1], 60.0)
    leaving.join()


def test_a_host_is_an_address():
    assert address("127.0.0.1") == "127.0.0.1"
    assert address("::1") == "::1"
    assert address("localhost") in {"127.0.0.1", "::1"}
    with pytest.raises(NoPort, match=r"nowhere\.invalid is no address of this machine"):
        address("nowhere.invalid")
