"""nostr-relay on loopback; prints its address, ends when standard input ends."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """
DEBUG: false
relay_name: python relay
storage:
  sqlalchemy.url: sqlite+aiosqlite:///{folder}/nostr.sqlite3
  num_concurrent_reqs: 10
  num_concurrent_adds: 2
  validators:
    - nostr_relay.validators.is_not_too_large
    - nostr_relay.validators.is_signed
gunicorn:
  bind: 127.0.0.1:{port}
  workers: 1
  loglevel: error
purple:
  host: 127.0.0.1
  port: {port}
  workers: 1
authentication:
  enabled: false
subscription_limit: 32
max_limit: 100
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_open(port, process):
    for _ in range(2000):
        if process.poll() is not None:
            raise SystemExit("nostr-relay ended before it listened")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("nostr-relay does not listen")


with tempfile.TemporaryDirectory() as folder:
    port = free_port()
    configuration = pathlib.Path(folder, "config.yaml")
    configuration.write_text(CONFIGURATION.format(folder=folder, port=port))
    program = pathlib.Path(sys.executable).parent / "nostr-relay"
    process = subprocess.Popen(
        [program, "-c", configuration, "serve"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_until_open(port, process)
        print(f"ws://127.0.0.1:{port}", flush=True)
        sys.stdin.read()
    finally:
        # Nothing it keeps is wanted any more, and it takes its workers along.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
