import FrostCore

/// The orientation of a picture, in EXIF's numbering: the transform that turns the picture upright.
enum Orientation: Int, CaseIterable {
    case upright = 1
    case mirrored, turnedHalf, flipped, transposed, turnedRight, transversed, turnedLeft

    /// Whether the transform exchanges width and height.
    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the layout of the upright picture.
    func turned(_ stored: PixelLayout, name: String) throws(ImageError) -> PixelLayout {
        try PixelLayout(
            reading: swapsSides ? stored.height : stored.width, swapsSides ? stored.width : stored.height,
            stored.format, name: name)
    }

    /// Returns the density of the upright picture.
    func turned(_ density: PixelDensity?) -> PixelDensity? {
        guard swapsSides, let density else { return density }
        return PixelDensity(x: density.y, y: density.x, unit: density.unit)
    }

    /// Returns the picture's pixels, rotated upright.
    ///
    /// - Parameter layout: the layout of the result, from ``turned(_:name:)``.
    func upright(_ picture: PixelBuffer, _ layout: PixelLayout) -> PixelBuffer {
        guard self != .upright else { return picture }
        let (width, height) = (picture.width, picture.height)
        let size = picture.format.bytesPerPixel
        // The first pixel of the result is the pixel of the source at the offset `start`. One pixel to the right in the
        // result means `alongX` bytes further in the source. One row down in the result means `alongY` bytes further in
        // the source.
        let (right, down) = (size, picture.layout.bytesPerRow)
        let (lastX, lastY) = ((width - 1) * right, (height - 1) * down)
        let (start, alongX, alongY) =
            switch self {
            case .upright: (0, right, down)
            case .mirrored: (lastX, -right, down)
            case .turnedHalf: (lastX + lastY, -right, -down)
            case .flipped: (lastY, right, -down)
            case .transposed: (0, down, right)
            case .turnedRight: (lastY, -down, right)
            case .transversed: (lastX + lastY, -down, -right)
            case .turnedLeft: (lastX, down, -right)
            }
        return unsafe PixelBuffer(layout: layout) { out in
            // SAFETY: every step stays within the source picture, and the loops write every pixel of the result.
            unsafe picture.withUnsafeBytes { bytes in
                // If width and height are exchanged, one of the two pictures is accessed column by column. The loops
                // therefore process small tiles, which fit in the cache of the processor.
                let tile = 32
                for top in stride(from: 0, to: layout.height, by: tile) {
                    for left in stride(from: 0, to: layout.width, by: tile) {
                        for y in top..<min(top + tile, layout.height) {
                            for x in left..<min(left + tile, layout.width) {
                                let from = start + x * alongX + y * alongY
                                let to = y * layout.bytesPerRow + x * size
                                for i in 0..<size { unsafe out[to + i] = bytes[from + i] }
                            }
                        }
                    }
                }
            }
        }
    }
}
