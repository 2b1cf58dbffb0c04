"""A running `frost serve`, and clients that send exactly the bytes that a case needs."""

import hashlib
import hmac
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """Starts a server on a free port, and ends it. Its access log is in `log`.

    :param command: the words of another command than `frost serve`, which chooses its address itself.
    :param before: a function that the process calls before it becomes the server."""

    # Options of all servers.
    always = []

    def __init__(self, frost, *words, listen="127.0.0.1:0", env=None, command=None, before=None):
        self.folder = tempfile.TemporaryDirectory(prefix="frost-serve-")
        self.path = Path(self.folder.name)
        self.log = self.path / "log"
        self.process = subprocess.Popen(
            [frost, *(command or ["serve", "--listen", listen, *self.always]), "--access-log", self.log, *words], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_STATE_HOME": self.folder.name, **(env or {})}, preexec_fn=before)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), (line, self.process.stderr.read())
        self.place = line.removeprefix("listening on ").strip()
        self.port = None if self.place.startswith("unix:") else int(self.place.rsplit(":", 1)[1].split("/")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()

    def connect(self, timeout=30):
        if self.port is None:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(timeout)
            client.connect(self.place.removeprefix("unix:"))
        else:
            client = socket.create_connection(("127.0.0.1", self.port), timeout)
        return client

    def request(self, method, target, body=None, headers=None, version="HTTP/1.1", timeout=30):
        """Sends a request on a connection of its own, and returns the response."""
        with self.connect(timeout) as client:
            try:
                client.sendall(message(method, target, body, headers, version))
            except (BrokenPipeError, ConnectionResetError):
                pass        # The server has answered before it has read all.
            return Response(client.makefile("rb"), method)

    def raw(self, data, timeout=30, end=False):
        """Sends bytes, and returns all bytes that come back until the server ends the connection."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
                if end:
                    client.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return drain(client)

    def records(self, count=1):
        """The lines of the access log, as soon as there are so many."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            lines = self.log.read_text().splitlines()
            if len(lines) >= count:
                return [json.loads(line) for line in lines]
            time.sleep(0.02)
        raise AssertionError(f"the log has {len(lines)} lines, not {count}")

    def metric(self, name):
        text = self.request("GET", "/metrics").body.decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name))

    def memory(self):
        """The resident memory of the process, in bytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def seconds(self):
        """The processor time of the server and of the processes that have ended under it."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def message(method, target, body=None, headers=None, version="HTTP/1.1"):
    fields = {"Host": "localhost"}
    if body is not None:
        fields["Content-Length"] = str(len(body))
    for name, value in (headers or {}).items():
        fields[name] = value
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
    return f"{method} {target} {version}\r\n{lines}\r\n".encode("latin-1") + (body or b"")


def drain(client):
    parts = []
    try:
        while part := client.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


class Response:
    """A response, whose framing is read as RFC 9112 says."""

    def __init__(self, stream, method="GET", skips_continue=True):
        self.status = 100
        while self.status == 100:
            line = stream.readline()
            assert line.startswith(b"HTTP/1.1 "), line
            self.status = int(line.split()[1])
            self.fields = []
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.decode("latin-1").partition(":")
                self.fields.append((name.lower(), value.strip()))
            if not skips_continue:
                break
        self.headers = dict(self.fields)
        self.body = b""
        if method != "HEAD" and self.status not in (100, 204, 304):
            self.body = stream.read(int(self.headers["content-length"]))
            assert len(self.body) == int(self.headers["content-length"]), "the body is not complete"

    @property
    def json(self):
        assert self.headers["content-type"] == "application/json", self.headers
        return json.loads(self.body)

    def expect(self, status, code=None):
        assert self.status == status, (self.status, self.headers, self.body[:300])
        if code is not None:
            assert set(self.json) == {"code", "message", "option", "range"}, self.json
            assert self.json["code"] == code, self.json
        return self


def form(*fields, boundary="frost-boundary"):
    """A form. Each field is a name, a file name or None, and its bytes."""
    body = b""
    for name, file, data in fields:
        named = f'; filename="{file}"' if file else ""
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode() + data + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


def signed(key, path, *options):
    """The target of a signed request: the signature is computed as docs/Server.md describes it."""
    text = path + ("?" + "&".join(sorted(options, key=str.encode)) if options else "")
    digest = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return path + "?" + "&".join([*options, f"signature={digest}"])


def together(count, function):
    """Calls a function with the numbers below `count` at the same time, and returns the results."""
    results = [None] * count

    def call(index):
        try:
            results[index] = function(index)
        except Exception as error:  # noqa: BLE001
            results[index] = error

    threads = [threading.Thread(target=call, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results
