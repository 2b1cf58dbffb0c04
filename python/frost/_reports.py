"""What calls return beside pixels, and what cancels them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional, Tuple

from . import _library as lib
from ._arguments import instance
from ._handles import Owned, Resource
from ._structs import ReportStruct, decoded
from ._tables import Fields
from ._types import BACKENDS

if TYPE_CHECKING:
    from ._types import Array


class Contrast(NamedTuple):
    """The contrast of WCAG 2 that an effect guarantees to content, and that it reached."""

    #: The colour of the content, as it was given or chosen: red, green, blue and alpha of sRGB, 0 to 1.
    content: Tuple[float, float, float, float]
    #: The contrast that is guaranteed.
    minimum: float
    #: The smallest contrast of the written pixels that are opaque, that the effect covers completely, and on which no content is
    #: drawn; None if there are none.
    smallest: Optional[float]
    #: A pixel (x, y) of the picture with this contrast.
    place: Optional[Tuple[int, int]]


@dataclass(frozen=True)
class Report(Fields):
    """A report on how an image was rendered. Times are in milliseconds. ``gpu_ms`` is None if the GPU did not measure its
    time. ``error_bound`` is in 1/255 of full scale, before rounding. ``contrast`` is None if the effect guarantees none."""

    backend: str
    device: Optional[str]
    reason: str
    warning: Optional[str]
    error_bound: float
    passes: int
    upload_ms: float
    blur_ms: float
    readback_ms: float
    gpu_ms: Optional[float]
    contrast: Optional[Contrast] = None

    @classmethod
    def _read(cls, report: ReportStruct) -> Report:
        return cls(
            BACKENDS[report.backend], decoded(report.device) or None, decoded(report.reason),
            decoded(report.warning) or None, report.error_bound, report.passes, report.upload_ms, report.blur_ms,
            report.readback_ms, report.gpu_ms if report.gpu_ms >= 0 else None, _contrast(report))


def _contrast(report: ReportStruct) -> Optional[Contrast]:
    if not report.min_contrast:
        return None
    is_measured = report.contrast > 0
    return Contrast(
        tuple(report.content_color), report.min_contrast, report.contrast if is_measured else None,
        (report.contrast_x, report.contrast_y) if is_measured else None)


class Rendered(NamedTuple):
    """The rendered array and its report. A notebook shows the picture."""

    image: Array
    report: Report

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.image.shape))
        return f"Rendered(image=<{shape} {self.image.dtype}>, report={self.report!r})"

    def _repr_png_(self) -> Optional[bytes]:
        from ._notebooks import png

        return png(self.image)


class Cancellation(Resource):
    """Cancels work from another thread. A cancellation cannot be reset.

    >>> cancellation = frost.Cancellation()
    >>> cancellation.cancel()
    >>> frost.Renderer("cpu").render(numpy.zeros((9, 9), numpy.uint8), "light", cancellation=cancellation)
    Traceback (most recent call last):
    frost._errors.CancelledError: cancelled
    """

    def __init__(self) -> None:
        self._own(lib.cancellation_create, lib.cancellation_destroy)

    def cancel(self) -> None:
        """Cancels the work that uses this object. The work soon ends with CancelledError."""
        lib.cancellation_cancel(self._pointer)


def optional_cancellation(value: Optional[Cancellation]) -> Optional[Owned]:
    """Returns the pointer of a cancellation, or None for None."""
    return None if value is None else instance(value, Cancellation, "cancellation")._pointer
