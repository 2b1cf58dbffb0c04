"""Scenes: animated panels over a backdrop, described as JSON."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref, c_void_p
from types import MappingProxyType
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, SupportsIndex, Union

import numpy

from ._arguments import constant, file_path, format_list, number, text, whole
from ._errors import ArgumentError
from ._handles import Owned, Resource, Value
from ._inputs import readable
from ._keywords import suggesting
from ._motion_library import (
    PictureCallback, SceneInfoStruct, SceneRendererOptions, SceneReportStruct, motion_library)
from ._pixels import SAMPLES, image, view
from ._structs import ImageStruct
from ._tables import field_table
from ._threads import checked

_NOT_READY, _ARGUMENT = 1, -1


class SceneReport(NamedTuple):
    """What the last frame of a scene cost. ``passes`` is 0 if all panels rest. ``composed_pixels`` is the number of pixels that
    may differ from the frame before. ``error_bound`` is the maximum distance of a panel's value from the exact effect before it
    is rounded, in 8-bit steps."""

    passes: int
    panel_pixels: int
    composed_pixels: int
    error_bound: float

    def _repr_html_(self) -> str:
        return field_table(self._fields, self)


class Scene(Value):
    """What each frame of an animation shows, in the form that ``frost animate`` reads: see docs/Animation.md.

    :param source: the JSON as a dict or a text.
    :param folder: the folder to which the names of pictures are relative.
    :raises ParameterError: with the member, its value and what is allowed.

    >>> scene = frost.Scene({"size": [64, 48], "duration": 1, "fps": 10, "backdrop": {"color": "navy"},
    ...                      "panels": [{"effect": "light", "size": [20, 20], "position": [4.5, 4]}]})
    >>> scene.width, scene.height, scene.frame_count
    (64, 48, 10)
    >>> scene.renderer().frame(0.5).shape
    (48, 64, 4)
    """

    def __init__(self, source: Union[str, Mapping[str, Any]], folder: Union[str, os.PathLike[str]] = "") -> None:
        library = motion_library()
        if not isinstance(source, (str, Mapping)):
            raise TypeError(f"source must be a str or a dict, not {type(source).__name__}: Scene.open() reads a file")
        written = text(source, "source") if isinstance(source, str) else json.dumps(dict(source)).encode()
        self._take(Owned.made(
            library.scene_parse, library.scene_destroy, written, len(written), b"" if not os.fspath(folder) else file_path(folder, "folder", "the path of a folder")))

    @classmethod
    def open(cls, path: Union[str, os.PathLike[str]]) -> Scene:
        """Reads the file of a scene. Names of pictures are relative to its folder.

        :raises UnreadableError: if the file cannot be read.
        """
        library = motion_library()
        scene = cls.__new__(cls)
        scene._take(Owned.made(library.scene_open, library.scene_destroy, file_path(path, "path")))
        return scene

    @staticmethod
    def schema() -> Dict[str, Any]:
        """Returns the JSON Schema of scenes."""
        schema: Dict[str, Any] = json.loads(motion_library().schema())
        return schema

    def _take(self, owned: Owned) -> None:
        self._owned = owned
        info = SceneInfoStruct()
        motion_library().scene_describe(self._pointer, byref(info))
        self._info = info

    def __repr__(self) -> str:
        return f"<frost.Scene, {self.width}x{self.height}, {self.duration:g} s>"

    @property
    def width(self) -> int:
        """The width of a frame in pixels."""
        return self._info.width  # type: ignore[no-any-return]

    @property
    def height(self) -> int:
        """The height of a frame in pixels."""
        return self._info.height  # type: ignore[no-any-return]

    @property
    def duration(self) -> float:
        """The length in seconds."""
        return self._info.duration  # type: ignore[no-any-return]

    @property
    def fps(self) -> float:
        """The frames per second. Frame n is at n / fps."""
        return self._info.frames_per_second  # type: ignore[no-any-return]

    @property
    def frame_count(self) -> int:
        """The number of frames."""
        return self._info.frame_count  # type: ignore[no-any-return]

    @suggesting
    def renderer(
        self, *, scale: float = 1, dtype: Any = numpy.uint8, threads: Optional[SupportsIndex] = None,
        pictures: Mapping[str, Any] = MappingProxyType({}), max_side: SupportsIndex = 0, max_pixels: SupportsIndex = 0,
        max_memory: SupportsIndex = 0, allow: Union[str, Sequence[str], None] = None,
    ) -> SceneRenderer:
        """Returns a renderer, which reads the pictures of the scene.

        :param scale: the factor from the scene's pixels to those of the frames.
        :param dtype: uint8, uint16, float32 or float16.
        :param threads: 1 to 256; by default one for each processor.
        :param pictures: arrays in place of files, by the names that the scene uses.
        :param max_side: the largest side of a picture's file; ``max_pixels`` and ``max_memory`` likewise; 0 for the default.
        :param allow: the formats that the files may have, such as ``["png", "y4m"]``, as in :class:`Decoding`; None for all.
        :raises UnreadableError: for a file that cannot be read.
        """
        return SceneRenderer(
            self, scale=scale, dtype=dtype, threads=threads, pictures=pictures, max_side=max_side, max_pixels=max_pixels,
            max_memory=max_memory, allow=allow)


class SceneRenderer(Resource):
    """Draws the frames of a scene on the CPU: see :meth:`Scene.renderer`. What did not change since the last frame is not computed
    again. Each frame has the same bytes whatever frames were drawn before. Use a renderer from one thread at a time."""

    def __init__(
        self, scene: Scene, *, scale: float, dtype: Any, threads: Optional[SupportsIndex], pictures: Mapping[str, Any],
        max_side: SupportsIndex, max_pixels: SupportsIndex, max_memory: SupportsIndex,
        allow: Union[str, Sequence[str], None],
    ) -> None:
        library = motion_library()
        sample = numpy.dtype(dtype)
        if sample not in SAMPLES:
            raise ArgumentError(f"dtype cannot be {sample} (allowed: {', '.join(str(kind) for kind in SAMPLES)})")
        names = {name: f"the picture {name!r}" for name in pictures}
        # The structs point into the arrays, so both are kept until the library has copied the pixels.
        arrays = {name: readable(view(picture, names[name]), names[name]) for name, picture in pictures.items()}
        structs = {name: image(array, None, "straight", name=names[name]) for name, array in arrays.items()}
        failures: List[BaseException] = []

        def supply(data: Any, name: bytes, picture: Any) -> int:
            try:
                found = structs.get(name.decode("utf-8", "replace"))
                if found is None:
                    return _NOT_READY
                ctypes.memmove(picture, byref(found), ctypes.sizeof(ImageStruct))
                return 0
            except BaseException as error:  # noqa: BLE001 - an exception must not pass through the library
                failures.append(error)
                return _ARGUMENT

        largest = 2**63 - 1
        options = SceneRendererOptions(
            scale=number(scale, "scale"), sample=constant([str(kind) for kind in SAMPLES], str(sample), "dtype"),
            threads=0 if threads is None else checked(threads), picture=PictureCallback(supply),
            max_side=whole(max_side, "max_side", 0, largest), max_pixels=whole(max_pixels, "max_pixels", 0, largest),
            max_memory=whole(max_memory, "max_memory", 0, largest), allow=format_list(allow))
        try:
            self._own(library.renderer_create, library.renderer_destroy, scene._pointer, byref(options))
        except Exception:
            if failures:
                raise failures[0] from None
            raise
        target = ImageStruct()
        library.renderer_describe_target(self._pointer, byref(target))
        self._scene, self._target, self._dtype = scene, target, sample
        self._report = SceneReportStruct()

    def __repr__(self) -> str:
        return f"<frost.SceneRenderer, {self._target.width}x{self._target.height}>"

    @property
    def report(self) -> SceneReport:
        """What the last frame cost."""
        last = self._report
        return SceneReport(last.passes, last.panel_pixels, last.composed_pixels, last.error_bound)

    def frame(self, seconds: float, out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
        """Returns the frame at a time: RGBA with straight alpha, in the shape (height, width, 4).

        :param seconds: before 0 the scene is as at 0, and after its end it goes on until 86,400.
        :param out: an array for the frame, whose rows lie one after the other.
        """
        target = self._target
        shape = (target.height, target.width, 4)
        if out is None:
            out = numpy.empty(shape, self._dtype)
        elif not isinstance(out, numpy.ndarray):
            raise TypeError(f"out must be a numpy.ndarray, not {type(out).__name__}")
        elif out.shape != shape or out.dtype != self._dtype or not out.flags.c_contiguous or not out.flags.writeable:
            raise ArgumentError(f"out must be a writable array of the shape {shape} and the type {self._dtype}, without gaps")
        place = ImageStruct()
        ctypes.memmove(byref(place), byref(target), ctypes.sizeof(ImageStruct))
        place.pixels = c_void_p(out.ctypes.data)
        motion_library().renderer_draw(self._pointer, number(seconds, "seconds"), byref(place), byref(self._report))
        return out

    def frames(self) -> Iterator[numpy.ndarray]:
        """Yields all frames of the scene."""
        for index in range(self._scene.frame_count):
            yield self.frame(index / self._scene.fps)
