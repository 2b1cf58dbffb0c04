"""Tests what "import frost" does."""

import ast
import importlib
import os
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

import frost


class Import(unittest.TestCase):
    def test_it_does_not_load_numpy(self):
        """NumPy takes longer to import than Frost, and is loaded when it is needed."""
        loaded = subprocess.run(
            [sys.executable, "-c", "import sys, frost; print(*sys.modules); frost.blur; print(*sys.modules)"],
            check=True, capture_output=True, text=True).stdout.splitlines()
        for name, before, after in (("numpy", False, True), ("frost._calls", False, True)):
            self.assertEqual([name in line.split() for line in loaded], [before, after], name)

    def test_type_checkers_see_the_names_that_exist(self):
        source = ast.parse(Path(frost.__file__).read_text())
        [block] = [node for node in source.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name)]
        typed = {node.module: tuple(alias.name for alias in node.names) for node in block.body}
        self.assertEqual(typed, frost._MODULES)
        names = {name for names in typed.values() for name in names}
        self.assertLessEqual(names, set(frost.__all__))
        self.assertLessEqual(set(frost.__all__), set(dir(frost)))
        submodules = {"compat", "daft", "dask", "ray", "webdataset"}
        self.assertEqual({name for name in dir(frost) if not name.startswith("__")} - submodules, {
            name for name in frost.__all__ if not name.startswith("__")})
        for name in frost.__all__:
            self.assertIsNotNone(getattr(frost, name))

    def test_modules_list_what_is_public(self):
        for name in frost._SUBMODULES:
            module = importlib.import_module(f"frost.{name}")
            self.assertEqual(dir(module), sorted(module.__all__), name)
            for public in dir(module):
                self.assertFalse(public.startswith("_"))
                self.assertIsNotNone(getattr(module, public))

    def test_the_working_folder_is_not_searched_for_libraries(self):
        """Not even if the system's loader has found the other library, whose path has no folder then."""
        tried = []

        def refuse(path):
            tried.append(path)
            raise OSError("not a library")

        with mock.patch("os.path.exists", lambda path: True), mock.patch("ctypes.CDLL", refuse):
            with self.assertRaisesRegex(ImportError, "not a library"):
                frost._library.load("FROST_NO_LIBRARY", "libfrost-none", "libfrost.so.0")
        self.assertEqual(tried[-1], "libfrost-none.so.0")
        for path in tried[:-1]:
            self.assertTrue(os.path.isabs(path) and os.path.dirname(path) != os.getcwd(), path)

    def test_unknown_names(self):
        with self.assertRaisesRegex(AttributeError, "no attribute 'blurr'"):
            frost.blurr
        with self.assertRaises(ImportError):
            from frost import blurr  # noqa: F401


if __name__ == "__main__":
    unittest.main()
