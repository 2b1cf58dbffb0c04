/// An image in memory that devices and processes share by file descriptors (a Linux dma-buf). The value describes the
/// planes' positions in memory and the meaning of the pixels.
///
/// The file descriptors are borrowed. They must be open while the value is used, and the value does not close them.
/// ``OwnedDMABuffer`` closes its descriptors.
public struct DMABuffer: Sendable, Hashable {
    /// The position of a plane in memory.
    public struct Plane: Sendable, Hashable {
        /// The file descriptor of the memory that contains the plane. Several planes may share one descriptor.
        public var descriptor: Int32
        /// The distance from the start of the memory to the start of the plane, in bytes.
        public var offset: Int
        /// The distance from the start of a row to the start of the next row, in bytes.
        public var stride: Int

        /// Describes the position of a plane.
        public init(descriptor: Int32, offset: Int = 0, stride: Int) {
            self.descriptor = descriptor
            self.offset = offset
            self.stride = stride
        }
    }

    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The pixel format.
    public var fourcc: FourCC
    /// The modifier, which describes the layout of the pixels in memory.
    public var modifier: DRMModifier
    /// One to four planes, in the format's order.
    public var planes: [Plane]
    /// How luma and chroma are converted to colours. Ignored for formats without luma and chroma.
    public var yuv: YUVColor

    /// Describes a buffer. Nothing is checked before the buffer is used.
    public init(
        width: Int, height: Int, fourcc: FourCC, modifier: DRMModifier = .linear, planes: [Plane],
        yuv: YUVColor = YUVColor()
    ) {
        self.width = width
        self.height = height
        self.fourcc = fourcc
        self.modifier = modifier
        self.planes = planes
        self.yuv = yuv
    }

    /// Returns one plane as an image of its own. For NV12, the luma plane becomes an R8 image, and the chroma plane a GR88
    /// image of half the size. The reader can then convert colours itself, if the driver's conversion is unreliable.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` if the plane does not exist, the format is unknown, or the size is not valid.
    public func component(_ index: Int) throws(GLError) -> DMABuffer {
        let format = try checkedFormat()
        try checkSize()
        guard format.planes.indices.contains(index), planes.indices.contains(index) else {
            throw fault(.planeCount(found: planes.count, expected: index + 1...max(index + 1, format.planes.count)))
        }
        let plane = format.planes[index]
        return DMABuffer(
            width: plane.columns(width: width), height: plane.rows(height: height), fourcc: plane.fourcc,
            modifier: modifier, planes: [planes[index]])
    }
}

/// How the values of a YUV format are converted to colours. Drivers may ignore these values, which EGL calls hints.
public struct YUVColor: Sendable, Hashable {
    /// The standard that defines the weights of red, green and blue in luma.
    public enum Matrix: Sendable, Hashable, CaseIterable {
        /// ITU-R BT.601, for standard definition.
        case bt601
        /// ITU-R BT.709, for high definition.
        case bt709
        /// ITU-R BT.2020 with non-constant luminance, for ultra-high definition.
        case bt2020
    }
    /// The range of values from black to white.
    public enum Range: Sendable, Hashable, CaseIterable {
        /// Luma from 16 to 235 and chroma from 16 to 240, on a scale from 0 to 255.
        case narrow
        /// Luma and chroma from 0 to 255.
        case full
    }
    /// The position of a chroma sample relative to the pixels that share it.
    public enum Siting: Sendable, Hashable, CaseIterable {
        /// The chroma sample is at the first of the pixels that share it.
        case first
        /// The chroma sample is in the middle of the pixels that share it.
        case middle
    }

    /// The weights of red, green and blue in luma.
    public var matrix: Matrix
    /// The range of values from black to white.
    public var range: Range
    /// The position of chroma samples along x.
    public var horizontalSiting: Siting
    /// The position of chroma samples along y.
    public var verticalSiting: Siting

    /// Creates a conversion. The defaults are EGL's: BT.601, narrow range, and chroma at the first pixel.
    public init(
        matrix: Matrix = .bt601, range: Range = .narrow, horizontalSiting: Siting = .first,
        verticalSiting: Siting = .first
    ) {
        self.matrix = matrix
        self.range = range
        self.horizontalSiting = horizontalSiting
        self.verticalSiting = verticalSiting
    }
}

/// A dma-buf that closes its file descriptors when it is destroyed.
public struct OwnedDMABuffer: ~Copyable, Sendable {
    /// The buffer. Its file descriptors stay open as long as this owner exists.
    public let buffer: DMABuffer

    /// The file descriptors that this value will close.
    private var descriptors: Set<Int32>

    /// Takes ownership of a buffer's file descriptors. One descriptor may occur in several planes.
    public init(owning buffer: DMABuffer) {
        self.buffer = buffer
        descriptors = Set(buffer.planes.map(\.descriptor))
    }

    /// Returns the buffer and passes ownership of its file descriptors to the caller, who must close them.
    public consuming func release() -> DMABuffer {
        descriptors = []
        return buffer
    }

    deinit {
        for descriptor in descriptors { _ = OwnedDescriptor(owning: descriptor) }
    }
}
