public import FrostCore

extension PixelBuffer {
    /// Returns the image turned counter-clockwise by 90 degrees: the right column becomes the first row.
    public func turnedLeft() throws -> PixelBuffer {
        try rearranged(width: height, height: width) { (width - 1 - $1, $0) }
    }

    /// Returns the buffer that stores the image with a transform: the image is mirrored, then turned.
    ///
    /// - Parameter rises: whether the buffer's rows are stored bottom-up.
    public func stored(_ transform: SurfaceTransform, rises: Bool = false) throws -> PixelBuffer {
        var image = transform.rawValue >= 4 ? try flippedHorizontally() : self
        for _ in 0..<transform.rawValue % 4 { image = try image.turnedLeft() }
        return rises ? try image.flippedVertically() : image
    }

    /// Returns the image that this buffer stores with a transform: it is turned back, then mirrored.
    public func seen(_ transform: SurfaceTransform, rises: Bool = false) throws -> PixelBuffer {
        var image = rises ? try flippedVertically() : self
        for _ in 0..<(4 - transform.rawValue % 4) % 4 { image = try image.turnedLeft() }
        return transform.rawValue >= 4 ? try image.flippedHorizontally() : image
    }
}
