"""Measures frost serve under load, and prints the figures: processor time beside that of the command, times at half of the largest
rate, responses to many connections, and the growth of the memory.

The command and the server take turns with the same picture, so that a disturbance affects both. wrk sends the requests, except
those at a given rate, which wrk cannot send. Tools/bench serve prepares what this script needs and runs it.
"""

import argparse
import os
import queue
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True      # writes no .pyc files into the checkout
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/acceptance"))

from serving import Response, Server, message

TARGET = "/blur?sigma=8"


def arguments():
    parser = argparse.ArgumentParser(prog="Tools/bench serve", description=__doc__)
    parser.add_argument("--frost", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--turns", type=int, default=3, help="how often each has its turn (default 3)")
    parser.add_argument("--pictures", type=int, default=150, help="pictures in a turn of the command (default 150)")
    parser.add_argument("--seconds", type=int, default=5, help="the time of a turn of the server (default 5)")
    parser.add_argument("--requests", type=int, default=0,
                        help="also measure the memory between request 1,000 and this one, which takes minutes for 100000")
    return parser.parse_args()


class Load:
    def __init__(self, frost, folder, size):
        self.frost, self.folder = frost, folder
        picture = folder / "picture.jpg"
        subprocess.run([frost, "blur", ROOT / "Samples/photo.png", "-o", picture, "--sigma", "0.3", "--resize", size,
                        "--background", "white", "--quiet"], check=True)
        self.data = picture.read_bytes()
        self.script = folder / "post.lua"
        self.script.write_text(
            f'wrk.method = "POST"\nlocal file = io.open("{picture}", "rb")\nwrk.body = file:read("*all")\nfile:close()\n')

    def command(self, count, *words):
        """The processor time of a picture, in milliseconds, if the command processes many."""
        inputs = [self.folder / f"{index}.jpg" for index in range(count)]
        for path in inputs:
            path.write_bytes(self.data)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self.frost, "blur", "--sigma", "8", "--quiet", "--force", *words, "-o", f"{self.folder}/out/", *inputs],
                       check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count

    def send(self, server, connections, seconds):
        """Lets wrk send requests, and returns the number of results."""
        before = self.results(server)
        subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", self.script, "--timeout", "60s",
                        server.place + TARGET[1:]], check=True, stdout=subprocess.DEVNULL)
        return self.results(server) - before

    @staticmethod
    def results(server):
        return server.metric('frost_requests_total{code="200",effect="blur"}')

    def served(self, seconds, *words):
        """The processor time of a request, in milliseconds, and the number of requests a second."""
        with Server(self.frost, *words) as server:
            self.send(server, 2, 1)
            before = server.seconds()
            count = self.send(server, 2, seconds)
            return 1000 * (server.seconds() - before) / count, count / seconds

    def paced(self, rate, seconds):
        """The times of requests that come at a rate, in milliseconds, sorted."""
        times, due = [], queue.Queue()
        with Server(self.frost) as server:
            self.send(server, 2, 1)
            data = message("POST", TARGET, self.data)

            def client():
                with server.connect(60) as connection:
                    stream = connection.makefile("rb")
                    while (moment := due.get()) is not None:
                        time.sleep(max(0, moment - time.monotonic()))
                        connection.sendall(data)
                        Response(stream).expect(200)
                        times.append(1000 * (time.monotonic() - moment))

            clients = [threading.Thread(target=client) for _ in range(16)]
            start = time.monotonic() + 0.2
            for index in range(int(rate * seconds)):
                due.put(start + index / rate)
            for thread in clients:
                due.put(None)
                thread.start()
            for thread in clients:
                thread.join()
        return sorted(times)

    def crowd(self, seconds):
        """The numbers of responses to 256 connections by status."""
        with Server(self.frost) as server:
            self.send(server, 256, seconds)
            lines = server.request("GET", "/metrics").body.decode().splitlines()
        return [line for line in lines if line.startswith("frost_requests_total") and 'code="499"' not in line]

    def growth(self, count):
        """The resident memory in MiB after 1,000 requests, and after more."""
        with Server(self.frost) as server:
            found = []
            for limit in (1000, count):
                while self.results(server) < limit:
                    self.send(server, 4, 2)
                found.append(server.memory() / (1 << 20))
        return found


def main():
    options = arguments()
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory(prefix="frost-bench-", dir="/dev/shm") as name:
        load = Load(options.frost, Path(name), "100%")
        rate = 0
        for _ in range(options.turns):
            looped = load.command(options.pictures, "--sandbox")
            served, rate = load.served(options.seconds)
            bare, _ = load.served(options.seconds, "--no-sandbox")
            print(f"processor time of a picture: {looped:.2f} ms in the command, {served:.2f} ms in the server "
                  f"({served / looped:.3f}), {bare:.2f} ms without the sandbox; {rate:.0f} requests a second", flush=True)
        times = load.paced(rate / 2, options.seconds * 2)
        half, high = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"at {rate / 2:.0f} requests a second: p50 {half:.1f} ms, p99 {high:.1f} ms ({high / half:.2f})", flush=True)
        print("256 connections:", *load.crowd(options.seconds), sep="\n  ", flush=True)
    if options.requests:
        with tempfile.TemporaryDirectory(prefix="frost-bench-", dir="/dev/shm") as name:
            first, last = Load(options.frost, Path(name), "320").growth(options.requests)
            print(f"memory: {first:.1f} MiB after 1,000 requests, {last:.1f} MiB after {options.requests:,}")


if __name__ == "__main__":
    main()
