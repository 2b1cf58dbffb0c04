"""Tests the Job of examples/kubernetes: its schema, and its command in eight processes of which two are killed."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from engines import BINARY, Files, is_missing
from support import EVERY_CASE

JOB = Path(__file__).resolve().parents[2] / "examples" / "kubernetes" / "job.yaml"


def documents():
    import yaml

    return list(yaml.safe_load_all(JOB.read_text()))


def job():
    [found] = [document for document in documents() if document["kind"] == "Job"]
    return found


def container():
    [found] = job()["spec"]["template"]["spec"]["containers"]
    return found


@unittest.skipIf(is_missing("kubernetes_validate") or not JOB.exists(), "kubernetes-validate or the Job is missing")
class Schema(unittest.TestCase):
    def test_the_job_follows_the_schema_of_kubernetes(self):
        import kubernetes_validate

        # The first version with all fields of the Job, and the newest.
        for version in ("1.33", kubernetes_validate.latest_version()):
            for document in documents():
                kubernetes_validate.validate(document, version, strict=True)
        wrong = job()
        wrong["spec"]["completionMod"] = "Indexed"
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(wrong, version, strict=True)

    def test_the_numbers_agree(self):
        spec = job()["spec"]
        self.assertEqual(spec["completionMode"], "Indexed")
        [count] = [each["value"] for each in container()["env"] if each["name"] == "JOB_COMPLETIONS"]
        self.assertEqual(int(count), spec["completions"])


@unittest.skipIf(is_missing("yaml") or BINARY is None or not JOB.exists(), "PyYAML, the frost command or the Job is missing")
class Simulation(unittest.TestCase):
    def start(self, index):
        environment = {"JOB_COMPLETION_INDEX": str(index)} | {each["name"]: each["value"] for each in container()["env"]}
        words = [word.replace("/data/", f"{self.data}/").replace("$(JOB_COMPLETION_INDEX)", str(index))
                 for word in container()["args"]]
        words = [f"{self.data}/in" if word == "/data/in" else word for word in words]
        return subprocess.Popen(
            [BINARY, *words, "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=os.environ | environment)

    def test_two_of_eight_pods_are_killed(self):
        """Every picture is done, once, with the bytes of a single process. The pods that replace the killed ones skip what
        was done."""
        count, pods = 2000 if EVERY_CASE else 400, job()["spec"]["completions"]
        with tempfile.TemporaryDirectory() as folder:
            self.data = folder
            files = Files(folder, count)
            expected = files.commanded()
            (Path(folder) / "out").rename(Path(folder) / "expected")
            (Path(folder) / "done").mkdir()
            running = {index: self.start(index) for index in range(pods)}
            for index in (2, 5):
                manifest = Path(folder) / "done" / f"{index}.jsonl"
                deadline = time.monotonic() + 120
                while not manifest.exists() or len(manifest.read_bytes().splitlines()) < 5:
                    self.assertLess(time.monotonic(), deadline)
                    self.assertIsNone(running[index].poll(), "the process ended before it was killed")
                    time.sleep(0.01)
                running[index].send_signal(signal.SIGKILL)
                running[index].communicate()
                running[index] = self.start(index)
            for index, process in running.items():
                lines = [json.loads(line) for line in process.communicate()[0].splitlines()]
                # Pictures with a number that is 37 modulo 100 are damaged.
                mine = files.names[index::pods]
                self.assertEqual(process.returncode, 1 if files.bad & set(mine) else 0)
                [summary] = [line for line in lines if line["schema"] == "frost.summary/1"]
                self.assertEqual(summary["done"] + summary["skipped"], len(set(mine) - files.bad))
                self.assertEqual(summary["failed"], len(files.bad & set(mine)))
                self.assertEqual(summary["skipped"] >= 5, index in (2, 5))
            results = {path.name: path.read_bytes() for path in (Path(folder) / "out").iterdir()}
            self.assertEqual(results, expected)
            # A picture that was complete, but not in the manifest when its pod was killed, is computed again.
            lines = [json.loads(line)["output"] for path in (Path(folder) / "done").iterdir()
                     for line in path.read_text().splitlines()]
            self.assertEqual({Path(line).name for line in lines}, set(expected))
            self.assertLessEqual(len(lines) - len(set(lines)), 2)


if __name__ == "__main__":
    unittest.main()
