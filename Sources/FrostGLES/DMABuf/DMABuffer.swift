/// An image in memory that devices and processes share by file descriptors, Linux's dma-buf: where its planes lie, and
/// what the numbers in them mean.
///
/// The descriptors are borrowed: they have to be open while the value is used, and nothing closes them.
/// ``OwnedDMABuffer`` is the form that does.
public struct DMABuffer: Sendable, Hashable {
    /// Where a plane lies.
    public struct Plane: Sendable, Hashable {
        /// The memory it lies in; several planes may share one.
        public var descriptor: Int32
        /// Bytes from the memory's start to the plane's.
        public var offset: Int
        /// Bytes from the start of a row to that of the next.
        public var stride: Int

        /// A plane.
        public init(descriptor: Int32, offset: Int = 0, stride: Int) {
            self.descriptor = descriptor
            self.offset = offset
            self.stride = stride
        }
    }

    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// The pixels' format.
    public var fourcc: FourCC
    /// Their arrangement.
    public var modifier: DRMModifier
    /// One to four, in the format's order.
    public var planes: [Plane]
    /// How luma and chroma become colours; ignored for formats without them.
    public var yuv: YUVColor

    /// A buffer. Nothing is checked before it is used.
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

    /// One plane as an image of its own: the luma of an NV12 as R8, its chroma as GR88 of half the size. The reader can
    /// then compute colours by its own rules, if the driver's are unreliable.
    ///
    /// - Throws: ``GLError/dmaBuffer(_:)`` if there is no such plane, or its format is unknown.
    public func component(_ index: Int) throws(GLError) -> DMABuffer {
        let format = try checkedFormat()
        guard format.planes.indices.contains(index), planes.indices.contains(index) else {
            throw fault(.planeCount(found: planes.count, expected: index + 1...max(index + 1, format.planes.count)))
        }
        let plane = format.planes[index]
        return DMABuffer(
            width: plane.columns(width: width), height: plane.rows(height: height), fourcc: plane.fourcc,
            modifier: modifier, planes: [planes[index]])
    }
}

/// How the numbers of a YUV format become colours. Drivers may ignore it: EGL calls these values hints.
public struct YUVColor: Sendable, Hashable {
    /// The weights of red, green and blue in luma.
    public enum Matrix: Sendable, Hashable, CaseIterable { case bt601, bt709, bt2020 }
    /// The numbers of black and white.
    public enum Range: Sendable, Hashable, CaseIterable {
        /// 16 to 235, and 16 to 240 for chroma, of 255.
        case narrow
        /// 0 to 255.
        case full
    }
    /// Where a sample of chroma lies.
    public enum Siting: Sendable, Hashable, CaseIterable {
        /// On the first of the pixels that share it.
        case first
        /// In the middle of them.
        case middle
    }

    /// The weights.
    public var matrix: Matrix
    /// The numbers in use.
    public var range: Range
    /// Along x.
    public var horizontalSiting: Siting
    /// Along y.
    public var verticalSiting: Siting

    /// The defaults are EGL's: BT.601, narrow, chroma at the first pixel.
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

/// A buffer whose descriptors are closed with it.
public struct OwnedDMABuffer: ~Copyable, Sendable {
    /// The buffer, lent for as long as the owner lives.
    public let buffer: DMABuffer

    /// Those that are still its own.
    private var descriptors: Set<Int32>

    /// Takes over the descriptors of a buffer, each of which may occur in several planes.
    public init(owning buffer: DMABuffer) {
        self.buffer = buffer
        descriptors = Set(buffer.planes.map(\.descriptor))
    }

    /// Gives the descriptors to the caller, who closes them.
    public consuming func release() -> DMABuffer {
        descriptors = []
        return buffer
    }

    deinit {
        for descriptor in descriptors { _ = OwnedDescriptor(owning: descriptor) }
    }
}
