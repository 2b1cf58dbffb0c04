"""A correct program that uses the Python package, for type checkers. Where a comment says "mistake: CODE", they must find a
mistake once CODE replaces the line: see the case "python types" of library.py."""

import pathlib
from typing import List, Union

import frost
import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.uint8]


class Tensor:
    def __dlpack__(self) -> object: ...
    def __dlpack_device__(self) -> object: ...
    def own(self) -> int: return 5


image: Array = numpy.zeros((48, 64, 4), numpy.uint8)
path, data, tensor = pathlib.Path("photo.jpg"), b"", Tensor()
boxes = [(1, 2, 30, 40), (1.5, 2.5, 9.25, 9)]
arrays: List[Array] = [image, image]

frost.blur(image, 8, edge="mirror")  # mistake: frost.blur(image, 8, edge="around")
frost.effect(image, "light", edge="mirror", scale=2)  # mistake: frost.effect(image, "light", edge="around")
frost.blur(image, 8, backend="gpu")  # mistake: frost.blur(image, 8, backend="cuda")
frost.blur(image, (8, 4))  # mistake: frost.blur(image, (8, 4, 2))
frost.blur(image, 8.5)  # mistake: frost.blur(image, "wide")
frost.blur(image, 8, rects=boxes)  # mistake: frost.blur(image, 8, rects=["face", "plate"])
frost.effect(image, "light", rects=numpy.array(boxes))  # mistake: frost.effect(image, "light", rects=["face"])
frost.blur(image, 8, feather=2)  # mistake: frost.blur(image, 8, feathers=2)
frost.blur(image, 8, out=image)  # mistake: frost.blur(image, 8, out="soft.png")
frost.blur(image, 8, mask=image[..., 0])  # mistake: frost.blur(image, 8, mask="face.png")
frost.blur(image, 8)  # mistake: frost.blur(image)
frost.blur(image, 8).mean()  # mistake: frost.blur(image, 8).decode()
frost.blur_encoded(path, 8).decode()  # mistake: frost.blur_encoded("photo.jpg", 8)
frost.blur_encoded(data, (8, 4), mask=image, rects=boxes).hex()  # mistake: frost.blur_encoded(data, 8).shape
frost.effect_encoded(data, "light", keep="all")  # mistake: frost.effect_encoded(data, "light", keep="some")
frost.blur_batch(arrays, [8, (8, 4)], boxes, mask=[image, None], out=arrays)[0].mean()  # mistake: frost.blur_batch(arrays, 8)[0].hex()
frost.blur_batch([data, data], 8)[0].hex()  # mistake: frost.blur_batch([data, data], 8)[0].mean()
frost.effect_batch([path], ["light"], errors="return")  # mistake: frost.effect_batch([path], ["light"], errors="ignore")
frost.effect_batch(numpy.stack(arrays), "light", scale=2).mean()  # mistake: frost.effect_batch(numpy.stack(arrays), 8)
print(frost.blur(tensor, 8).own() + frost.blur_batch([tensor], 8)[0].own())  # mistake: frost.blur(tensor, 8).mean()
print(frost.effect(tensor, "light").own() + 1)  # mistake: frost.effect(tensor, "light").shape
frost.Renderer("auto").render(image, "dark", mask=image)  # mistake: frost.Renderer("fast")
frost.Renderer().render(image, "dark").image.mean()  # mistake: frost.Renderer().render(image, "dark").mean()
frost.gaussian((8, 4), linear=True)  # mistake: frost.gaussian([8], linear="yes")
results: List[Union[NDArray[numpy.uint8], bytes, Exception]] = list(frost.blur_batch(arrays, 8, errors="return"))  # mistake: frost.blur(3, 8)
