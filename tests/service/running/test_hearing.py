"""Signals that mean stop are heard, once and in order, and those that nobody wanted to hear stay unheard."""

import os
import signal

import pytest

from service.running.hearing import hearing


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_means_stop_is_heard_and_ends_nothing_by_itself(number: signal.Signals):
    before = signal.getsignal(number)
    with hearing() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(60)
        os.kill(os.getpid(), number)  # somebody is impatient: what is being stopped goes on being stopped
    assert signal.getsignal(number) == before


def test_an_interrupt_is_heard_also_where_a_shell_started_us_in_the_background():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with hearing() as stop:
            os.kill(os.getpid(), signal.SIGINT)
            assert stop.wait(60)
    finally:
        signal.signal(signal.SIGINT, before)


def test_who_was_told_not_to_hear_a_hangup_goes_on():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with hearing() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.wait(0.1)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
