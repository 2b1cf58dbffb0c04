import FrostCore

extension PixelLayout {
    /// Creates the layout of an image that is to be read. The rows have no padding. Throws
    /// ``ImageError/outOfMemory(path:bytes:)`` if the size overflows or is invalid.
    init(reading width: Int, _ height: Int, _ format: PixelFormat, name: String) throws(ImageError) {
        do throws(PixelError) {
            try self.init(width: width, height: height, format: format)
        } catch {
            throw .outOfMemory(path: name, bytes: Int.max)
        }
    }
}

/// The maximum size of an image. Readers refuse a larger image as soon as they have read its header.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum width and the maximum height, in pixels.
    public var maximumSide: Int
    /// The maximum number of pixels.
    public var maximumPixels: Int

    /// Sets the limits.
    ///
    /// - Parameters:
    ///   - maximumSide: the maximum width and height, 32768 pixels by default.
    ///   - maximumPixels: the maximum number of pixels, 2^30 (a gigapixel) by default.
    public init(maximumSide: Int = 32768, maximumPixels: Int = 1 << 30) {
        self.maximumSide = maximumSide
        self.maximumPixels = maximumPixels
    }

    /// Refuses an image that is much too large for its file: one that has more than 2^24 pixels and also more than 2^18
    /// pixels per byte of the file. Use this check for formats that can describe a picture of a single colour in a few
    /// bytes. The limit leaves room for genuine files: an AVIF of a single colour has 80000 pixels per byte.
    func check(width: Int, height: Int, bytes: Int, name: String) throws(ImageError) {
        try check(width: width, height: height, name: name)
        guard width * height <= 1 << 24 || width * height / max(1, bytes) <= 1 << 18 else {
            throw .tooComplex(
                path: name, reason: "\(width)x\(height) pixels are implausible in a file of \(bytes) bytes")
        }
    }

    /// Throws ``ImageError/overLimit(path:what:value:limit:)`` if a size is above one of the limits.
    func check(width: Int, height: Int, name: String) throws(ImageError) {
        for (what, value) in [("width", width), ("height", height)] where value > maximumSide {
            throw .overLimit(path: name, what: what, value: value, limit: maximumSide)
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        if overflow || pixels > maximumPixels {
            throw .overLimit(
                path: name, what: "number of pixels", value: overflow ? Int.max : pixels, limit: maximumPixels)
        }
    }
}
