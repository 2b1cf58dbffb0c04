"""Files of boxes, such as the faces that a detector has found."""

from __future__ import annotations

import os
from ctypes import byref, c_size_t
from typing import List, Optional, Union

from ._arguments import file_path, whole
from ._handles import Handle
from ._images_library import images_library
from ._structs import RectStruct
from ._types import Rect


class Boxes(Handle):
    """The boxes of a file, in the forms that the option ``--rects`` of the command reads: CSV with a header, or a JSON object on
    each line. The columns are x,y,w,h or x1,y1,x2,y2 in pixels, and if wanted file and frame.

    >>> boxes = frost.Boxes("faces.csv")  # doctest: +SKIP
    >>> soft = frost.blur(picture, 20, rects=boxes.of("party.jpg"))  # doctest: +SKIP

    :raises UnreadableError: if the file cannot be read, or a line is not valid. The message names the line.
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        library = images_library()
        encoded = file_path(path, "path")
        self._path = os.fsdecode(encoded)
        self._own(library.box_list_create, library.box_list_destroy, encoded)

    def of(self, name: Union[str, os.PathLike[str], None] = None, frame: Optional[int] = None) -> List[Rect]:
        """Returns the boxes of a picture. Fractions are rounded outwards.

        :param name: the path of the picture, which ends in the name in the file; None for boxes without a name.
        :param frame: the frame of a video, from 0; None for boxes without a frame. Boxes without a name or frame belong to
            every picture or frame.
        """
        function = images_library().box_list_rects
        count = c_size_t()
        given = (
            None if name is None else file_path(name, "name"), -1 if frame is None else whole(frame, "frame", 0, 2**62))
        function(self._pointer, *given, None, 0, byref(count))
        rects = (RectStruct * count.value)()
        function(self._pointer, *given, rects, count.value, byref(count))
        return [(each.x, each.y, each.width, each.height) for each in rects]

    def __repr__(self) -> str:
        return f"frost.Boxes({self._path!r})"
