public import FrostCore

extension PixelBuffer {
    /// A stored sample as a number: 0...255 for 8-bit samples, 0...65535 for 16-bit samples, or the value of a float.
    /// Channels are numbered in the order of the pixel format.
    public subscript(x: Int, y: Int, channel: Int) -> Double {
        get {
            // SAFETY: the buffer's bounds check covers the offset.
            unsafe withUnsafeBytes { unsafe Sample.load($0, offset(x, y, channel), format.sample) }
        }
        set {
            let (place, type) = (offset(x, y, channel), format.sample)
            // SAFETY: the buffer's bounds check covers the offset.
            unsafe withUnsafeMutableBytes { unsafe Sample.store(newValue / type.maximum, $0, place, type) }
        }
    }

    private func offset(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        y * layout.bytesPerRow + x * format.bytesPerPixel + channel * format.sample.size
    }

    /// Returns the bytes of a row's pixels, without padding.
    public func rowBytes(_ y: Int) -> ArraySlice<UInt8> {
        bytes[y * layout.bytesPerRow..<y * layout.bytesPerRow + layout.rowByteCount]
    }

    /// The bytes of all pixels without padding. Images with equal pixels have equal bytes, whatever their strides.
    public var pixelBytes: [UInt8] { (0..<height).flatMap { rowBytes($0) } }

    /// True if no padding byte after any row has changed: each of them still equals ``TestImage/paddingByte``.
    public var hasUntouchedPadding: Bool {
        (0..<height).allSatisfy { y in
            let end = min((y + 1) * layout.bytesPerRow, bytes.count)
            return bytes[y * layout.bytesPerRow + layout.rowByteCount..<end].allSatisfy { $0 == TestImage.paddingByte }
        }
    }

    /// Returns an image of the given size. Its pixel (x, y) is a copy of this image's pixel `source(x, y)`, or zeros if
    /// `source` returns nil.
    public func rearranged(
        width: Int, height: Int, source: (_ x: Int, _ y: Int) -> (x: Int, y: Int)?
    ) throws -> PixelBuffer {
        let size = format.bytesPerPixel
        var out: [UInt8] = []
        out.reserveCapacity(width * height * size)
        for y in 0..<height {
            for x in 0..<width {
                if let from = source(x, y) {
                    let place = from.y * layout.bytesPerRow + from.x * size
                    out += bytes[place..<place + size]
                } else {
                    out += [UInt8](repeating: 0, count: size)
                }
            }
        }
        return try PixelBuffer(layout: PixelLayout(width: width, height: height, format: format), bytes: out)
    }

    /// Returns the image with left and right exchanged.
    public func flippedHorizontally() throws -> PixelBuffer {
        try rearranged(width: width, height: height) { (width - 1 - $0, $1) }
    }

    /// Returns the image with top and bottom exchanged.
    public func flippedVertically() throws -> PixelBuffer {
        try rearranged(width: width, height: height) { ($0, height - 1 - $1) }
    }

    /// Returns the part of the image that lies in `rect`. The rectangle has the coordinates of this image.
    public func cropped(to rect: Rect) throws -> PixelBuffer {
        try rearranged(width: rect.width, height: rect.height) { (rect.x + $0, rect.y + $1) }
    }
}
