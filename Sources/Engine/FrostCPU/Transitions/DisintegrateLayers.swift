public import FrostCore
import FrostThreads

extension CPUExecutor {
    /// Computes the layers that ``Disintegrate`` needs before a frame is drawn: the rest of the source and its shadow.
    ///
    /// - Returns: nil for all other kinds, and at the ends of the transition.
    /// - Throws: ``CPUError/parameter(_:)`` if the transition needs a mask and none is given, and
    ///   ``CPUError/outOfMemory(bytes:)``.
    @unsafe public func layers(
        of plan: TransitionPlan, images: TransitionImages, mask: MaskImage?, cancellation: Cancellation? = nil
    ) throws(CPUError) -> TransitionLayers? {
        guard case .drawing(.disintegrate(let disintegrate), let frame) = plan.work,
            let region = plan.region.intersection(plan.canvas)
        else { return nil }
        let drawing = disintegrate.drawing(frame)
        guard let mask else { throw .parameter(.extraImage("mask", needed: true)) }
        let source = unsafe TransitionInput(images.source, decoding: nil)
        let window = region.hull(source.extent)
        let rest = RestOfSource(drawing, mask, window: window)
        let values = try rest.values(threads: threads)
        if cancellation?.isCancelled == true { throw .cancelled }
        let shadow = try DisintegrateShadow(drawing, executor: self, cancellation: cancellation)
            .values(of: values, in: window, source, region: region)
        guard region != window else { return TransitionLayers(region: region, rest: values, shadow: shadow) }
        let part = try PixelBlock.floats(region.width * region.height)
        for y in region.rows {
            // SAFETY: the region lies within the window.
            unsafe (part.floats + (y - region.y) * region.width).update(
                from: values.floats + (y - window.y) * window.width + region.x - window.x, count: region.width)
        }
        return TransitionLayers(region: region, rest: part, shadow: shadow)
    }
}

extension TransitionLayers {
    /// The bytes that the layers and their computation take for each pixel of the canvas: the rest of the source twice, its
    /// product with alpha, the blur of that with two channels, and the shadow.
    static let workingBytesPerPixel = 6 * MemoryLayout<Float>.size
}

extension PixelBlock {
    /// Allocates memory for numbers.
    fileprivate static func floats(_ count: Int) throws(CPUError) -> PixelBlock {
        try rethrow(PixelBlock(byteCount: count * MemoryLayout<Float>.size), as: CPUError.memory)
    }
}

/// Computes which part of each pixel of the source is left, from the mask.
private struct RestOfSource: Sendable {
    private let time: Float
    private let mask: MaskImage
    private let extent: Rect
    private let window: Rect
    /// The two columns of the mask between which each column of the window lies, with one more column on either side.
    private let columns: [(low: Int, high: Int, t: Float)]

    init(_ drawing: Disintegrate.Drawing, _ mask: MaskImage, window: Rect) {
        time = Float(drawing.time)
        self.mask = mask.fitted(to: drawing.extent)
        extent = drawing.extent
        self.window = window
        let fitted = self.mask
        columns = (window.x - 1..<window.columns.upperBound + 1).map { x in
            let place = fitted.columns(at: (Double(x - drawing.extent.x) + 0.5) / Double(drawing.extent.width))
            return (place.low, place.high, Float(place.t))
        }
    }

    /// Returns the values of all pixels of the window, row by row.
    func values(threads: Int) throws(CPUError) -> PixelBlock {
        let bands = PlanPart.bands(window, threads: threads)
        let values = try PixelBlock.floats(window.width * window.height)
        // SAFETY: every band writes its own rows of the block, and all bands together write all rows.
        try ThreadPool.computation.runAll(bands) { (band) throws(CPUError) in
            try unsafe fill((0..<window.height).band(band, of: bands), values.floats)
        }
        return values
    }

    private func fill(_ rows: Range<Int>, _ out: UnsafeMutablePointer<Float>) throws(CPUError) {
        let scratch = try RowStorage(rows: 3, floats: window.width + 2, zeroed: false)
        guard let first = rows.first else { return }
        for y in first - 1...first { unsafe interpolate(y, into: scratch.row((y + 3) % 3).floats) }
        for y in rows {
            unsafe interpolate(y + 1, into: scratch.row((y + 1) % 3).floats)
            let (above, below) = unsafe (scratch.row((y + 2) % 3).floats, scratch.row((y + 1) % 3).floats)
            let (own, to) = unsafe (scratch.row(y % 3).floats, out + y * window.width)
            for x in 0..<window.width {
                let value = unsafe own[x + 1]
                // Twice g. It is at least 2/256, because g is at least a step of an 8-bit mask.
                let change = unsafe max(abs(own[x + 2] - own[x]) + abs(below[x + 1] - above[x + 1]), 0x1p-7)
                let (low, high) = (max(0, value - 0.25 * change), min(1, value + 0.25 * change))
                unsafe to[x] = 1 - unit((time - low) / (high - low))
            }
        }
    }

    /// Computes the mask's values in a row of the window, with one more pixel on either side.
    private func interpolate(_ y: Int, into out: UnsafeMutablePointer<Float>) {
        let place = mask.rows(at: (Double(y + window.y - extent.y) + 0.5) / Double(extent.height))
        let (low, high, t) = (place.low * mask.width, place.high * mask.width, Float(place.t))
        unsafe mask.values.withUnsafeBufferPointer { values in
            for (index, column) in columns.enumerated() {
                let above =
                    unsafe values[low + column.low] + (values[low + column.high] - values[low + column.low]) * column.t
                let below =
                    unsafe values[high + column.low] + (values[high + column.high] - values[high + column.low])
                    * column.t
                unsafe out[index] = above + (below - above) * t
            }
        }
    }
}

/// Computes the shadow that the rest of the source casts on the target.
private struct DisintegrateShadow {
    private let drawing: Disintegrate.Drawing
    private let executor: CPUExecutor
    private let cancellation: Cancellation?

    init(_ drawing: Disintegrate.Drawing, executor: CPUExecutor, cancellation: Cancellation?) {
        (self.drawing, self.executor, self.cancellation) = (drawing, executor, cancellation)
    }

    /// Returns the shadow's weights in a region.
    ///
    /// - Parameters:
    ///   - rest: the rest of the source in `window`, which contains the source's rectangle.
    func values(
        of rest: PixelBlock, in window: Rect, _ source: TransitionInput, region: Rect
    ) throws(CPUError) -> PixelBlock {
        let shadow = try PixelBlock.floats(region.width * region.height)
        let density = Float(drawing.shadowDensity)
        guard density > 0 else {
            unsafe shadow.floats.update(repeating: 0, count: region.width * region.height)
            return shadow
        }
        let whole = drawing.shadowOffset.rounded(.down)
        let part = SIMD2<Float>(drawing.shadowOffset - whole)
        // The shadow at p is the blur at p - offset. With a fraction, the pixel before that is needed too.
        let needed = Rect(
            x: region.x - Int(whole.x) - 1, y: region.y - Int(whole.y) - 1, width: region.width + 1,
            height: region.height + 1)
        let blurred = try blur(cover(rest, window, source), source.extent, needed)
        let bands = PlanPart.bands(region, threads: executor.threads)
        // SAFETY: `blurred` has two floats for each pixel of `needed`, and every band writes its own rows.
        ThreadPool.computation.run(bands) { band in
            for y in (0..<region.height).band(band, of: bands) {
                let top = unsafe blurred.floats + 2 * y * needed.width
                let bottom = unsafe top + 2 * needed.width
                let row = unsafe shadow.floats + y * region.width
                for x in 0..<region.width {
                    let a = unsafe top[2 * x + 2] + (top[2 * x] - top[2 * x + 2]) * part.x
                    let b = unsafe bottom[2 * x + 2] + (bottom[2 * x] - bottom[2 * x + 2]) * part.x
                    unsafe row[x] = density * unit(b + (a - b) * part.y)
                }
            }
        }
        return shadow
    }

    /// Returns the rest of the source times its alpha, as a grey image of the source's size.
    private func cover(_ rest: PixelBlock, _ window: Rect, _ source: TransitionInput) throws(CPUError) -> PixelBlock {
        let (width, height) = (source.extent.width, source.extent.height)
        let perMaximum = Float(1 / source.format.sample.maximum)
        let hasAlpha = source.format.channels.hasAlpha
        let bands = PlanPart.bands(source.extent, threads: executor.threads)
        let image = try PixelBlock.floats(width * height)
        // SAFETY: every band writes its own rows of the image, and all bands together write all rows.
        try ThreadPool.computation.runAll(bands) { (band) throws(CPUError) in
            let pixels = try RowStorage(rows: 2, floats: 4 * width, zeroed: false)
            for y in (0..<height).band(band, of: bands) {
                let from = unsafe rest.floats + (y - window.y) * window.width - window.x
                let to = unsafe image.floats + y * width
                if hasAlpha {
                    unsafe source.read(0, y, count: width, scratch: pixels.row(0).floats, into: pixels.row(1).floats)
                    let row = unsafe pixels.row(1).floats
                    for x in 0..<width { unsafe to[x] = from[x] * row[4 * x + 3] * perMaximum }
                } else {
                    for x in 0..<width { unsafe to[x] = from[x] }
                }
            }
        }
        return image
    }

    /// Blurs an image that is transparent outside its rectangle. The first of the result's two channels is the blur.
    private func blur(_ image: PixelBlock, _ extent: Rect, _ region: Rect) throws(CPUError) -> PixelBlock {
        let plan = try rethrow(
            GaussianBlur(sigma: drawing.shadowRadius, edge: .clear).plan(
                extent: extent, region: region, accuracy: .sixteenBit), as: CPUError.parameter)
        let layouts = try rethrow(
            (
                from: PixelLayout(width: extent.width, height: extent.height, format: PixelFormat(.grey, .f32)),
                to: PixelLayout(
                    width: region.width, height: region.height,
                    format: PixelFormat(.greyAlpha, .f32, alpha: .premultiplied))
            ), as: CPUError.pixels)
        let blurred = try rethrow(PixelBlock(byteCount: layouts.to.byteCount), as: CPUError.memory)
        try unsafe executor.execute(
            plan, source: PixelSource(image.base, layout: layouts.from),
            target: PixelTarget(blurred.base, layout: layouts.to), cancellation: cancellation)
        return blurred
    }
}
