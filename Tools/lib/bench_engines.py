"""Measures pictures a second in Ray Data, with frost.ray.Blur and with OpenCV in the same place, and in one process.

Run by Tools/test-engines --bench. The pictures are arrays in memory, so that the numbers show the blur and the engine, not
the codecs. Every number is the best of three runs.
"""

import logging
import os
import sys
import time

import cv2
import numpy
import ray
import ray.data

import frost

SIGMA = 8
COUNT, SHAPE = 100, (1000, 1000, 3)


def pictures(count):
    picture = numpy.random.default_rng(1).integers(0, 256, SHAPE, numpy.uint8)
    return [numpy.roll(picture, shift, 1) for shift in range(count)]


class OpenCV:
    """What users write themselves."""

    def __call__(self, batch):
        return {**batch, "image": numpy.stack([cv2.GaussianBlur(image, (0, 0), SIGMA) for image in batch["image"]])}


def best(work):
    times = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return COUNT / min(times)


def main():
    processors = len(os.sched_getaffinity(0))
    images = pictures(COUNT)
    print(f"{COUNT} pictures of {SHAPE[1]}x{SHAPE[0]} RGB, sigma {SIGMA}, {processors} processors, pictures a second:")
    for threads in dict.fromkeys((1, processors)):
        cv2.setNumThreads(threads)
        print(f"one process, {threads} threads: frost", round(best(lambda: frost.blur_batch(images, SIGMA, threads=threads))),
              "OpenCV", round(best(lambda: [cv2.GaussianBlur(image, (0, 0), SIGMA) for image in images])), flush=True)
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.init(num_cpus=processors, object_store_memory=2 << 30, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = ray.data.from_numpy([numpy.stack(images[start:start + 10]) for start in range(0, COUNT, 10)])
    rows = rows.rename_columns({"data": "image"}).materialize()
    for name, operator in (("frost", frost.ray.Blur("image", SIGMA)), ("OpenCV", OpenCV()), ("nothing", lambda batch: batch)):
        def run():
            for _ in rows.map_batches(operator, batch_size=10, num_cpus=1).iter_internal_ref_bundles():
                pass
        run()
        print(f"Ray Data, {processors} tasks: {name}", round(best(run)), flush=True)
    ray.shutdown()


if __name__ == "__main__":
    sys.exit(main())
