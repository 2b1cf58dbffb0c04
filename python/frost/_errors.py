"""What can go wrong, by the library's status codes."""


class Error(Exception):
    """Whatever the library says; the text is its one line."""


class ArgumentError(Error, ValueError):
    """An argument that makes no sense, or memory that overlaps."""


class ParameterError(Error, ValueError):
    """An effect or parameter that is unknown, or a value out of range."""


class PixelError(Error, ValueError):
    """Sizes and formats that make no image, or do not fit together."""


class LayoutError(PixelError):
    """An array that cannot be read or written where it is: numpy.ascontiguousarray() makes one that can."""


class NoDeviceError(Error, RuntimeError):
    """A GPU was demanded and none can be used."""


class DeviceError(Error, RuntimeError):
    """A GPU was demanded and failed at the work."""


class CancelledError(Error):
    """The work was stopped as was asked for."""


class BusyError(Error):
    """The queue is full."""


class NotReadyError(Error, TimeoutError):
    """The image was not done in time."""


BY_STATUS = {
    1: NotReadyError, 2: BusyError, 3: CancelledError, -1: ArgumentError, -2: ParameterError, -3: PixelError,
    -4: NoDeviceError, -5: DeviceError,
}
