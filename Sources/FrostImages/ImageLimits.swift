import FrostCore

extension PixelLayout {
    /// The layout of an image that is read: rows without padding.
    init(reading width: Int, _ height: Int, _ format: PixelFormat, name: String) throws(ImageError) {
        do throws(PixelError) {
            try self.init(width: width, height: height, format: format)
        } catch {
            throw .outOfMemory(path: name, bytes: Int.max)
        }
    }
}

/// How large an image may be. Larger ones are refused as soon as the header is read.
public struct ImageLimits: Sendable, Hashable {
    /// The largest width and height.
    public var maximumSide: Int
    /// The largest number of pixels.
    public var maximumPixels: Int

    /// - Parameters:
    ///   - maximumSide: 32768 by default.
    ///   - maximumPixels: 2^30 by default, a gigapixel.
    public init(maximumSide: Int = 32768, maximumPixels: Int = 1 << 30) {
        self.maximumSide = maximumSide
        self.maximumPixels = maximumPixels
    }

    /// Refuses a large size in a tiny file. For formats that can describe a picture of a single colour in a few bytes;
    /// an AVIF of one colour has 80000 pixels a byte.
    func check(width: Int, height: Int, bytes: Int, name: String) throws(ImageError) {
        try check(width: width, height: height, name: name)
        guard width * height <= 1 << 24 || width * height / max(1, bytes) <= 1 << 18 else {
            throw .tooComplex(path: name, reason: "\(width)x\(height) pixels in \(bytes) bytes are no honest picture")
        }
    }

    /// Refuses a size above a limit.
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
