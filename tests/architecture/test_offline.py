"""Offline means offline: these commands run with every way to the network refused, and never try one."""

from pathlib import Path

import pytest

from tests.architecture.isolated import CASES, ragmeter, run

# The commands that must work without a network: exit code and a word of the output.
# They run in a folder with fixture.jsonl (three S2 cases).
OFFLINE = {
    "score fixture.jsonl --k 3 --format json": (0, '"q1"'),
    "score fixture.jsonl --k 3 --format markdown": (0, "q1"),
    "score fixture.jsonl --k 3 --format markdown --min-recall 1": (0, "q1"),
    "score fixture.jsonl --k 1 --format markdown --min-recall 1": (1, "q1"),
}

# An audit hook sees these events whoever causes them, C extensions that use the socket module included.
# A program that we start is out of its sight, so starting one is refused too.
REFUSE = """\
import socket
LOCAL = {int(getattr(socket, name)) for name in ('AF_UNIX', 'AF_NETLINK') if hasattr(socket, name)}
REFUSED = {
    'socket.connect', 'socket.bind', 'socket.sendto', 'socket.sendmsg', 'socket.getaddrinfo',
    'socket.gethostbyname', 'socket.gethostbyaddr', 'socket.getnameinfo',
    'subprocess.Popen', 'os.system', 'os.exec', 'os.posix_spawn', 'os.fork', 'os.forkpty',
}
tried = []
report = lambda: tried

def refuse(event, args):
    if event in REFUSED or (event == 'socket.__new__' and int(args[1]) not in LOCAL):
        tried.append(event)
        raise RuntimeError(f'offline: {event} refused')

sys.addaudithook(refuse)
"""


@pytest.mark.parametrize("command", OFFLINE)
def test_an_offline_command_needs_no_network(tmp_path: Path, command: str) -> None:
    (tmp_path / "fixture.jsonl").write_text(CASES, encoding="utf-8")
    code, word = OFFLINE[command]
    ran = ragmeter(*command.split(), folder=tmp_path, prelude=REFUSE)
    assert ran.report == [], str(ran)
    assert ran.code == code, str(ran)
    assert word in ran.stdout, str(ran)


ATTEMPTS = {
    "an internet socket": ("import socket; socket.socket(socket.AF_INET)", "socket.__new__"),
    "an IPv6 socket": ("import _socket; _socket.socket(_socket.AF_INET6)", "socket.__new__"),
    "binding": ("import socket; socket.socket(socket.AF_UNIX).bind('here')", "socket.bind"),
    "connecting": ("import socket; socket.socket(socket.AF_UNIX).connect('here')", "socket.connect"),
    "a name look-up": ("import socket; socket.getaddrinfo('localhost', 80)", "socket.getaddrinfo"),
    "an old name look-up": ("import socket; socket.gethostbyname('localhost')", "socket.gethostbyname"),
    "the HTTP client": ("import httpx; httpx.get('http://127.0.0.1:9')", "socket.getaddrinfo"),
    "a program": ("import subprocess; subprocess.run(['true'])", "subprocess.Popen"),
    "a swallowed attempt": (
        "import socket\ntry:\n    socket.getaddrinfo('localhost', 80)\nexcept Exception:\n    pass",
        "socket.getaddrinfo",
    ),
}


@pytest.mark.parametrize(("body", "event"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_attempt_is_refused_and_seen(tmp_path: Path, body: str, event: str) -> None:
    ran = run(body, folder=tmp_path, prelude=REFUSE)
    assert event in ran.report, str(ran)
    if "except" in body:
        assert ran.code == 0, str(ran)
    else:
        assert f"{event} refused" in ran.stderr, str(ran)


def test_an_event_loop_of_its_own_is_no_network(tmp_path: Path) -> None:
    ran = run("import asyncio; asyncio.run(asyncio.sleep(0)); print('ran')", folder=tmp_path, prelude=REFUSE)
    assert (ran.stdout, ran.report) == ("ran\n", []), str(ran)
