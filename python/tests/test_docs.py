"""Runs the examples of the docstrings, and checks that everything public has a docstring."""

import doctest
import importlib
import inspect
import pkgutil
import unittest

import numpy

import frost


class Finder(doctest.DocTestFinder):
    def _from_module(self, module, object):
        """Functions may be decorated."""
        return super()._from_module(module, inspect.unwrap(object))


def load_tests(loader, tests, pattern):
    for module in pkgutil.iter_modules(frost.__path__):
        loaded = importlib.import_module(f"frost.{module.name}")
        tests.addTests(doctest.DocTestSuite(loaded, extraglobs={"frost": frost, "numpy": numpy}, test_finder=Finder()))
    return tests


class Docstrings(unittest.TestCase):
    def test_everything_public_has_one(self):
        for name in frost.__all__:
            value = getattr(frost, name)
            if not callable(value):
                continue
            self.assertTrue(inspect.getdoc(value), name)
            for member, attribute in vars(value).items() if inspect.isclass(value) else ():
                if not member.startswith("_") and (inspect.isfunction(attribute) or isinstance(attribute, property)):
                    self.assertTrue(inspect.getdoc(attribute), f"{name}.{member}")

    def test_functions_have_examples(self):
        without = [
            name for name in frost.__all__ if inspect.isroutine(getattr(frost, name))
            and ">>>" not in inspect.getdoc(getattr(frost, name))]
        # The list of devices differs from machine to machine; the example of set_threads calls get_threads.
        self.assertEqual(without, ["devices", "get_threads"])
        for name in frost.__all__:
            value = getattr(frost, name)
            if inspect.isroutine(value):
                module = importlib.import_module(value.__module__)
                self.assertIn(f"{module.__name__}.{name}", [each.name for each in Finder().find(module)])


if __name__ == "__main__":
    unittest.main()
