/// The order in which a buffer stores the pixels of an image. The image is mirrored if the case says so. Then it is turned
/// counter-clockwise. The numbers are those of wl_output.transform of the Wayland protocol.
///
/// ```swift
/// var screen = HostTarget(.framebuffer(0), width: 1080, height: 1920, format: .rgba8, rises: true)
/// screen.transform = .turned90  // the buffer is 1920 pixels wide and 1080 high
/// let damage = screen.transform.toBuffer(updated, width: 1080, height: 1920)
/// ```
public enum SurfaceTransform: Int32, Sendable, Hashable, CaseIterable {
    /// The buffer stores the image as it is seen.
    case normal
    /// The image is turned counter-clockwise by 90 degrees: its top right pixel is the buffer's first.
    case turned90
    /// The image is turned by 180 degrees.
    case turned180
    /// The image is turned counter-clockwise by 270 degrees: its bottom left pixel is the buffer's first.
    case turned270
    /// The image is mirrored: its left and right are exchanged.
    case flipped
    /// The image is mirrored, then turned counter-clockwise by 90 degrees: rows and columns are exchanged.
    case flipped90
    /// The image is mirrored, then turned by 180 degrees: top and bottom are exchanged.
    case flipped180
    /// The image is mirrored, then turned counter-clockwise by 270 degrees.
    case flipped270

    /// Whether the buffer is as wide as the image is high.
    public var swapsSides: Bool {
        switch self {
        case .normal, .turned180, .flipped, .flipped180: false
        case .turned90, .turned270, .flipped90, .flipped270: true
        }
    }

    /// Returns the size of the buffer that stores an image of a size, or of the image that a buffer of a size stores.
    package func turned(width: Int, height: Int) -> (width: Int, height: Int) {
        swapsSides ? (height, width) : (width, height)
    }

    /// Returns the rectangle of the buffer that stores a rectangle of the image. Both count rows from the top, also if the
    /// buffer stores its rows bottom-up.
    ///
    /// - Parameters:
    ///   - width: the width of the image as it is seen, in pixels.
    ///   - height: the height of the image as it is seen.
    public func toBuffer(_ rect: Rect, width: Int, height: Int) -> Rect {
        PixelMap(self, width: width, height: height).map(rect)
    }

    /// Returns the rectangle of the image that a rectangle of the buffer stores.
    ///
    /// - Parameters:
    ///   - width: the width of the image as it is seen, in pixels.
    ///   - height: the height of the image as it is seen.
    public func fromBuffer(_ rect: Rect, width: Int, height: Int) -> Rect {
        PixelMap(self, width: width, height: height).inverse.map(rect)
    }
}

/// A map from the pixels of an image to those of a buffer that stores it: coordinates are exchanged if `swaps`, then multiplied
/// by `scale`, which is 1 or -1 in each component, and `offset` is added.
package struct PixelMap: Hashable, Sendable {
    package private(set) var swaps = false
    private var scale = SIMD2(1, 1)
    private var offset = SIMD2(0, 0)

    /// - Parameters:
    ///   - width: the width of the image as it is seen, in pixels.
    ///   - rises: whether the buffer stores its rows bottom-up.
    package init(_ transform: SurfaceTransform, width: Int, height: Int, rises: Bool = false) {
        swaps = transform.swapsSides
        let size = transform.turned(width: width, height: height)
        let last = SIMD2(size.width, size.height) &- 1
        let (isMirrored, isTurnedOver) =
            switch transform {
            case .normal, .flipped90: (false, false)
            case .flipped, .turned270: (true, false)
            case .turned90, .flipped180: (false, true)
            case .turned180, .flipped270: (true, true)
            }
        if isMirrored { (scale.x, offset.x) = (-1, last.x) }
        if isTurnedOver != rises { (scale.y, offset.y) = (-1, last.y) }
    }

    private init(swaps: Bool, scale: SIMD2<Int>, offset: SIMD2<Int>) {
        (self.swaps, self.scale, self.offset) = (swaps, scale, offset)
    }

    /// Whether the map only moves pixels.
    package var keepsAxes: Bool { !swaps && scale == SIMD2(1, 1) }

    /// Returns the map of an image that lies in this map's image, with its first pixel at `x`, `y`.
    package func from(x: Int, y: Int) -> PixelMap {
        var map = self
        map.offset = self(SIMD2(x, y))
        return map
    }

    /// The map from the buffer to the image.
    package var inverse: PixelMap {
        // For a scale of 1 or -1, q = scale * p + offset means p = scale * q - scale * offset.
        PixelMap(swaps: swaps, scale: swapped(scale), offset: swapped(0 &- scale &* offset))
    }

    private func swapped(_ vector: SIMD2<Int>) -> SIMD2<Int> { swaps ? SIMD2(vector.y, vector.x) : vector }

    private func callAsFunction(_ pixel: SIMD2<Int>) -> SIMD2<Int> { swapped(pixel) &* scale &+ offset }

    /// Returns the rectangle of the buffer that stores a rectangle of the image.
    package func map(_ rect: Rect) -> Rect {
        let (first, size) = (self(SIMD2(rect.x, rect.y)), swapped(SIMD2(rect.width, rect.height)))
        return Rect(
            x: scale.x < 0 ? first.x &- size.x &+ 1 : first.x, y: scale.y < 0 ? first.y &- size.y &+ 1 : first.y,
            width: size.x, height: size.y)
    }

    /// The value of a shader's uniform: the offset (xy) and the scale (zw).
    package var uniform: SIMD4<Int32> {
        SIMD4(
            Int32(truncatingIfNeeded: offset.x), Int32(truncatingIfNeeded: offset.y), Int32(scale.x), Int32(scale.y))
    }
}
