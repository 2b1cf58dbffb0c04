"""Tests the operators for Ray Data, on batches and on a local cluster."""

import logging
import pickle
import tempfile
import time
import unittest

import numpy

import frost
from engines import BINARY, SIGMA, Files, decoded, is_missing
from support import EVERY_CASE, noise


def objects(*values):
    column = numpy.empty(len(values), object)
    column[:] = values
    return column


class Arguments(unittest.TestCase):
    def test_operators_pickle_by_value(self):
        for one in (frost.ray.Blur("photo", 3, edge="mirror"), frost.ray.Effect(effect="dark", error_column="why")):
            again = pickle.loads(pickle.dumps(one))
            self.assertEqual((repr(again), again.error_column, again._work.effect), (repr(one), one.error_column, one._work.effect))

    def test_mistakes_are_found_before_a_worker_starts(self):
        for call, kind, text in (
                (lambda: frost.ray.Blur(sigma=-1), frost.ParameterError, "0 to 1000"),
                (lambda: frost.ray.Effect(effect="lihgt"), frost.ParameterError, "lihgt"),
                (lambda: frost.ray.Blur("error"), frost.ArgumentError, "column of the pictures")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()


@unittest.skipIf(is_missing("ray"), "Ray is not installed")
class Batches(unittest.TestCase):
    def setUp(self):
        from ray.data.block import BlockAccessor

        self.table = BlockAccessor.batch_to_arrow_block
        self.numpy = lambda table: BlockAccessor.for_block(table).to_batch_format("numpy")

    def test_unequal_pictures(self):
        pictures = [noise(9, 12, 3), noise(9, 12, 7), noise(20, 5, 3), None]
        batch = {"image": objects(*pictures), "id": numpy.arange(4)}
        result = frost.ray.Blur(sigma=2)(batch)
        self.assertEqual(result.column_names, ["id", "image", "error"])
        images, errors = result["image"].to_pylist(), result["error"].to_pylist()
        for index in (0, 2):
            self.assertTrue((images[index] == frost.blur(pictures[index], 2)).all() and errors[index] is None)
        self.assertEqual((images[1], images[3]), (None, None))
        self.assertRegex(errors[1], "^LayoutError: .*7 channels")
        self.assertEqual(errors[3], "there is no picture")
        # Another operator keeps the reasons.
        again = frost.ray.Effect(effect="light")(result)
        self.assertEqual(again["error"].to_pylist(), errors)
        self.assertEqual([image.shape for image in self.numpy(again)["image"]], [(9, 12, 3), (0, 0, 0), (20, 5, 3), (0, 0, 0)])

    def test_reasons_of_other_columns_are_kept(self):
        """If both pictures of a row are bad, the column has both reasons. Values that are not texts are ignored."""
        batch = {"one": objects(noise(3, 3, 7), noise(3, 3, 7), noise(3, 3)), "other": objects(noise(3, 3), noise(3, 3, 6), noise(3, 3))}
        table = frost.ray.Blur("other", 2)(frost.ray.Blur("one", 2)(batch))
        first, second, third = table["error"].to_pylist()
        self.assertRegex(first, "^LayoutError: .*7 channels[^;]*$")
        self.assertRegex(second, "^LayoutError: .*7 channels.*; LayoutError: .*6 channels")
        self.assertIsNone(third)
        numbers = {"image": noise(2, 3, 3, 3), "error": numpy.array([numpy.nan, 3])}
        self.assertEqual(frost.ray.Blur(sigma=2)(numbers)["error"].to_pylist(), [None, None])

    def test_columns_of_large_binaries_keep_their_type(self):
        import pyarrow

        for kind in (pyarrow.binary(), pyarrow.large_binary()):
            for pictures in ([b"P5 1 1 255 a"], [b"damaged"]):
                table = frost.ray.Blur(sigma=2)(pyarrow.table({"image": pyarrow.array(pictures, kind)}))
                self.assertEqual(table.schema.field("image").type, kind)

    def test_equal_pictures_are_read_in_place(self):
        images = noise(4, 9, 12, 3)
        images.flags.writeable = False
        kept = images.copy()
        for batch in ({"image": images}, self.table({"image": images})):
            result = self.numpy(frost.ray.Blur(sigma=2, threads=1)(batch))["image"]
            self.assertEqual(result.shape, images.shape)
            self.assertTrue((result == frost.blur_batch(images, 2)).all() and (images == kept).all())

    def test_blocks_with_and_without_errors_can_be_joined(self):
        import pyarrow

        blur = frost.ray.Blur(sigma=2)
        for one, other, null in (
                (noise(9, 12, 3), noise(4, 5, 3), noise(9, 12, 7)),
                (b"a", b"b", None)):
            with self.subTest(type(one)):
                tables = [blur({"image": objects(*pictures)}) for pictures in ([one, other], [one, null], [one, one], [null, null])]
                names = {str(table.schema.field("error").type) for table in tables}
                self.assertEqual(names, {"string"})
                if isinstance(one, bytes):
                    self.assertEqual(pyarrow.concat_tables(tables[:2]).num_rows, 4)
                    continue
                from ray.data._internal.arrow_ops.transform_pyarrow import concat
                images = concat(tables, promote_types=True, preserve_order=True)["image"].to_pylist()
                self.assertEqual([image is None for image in images], [False] * 3 + [True] + [False] * 2 + [True] * 2)

    def test_errors_of_the_call(self):
        for call, kind, text in (
                (lambda: frost.ray.Blur("photo")({"image": noise(1, 2, 3, 3)}), frost.ArgumentError, "'photo' .*image"),
                (lambda: frost.ray.Blur()([1]), TypeError, "batch_format=")):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()


@unittest.skipIf(is_missing("ray"), "Ray is not installed")
class Cluster(unittest.TestCase):
    def test_a_node_is_killed(self):
        """Every good picture comes out as the command writes it, every damaged one as a row with its error, although one of
        three nodes is killed when a third of the rows have come out."""
        import ray
        import ray.data
        from ray.cluster_utils import Cluster

        logging.getLogger("ray.data").setLevel(logging.ERROR)
        count = 5000 if EVERY_CASE else 400
        with tempfile.TemporaryDirectory() as folder:
            files = Files(folder, count)
            expected = files.commanded() if BINARY else None
            cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 200 << 20})
            try:
                workers = [cluster.add_node(num_cpus=1, object_store_memory=200 << 20) for _ in range(2)]
                ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
                context = ray.data.DataContext.get_current()
                context.enable_progress_bars = False
                has_codecs = hasattr(frost, "blur_encoded")
                rows = ray.data.from_items(
                    [{"name": name, "image": files.read(name)} for name in files.names], override_num_blocks=count // 20)
                if not has_codecs:
                    rows = rows.map_batches(decode, batch_size=20)
                rows = rows.map_batches(frost.ray.Blur(column="image", sigma=SIGMA), batch_size=20, num_cpus=1)
                seen, killed, began = {}, None, time.monotonic()
                for row in rows.iter_rows():
                    self.assertNotIn(row["name"], seen)
                    seen[row["name"]] = row["image"], row["error"]
                    if killed is None and len(seen) > count // 3:
                        killed = workers.pop()
                        cluster.remove_node(killed, allow_graceful=False)
                print(f"Ray: {count} pictures in {time.monotonic() - began:.0f} s, with a node killed", flush=True)
                # Ray notices the death of a node after some seconds, and the rows may be done before.
                deadline = time.monotonic() + 120
                while sum(node["Alive"] for node in ray.nodes()) > 2 and time.monotonic() < deadline:
                    time.sleep(1)
                self.assertEqual(sum(node["Alive"] for node in ray.nodes()), 2)
            finally:
                ray.shutdown()
                cluster.shutdown()
        self.assertEqual(sorted(seen), files.names)
        for name, (image, error) in seen.items():
            if name in files.bad:
                self.assertIsNone(image)
                self.assertTrue(error, name)
                continue
            self.assertIsNone(error, name)
            if expected is None:
                continue
            if has_codecs:
                self.assertEqual(image, expected[name], name)
            else:
                self.assertTrue(numpy.array_equal(image, decoded(expected[name])), name)
        if expected is not None:
            self.assertEqual(set(expected), set(files.names) - files.bad)


def decode(batch):
    pictures = [decoded(data) for data in batch["image"]]
    return {**batch, "image": objects(*pictures)}


if __name__ == "__main__":
    unittest.main()
