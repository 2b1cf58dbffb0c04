"""The exceptions, one for each of the library's status codes."""


class Error(Exception):
    """Any error of the library. The text is its message, a single line."""


class ArgumentError(Error, ValueError):
    """An invalid argument, or memory that overlaps."""


class ParameterError(Error, ValueError):
    """An unknown effect or parameter, or a value out of range."""


class PixelError(Error, ValueError):
    """Sizes and formats that describe no image, or do not match."""


class LayoutError(PixelError):
    """An array that cannot be read or written in place: numpy.ascontiguousarray() makes a copy that can."""


class NoDeviceError(Error, RuntimeError):
    """A GPU was demanded and none is usable."""


class DeviceError(Error, RuntimeError):
    """A GPU was demanded and failed during the work."""


class CancelledError(Error):
    """The work was cancelled on request."""


class BusyError(Error):
    """The queue is full."""


class NotReadyError(Error, TimeoutError):
    """The image was not done in time."""


BY_STATUS = {
    1: NotReadyError, 2: BusyError, 3: CancelledError, -1: ArgumentError, -2: ParameterError, -3: PixelError,
    -4: NoDeviceError, -5: DeviceError,
}
