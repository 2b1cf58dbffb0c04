"""Measures pictures a second in Ray Data and in one process, with Frost and with OpenCV in the same place.

Run by Tools/test-engines --bench, once for arrays in memory and once for the bytes of JPEG files, which are decoded and encoded
as well. Every number is the best of three runs.
"""

import logging
import os
import sys
import time

import cv2
import numpy
import ray
import ray.data

import bench_scale
import frost

SIGMA, COUNT, BATCH = 8, 100, 10
WIDTH, HEIGHT = 1000, 1000
QUALITY = 90


def opencv(picture):
    if not isinstance(picture, bytes):
        return cv2.GaussianBlur(picture, (0, 0), SIGMA)
    blurred = cv2.GaussianBlur(cv2.imdecode(numpy.frombuffer(picture, numpy.uint8), cv2.IMREAD_COLOR), (0, 0), SIGMA)
    return cv2.imencode(".jpg", blurred, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


class OpenCV:
    """What users write themselves."""

    def __call__(self, batch):
        results = [opencv(picture) for picture in batch["image"]]
        if isinstance(results[0], bytes):
            return {**batch, "image": results}
        return {**batch, "image": numpy.stack(results)}


def rate(work):
    """Returns how many pictures a second a function does."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return round(COUNT / min(times))


def in_one_process(pictures, processors):
    for threads in dict.fromkeys((1, processors)):
        cv2.setNumThreads(threads)
        print(f"  one process, threads: {threads}: Frost {rate(lambda: frost.blur_batch(pictures, SIGMA, threads=threads))}, "
              f"OpenCV {rate(lambda: [opencv(picture) for picture in pictures])}", flush=True)


def in_ray(rows, processors):
    rows = rows.materialize()
    found = []
    for name, operator in (("Frost", frost.ray.Blur("image", SIGMA)), ("OpenCV", OpenCV()), ("nothing", lambda batch: batch)):
        def run(operator=operator):
            for _ in rows.map_batches(operator, batch_size=BATCH, num_cpus=1).iter_internal_ref_bundles():
                pass
        run()
        found.append(f"{name} {rate(run)}")
    print(f"  Ray Data, tasks: {processors}: {', '.join(found)}", flush=True)


def main():
    processors = len(os.sched_getaffinity(0))
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.init(num_cpus=processors, object_store_memory=2 << 30, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    print(f"{COUNT} pictures of {WIDTH}x{HEIGHT} RGB, sigma {SIGMA}, pictures a second; load {os.getloadavg()[0]:.0f}")
    arrays = [bench_scale.scene(WIDTH, HEIGHT, seed) for seed in range(COUNT)]
    print("arrays:")
    in_one_process(arrays, processors)
    in_ray(ray.data.from_numpy(
        [numpy.stack(arrays[start:start + BATCH]) for start in range(0, COUNT, BATCH)]).rename_columns({"data": "image"}), processors)
    files = [cv2.imencode(".jpg", array, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes() for array in arrays]
    print(f"JPEG files of {sum(map(len, files)) // COUNT // 1000} kB:")
    in_one_process(files, processors)
    in_ray(ray.data.from_items([{"image": data} for data in files], override_num_blocks=COUNT // BATCH), processors)
    ray.shutdown()


if __name__ == "__main__":
    sys.exit(main())
