"""Offline means offline: these commands run with every way to the network refused, and never try one."""

from pathlib import Path

import pytest

from tests.architecture.isolated import CASES, ragmeter, run

# The commands that must work without a network: exit code and a word of the output.
# They run in a folder with fixture.jsonl (three S2 cases) and FILES.
OFFLINE = {
    "score fixture.jsonl --k 3 --format json": (0, '"q1"'),
    "score fixture.jsonl --k 3 --format markdown": (0, "q1"),
    "score fixture.jsonl --k 3 --format markdown --min-recall 1": (0, "q1"),
    "score fixture.jsonl --k 1 --format markdown --min-recall 1": (1, "q1"),
    "score fixture.jsonl --profile standard --format csv": (0, "recall@5"),
    "score fixture.jsonl --format junit --min recall=0": (0, "<testsuite"),
    "score fixture.jsonl --format github": (0, "recall"),
    "score fixture.jsonl --format terminal": (0, "recall"),
    "score a.run --qrels a.qrels -m ndcg@10 --format json --per-query": (0, '"q1"'),
    "score cases.jsonl outputs.jsonl -m similarity_to_expected --judge similarity:lexical --format json": (0, '"c1"'),
    "validate fixture.jsonl": (0, "3"),
    "list metrics": (0, "recall"),
    "list formats": (0, "s2"),
    "explain recall": (0, "relevant"),
    "explain fixture.jsonl q1": (0, "q1"),
    "init fixtures": (0, ""),
    "runs": (0, ""),
    "convert": (0, "ragas"),
    "convert ragas.csv --output made": (0, "ragas.cases.jsonl: 1"),
    "compare base-scores.jsonl new-scores.jsonl --format markdown": (0, "recall@5"),
}

FILES = {
    "base-scores.jsonl": '{"id":"c1","metrics":{"recall@5":1.0}}\n',
    "new-scores.jsonl": '{"id":"c1","metrics":{"recall@5":0.5}}\n',
    "a.run": "q1 Q0 d1 1 0.9 r\nq1 Q0 d2 2 0.8 r\n",
    "a.qrels": "q1 0 d2 1\n",
    "cases.jsonl": '{"id":"c1","question":"a?","references":["b c"]}\n',
    "ragas.csv": "user_input,response\nq,a\n",
    "outputs.jsonl": '{"case":"c1","answer":"b c"}\n',
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
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
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
