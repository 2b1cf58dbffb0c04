public import FrostCore

/// A picture, and the result of an effect on this picture. The result is computed once. Inside a moving shape the result is
/// visible, and outside the shape the picture is visible.
///
/// Moving the shape runs no pass. A frame is a copy of the picture, with the effect's rows inside the shape and a mixture of
/// both along the shape's edges. The time for a frame is proportional to the number of pixels, and is limited by the speed
/// of the memory.
///
/// Thread safety: this type is a value, which may be used from any thread.
public struct Reveal: Sendable {
    /// The picture, in the same format as the effect's result. It is visible outside the shape.
    public let original: PixelBuffer
    /// The effect's result, visible inside the shape.
    public let result: PixelBuffer
    /// The report on computing the effect. Frames add no passes to this report.
    public let report: RenderReport

    /// Applies the effect to the whole picture.
    ///
    /// - Parameters:
    ///   - image: the image to read.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's samples.
    ///   - renderer: the renderer that applies the effect.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``; in particular ``ParameterError/malformed(parameter:value:expected:)`` if the effect's
    ///   result is larger than the picture, and for `redact`, which the edges of the shape would partly show.
    public init(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, accuracy: Accuracy? = nil,
        with renderer: Renderer, cancellation: Cancellation? = nil
    ) throws(FrostError) {
        guard effect.growth == 0 else {
            throw .parameter(
                .malformed(
                    parameter: "effect", value: "\(effect)",
                    expected: "a result of the picture's size, not a larger one"))
        }
        guard !effect.isRedaction else {
            throw .parameter(
                .malformed(
                    parameter: "effect", value: effect.name,
                    expected: "another effect, because the edges of the shape would show the original picture"))
        }
        let rendered = try renderer.render(
            image, effect, mask: mask, region: image.layout.extent, accuracy: accuracy, cancellation: cancellation)
        original = try renderer.unchanged(image, in: rendered.image.format)
        result = rendered.image
        report = rendered.report
    }

    /// Returns the picture with the effect visible in the rectangles. If rectangles overlap, their coverage adds up.
    ///
    /// A partly covered pixel is a mixture of two stored pixels. The mixture is rounded again, by up to half a step of its
    /// samples.
    ///
    /// - Parameter rects: the rectangles, in the picture's pixels. They may extend outside the picture.
    public func frame(within rects: [RoundedRect]) -> PixelBuffer {
        var frame = original
        let layout = original.layout
        // SAFETY: the memory has the layout of the frame.
        unsafe frame.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe draw(rects, over: PixelTarget(base, layout: layout))
        }
        return frame
    }

    /// Writes the frame of ``frame(within:)`` to memory of the caller.
    ///
    /// - Parameters:
    ///   - rects: the rectangles, in the picture's pixels. They may extend outside the picture.
    ///   - target: an image of the size and format of ``original``. All of its pixels are written.
    /// - Throws: ``FrostError/pixels(_:)`` if the size or the format differs.
    @unsafe public func render(within rects: [RoundedRect], into target: PixelTarget) throws(FrostError) {
        try unsafe original.copy(into: target)
        unsafe draw(rects, over: target)
    }

    /// Draws the effect's result in the rectangles over the picture.
    ///
    /// - Parameter target: the picture, in the size and format of ``original``.
    private func draw(_ rects: [RoundedRect], over target: PixelTarget) {
        let layout = original.layout
        let conversion = RowConversion(format: layout.format)
        let size = layout.format.bytesPerPixel
        let count = conversion.working.count
        // SAFETY: rectangles are clipped to the layout, whose size all three images share. The temporary memory holds the
        // numbers of two pixels.
        unsafe result.withUnsafeBytes { inside in
            unsafe original.withUnsafeBytes { outside in
                unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * count) { pixels in
                    guard let inside = inside.baseAddress, let outside = outside.baseAddress,
                        let inner = pixels.baseAddress
                    else { return }
                    let outer = unsafe inner + count
                    for rect in rects {
                        guard let part = rect.bounds.intersection(layout.extent) else { continue }
                        for y in part.rows {
                            let (row, resultRow) = (y * layout.bytesPerRow, y * result.layout.bytesPerRow)
                            let out = unsafe target.row(y)
                            let full = rect.wholeColumns(y).clamped(to: part.columns)
                            unsafe (out + full.lowerBound * size).copyMemory(
                                from: inside + resultRow + full.lowerBound * size, byteCount: full.count * size)
                            for x in [part.x..<full.lowerBound, full.upperBound..<part.columns.upperBound].joined() {
                                let share = Float(min(1, rects.reduce(0) { $0 + $1.coverage(x, y) }))
                                guard share > 0 else { continue }
                                let at = x * size
                                if share == 1 {
                                    unsafe (out + at).copyMemory(from: inside + resultRow + at, byteCount: size)
                                    continue
                                }
                                unsafe conversion.load(inside + resultRow + at, count: 1, into: inner)
                                unsafe conversion.load(outside + row + at, count: 1, into: outer)
                                for c in 0..<count { unsafe inner[c] = outer[c] + (inner[c] - outer[c]) * share }
                                unsafe conversion.store(inner, count: 1, into: out + at)
                            }
                        }
                    }
                }
            }
        }
    }
}
