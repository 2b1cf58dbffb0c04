package import FrostCore

extension PixelLayout {
    /// Creates the layout of an image that is to be read. The rows have no padding. Throws
    /// ``ImageError/outOfMemory(path:bytes:)`` if the size overflows or is invalid.
    package init(reading width: Int, _ height: Int, _ format: PixelFormat, name: String) throws(ImageError) {
        do throws(PixelError) {
            try self.init(width: width, height: height, format: format)
        } catch {
            throw .outOfMemory(path: name, bytes: Int.max)
        }
    }
}

/// The limits on what a picture may cost and on what its decoder may do. Readers check the size and the memory as soon as
/// they have read the header, before they decode anything.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum width and the maximum height, in pixels; ``largestSide`` if it is above that.
    public var maximumSide: Int
    /// The maximum number of pixels; ``largestNumberOfPixels`` if it is above that.
    public var maximumPixels: Int
    /// The maximum number of pixels for each byte of the file. It applies to pictures of more than ``smallPicture``
    /// pixels.
    public var maximumPixelsPerByte: Int
    /// The maximum memory, in bytes, that reading a picture may take. Nil stands for ``availableMemory(atMost:)``.
    public var maximumMemory: Int?
    /// The maximum time for a picture. Waiting for input from a pipe does not count.
    public var maximumTime: Duration
    /// The sandbox that decodes pictures in processes of their own; nil to decode them in this process.
    public var sandbox: DecoderSandbox?
    /// The formats that may be opened; nil to allow all.
    public var allowed: AllowedFormats?

    /// The largest side that Frost reads, whatever the limits: 2^30. With ``largestNumberOfPixels``, no number of bytes that
    /// Frost computes for a picture overflows.
    public static let largestSide = 1 << 30
    /// The largest number of pixels that Frost reads, whatever the limits: 2^40.
    public static let largestNumberOfPixels = 1 << 40
    /// The number of pixels up to which ``maximumPixelsPerByte`` does not apply: 64 megapixels.
    public static let smallPicture = 64_000_000
    /// The maximum memory if the process has no stricter limit: 1 GiB.
    public static let defaultMemory = 1 << 30

    /// Memory needs below this number of bytes are not checked, because reading the limits of the process would cost
    /// more than it is worth.
    private static let smallestCheckedMemory = 1 << 20

    /// Sets the limits.
    ///
    /// - Parameters:
    ///   - maximumSide: the maximum width and height, 32768 pixels by default.
    ///   - maximumPixels: the maximum number of pixels, 2^30 (a gigapixel) by default.
    ///   - maximumPixelsPerByte: the maximum number of pixels for each byte of the file, 1000 by default.
    ///   - maximumMemory: the maximum memory in bytes; by default ``availableMemory(atMost:)``, computed for each
    ///     picture.
    ///   - maximumTime: the maximum time for a picture, 60 seconds by default.
    ///   - sandbox: the sandbox that decodes pictures in processes of their own; by default they are decoded in this
    ///     process.
    ///   - allowed: the formats that may be opened; by default all.
    public init(
        maximumSide: Int = 32768, maximumPixels: Int = 1 << 30, maximumPixelsPerByte: Int = 1000,
        maximumMemory: Int? = nil, maximumTime: Duration = .seconds(60),
        sandbox: DecoderSandbox? = nil, allowed: AllowedFormats? = nil
    ) {
        self.maximumSide = maximumSide
        self.maximumPixels = maximumPixels
        self.maximumPixelsPerByte = maximumPixelsPerByte
        self.maximumMemory = maximumMemory
        self.maximumTime = maximumTime
        self.sandbox = sandbox
        self.allowed = allowed
    }

    /// Returns the smaller of a number of bytes and what the limits of this process leave: the memory limits of its
    /// control groups (versions 1 and 2, parent groups included) and RLIMIT_AS.
    ///
    /// - Parameter limit: a number of bytes, ``defaultMemory`` by default.
    public static func availableMemory(atMost limit: Int = defaultMemory) -> Int {
        min(limit, ProcessLimits().memoryLeft ?? Int.max)
    }

    /// Checks whether a picture may take a number of bytes of memory.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes that the picture takes.
    ///   - name: the name of the picture, for the error.
    /// - Throws: ``ImageError/overMemory(path:needed:available:)``.
    public func check(memory bytes: Int, name: String) throws(ImageError) {
        guard bytes >= Self.smallestCheckedMemory else { return }
        let available = maximumMemory ?? Self.availableMemory()
        guard bytes <= available else { throw .overMemory(path: name, needed: bytes, available: available) }
    }

    /// Reads the memory that the limits of the process leave, unless it is known or `bytes` need no check. Later checks then
    /// do not read it again.
    ///
    /// - Parameter bytes: the number of bytes that the next check is about.
    package mutating func resolveMemory(for bytes: Int) {
        guard maximumMemory == nil, bytes >= Self.smallestCheckedMemory else { return }
        maximumMemory = Self.availableMemory()
    }

    /// Subtracts memory that is in use from the limit, if it is known.
    ///
    /// - Parameter bytes: the number of bytes in use.
    package mutating func take(_ bytes: Int) { maximumMemory = maximumMemory.map { max(0, $0 - bytes) } }

    /// Throws ``ImageError/overLimit(path:what:value:limit:)`` if a size is above one of the limits.
    package func check(width: Int, height: Int, name: String) throws(ImageError) {
        let side = min(maximumSide, Self.largestSide)
        for (what, value) in [("width", width), ("height", height)] where value > side {
            throw .overLimit(path: name, what: what, value: value, limit: side)
        }
        let (pixels, limit) = (width * height, min(maximumPixels, Self.largestNumberOfPixels))
        if pixels > limit { throw .overLimit(path: name, what: "number of pixels", value: pixels, limit: limit) }
    }
}
