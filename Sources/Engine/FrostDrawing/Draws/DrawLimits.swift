package import FrostCore

/// The limits that a device sets for draws.
package struct DrawLimits: Hashable, Sendable {
    /// The maximum side of a texture, in texels.
    package let textureSize: Int
    /// The maximum number of taps of one draw.
    package let weights: Int
    /// The alignment of each draw's first tap, as a number of taps.
    package let weightAlignment: Int

    package init(textureSize: Int, weights: Int, weightAlignment: Int) {
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

/// The taps of all draws of a plan, as the shader's uniform block of taps stores them.
struct TapList {
    let limits: DrawLimits
    private(set) var values: [Float] = []

    init(_ limits: DrawLimits) { self.limits = limits }

    /// Appends the taps of a draw, and returns the index of the first.
    ///
    /// - Throws: ``DrawingError/invalidPlan(_:)`` if the shader has no room for so many taps.
    mutating func add(_ taps: [Float]) throws(DrawingError) -> Int {
        guard taps.count <= limits.weights else {
            throw .invalidPlan("a pass has \(taps.count) weights; the GPU's limit is \(limits.weights)")
        }
        while values.count % limits.weightAlignment != 0 { values.append(0) }
        defer { values += taps }
        return values.count
    }
}
