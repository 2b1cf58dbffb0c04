package import FrostCore

/// The limits that a device sets for draws.
package struct DrawLimits: Hashable, Sendable {
    /// The maximum side of a texture, in texels.
    package let textureSize: Int
    /// The maximum number of taps of one draw.
    package let weights: Int
    /// The alignment of each draw's first tap, as a number of taps.
    package let weightAlignment: Int
    /// The width and height of the groups in which compute shaders run.
    package let group: SIMD2<Int32>

    package init(textureSize: Int, weights: Int, weightAlignment: Int, group: SIMD2<Int32> = SIMD2(16, 8)) {
        self.group = group
        self.textureSize = textureSize
        self.weights = weights
        self.weightAlignment = weightAlignment
    }

    /// Throws if a rectangle is empty, or larger than the maximum size of a texture.
    package func check(_ window: Rect, _ what: String) throws(DrawingError) {
        let side = max(window.width, window.height)
        guard side <= textureSize else { throw .imageTooLarge(what: what, side: side, limit: textureSize) }
        guard !window.isEmpty else { throw .invalidPlan("\(what) is empty") }
    }
}
