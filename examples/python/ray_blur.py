"""Blurs the pictures of a folder on a Ray cluster, and lists those that could not be blurred.

    python ray_blur.py photos/ blurred/

The folders are on a volume that all nodes see; read_binary_files() and write() take URLs of object stores as well.
"""

import sys
from pathlib import Path

import ray.data

import frost

source, target = map(Path, sys.argv[1:])
target.mkdir(exist_ok=True)


def write(row):
    if row["error"] is None:
        # A task that Ray repeats writes the same bytes to the same name.
        (target / Path(row["path"]).name).write_bytes(row["bytes"])
    return {"path": row["path"], "error": row["error"]}


rows = ray.data.read_binary_files(str(source), include_paths=True)
rows = rows.map_batches(frost.ray.Blur(column="bytes", sigma=8), batch_size=16, num_cpus=1)
for row in rows.map(write).iter_rows():
    print(row["path"], row["error"] or "done")
