import CFrostKernels
import FrostCore

/// The images of a transition as its composition reads them.
///
/// SAFETY: the images outlive this value, which is used during one call only. It is not changed after it was created.
@safe struct TransitionInputs: @unchecked Sendable {
    let source: TransitionInput
    let target: TransitionInput
    let sourceSamples: TransitionSamples?
    let targetSamples: TransitionSamples?
    let backside: TransitionSamples?
    let shading: TransitionSamples?

    init(
        _ images: TransitionImages, _ plan: TransitionPlan, _ parts: TransitionBlock.Parts, threads: Int
    ) throws(CPUError) {
        func samples(_ image: PixelSource) throws(CPUError) -> TransitionSamples {
            try unsafe TransitionSamples(
                TransitionInput(image, decoding: plan.decoding), bytesPerRow: image.layout.bytesPerRow, threads: threads
            )
        }
        source = unsafe TransitionInput(images.source, decoding: plan.decoding)
        target = unsafe TransitionInput(images.target, decoding: plan.decoding)
        sourceSamples = try unsafe parts.contains(.movedPage) ? samples(images.source) : nil
        targetSamples = try unsafe parts.contains(.movedTarget) ? samples(images.target) : nil
        backside = try unsafe parts.contains(.back) ? images.backside.map(samples) : nil
        shading = try unsafe parts.contains(.shading) ? images.shading.map(samples) : nil
    }
}

/// Makes colours of the numbers of a block: see ``TransitionBlock``. One thread uses a composition at a time.
final class TransitionComposition {
    private let inputs: TransitionInputs
    private let color: SIMD4<Float>
    private let isColorAdded: Bool
    private let maximum: Float
    /// The result, a second image, memory for conversions, and the two rows of the source between which a run lies.
    private let rows: RowStorage

    /// - Parameters:
    ///   - color: the transition's own colour, premultiplied, with 1.0 as full scale.
    ///   - isColorAdded: whether the colour is light that is added.
    init(_ inputs: TransitionInputs, color: SIMD4<Double>, isColorAdded: Bool) throws(CPUError) {
        rows = try RowStorage(rows: 5, floats: 4 * (TransitionBlock.width + 1), zeroed: false)
        self.inputs = inputs
        self.isColorAdded = isColorAdded
        maximum = Float(inputs.source.format.sample.maximum)
        self.color = SIMD4<Float>(color) * maximum
    }

    /// What a block shows.
    enum Content {
        /// The source's or the target's pixels, unchanged.
        case source, target
        /// Colours that are computed.
        case mixture
    }

    /// Returns whether a block shows one of the images unchanged.
    func content(of block: TransitionBlock) -> Content {
        guard block.parts.isSubset(of: .light) else { return .mixture }
        if block.parts == .light, !block.isFilled(.light, with: 0) { return .mixture }
        if block.isFilled(.page, with: 1) { return .source }
        if block.isFilled(.page, with: 0) { return .target }
        return .mixture
    }

    /// Computes the colours of a block: premultiplied RGBA in steps of the sample type. They are valid until the next call.
    func colors(of block: TransitionBlock, _ content: Content) -> UnsafeMutablePointer<Float> {
        let (out, other) = unsafe (rows.row(0).floats, rows.row(1).floats)
        switch content {
        case .source:
            unsafe inputs.source.read(block.x, block.y, count: block.count, scratch: rows.row(2).floats, into: out)
            return unsafe out
        case .target:
            unsafe inputs.target.read(block.x, block.y, count: block.count, scratch: rows.row(2).floats, into: out)
            return unsafe out
        case .mixture: break
        }
        let parts = block.parts
        // Where the page hides the target or shows nothing, only one of the images is read.
        let isHidden =
            block.isFilled(.page, with: 1) && (!hasOwnHidden(parts) || block.isFilled(.hidden, with: 1))
            && !parts.contains(.second)
        if !isHidden { unsafe readTarget(out, block) }
        if isHidden {
            unsafe readPage(out, block)
        } else if !block.isFilled(.page, with: 0) || parts.contains(.second) {
            unsafe readPage(other, block)
            unsafe mix(out, other, block)
        }
        if parts.contains(.back) { unsafe drawBack(out, other, block) }
        if parts.contains(.shading) { unsafe drawShading(out, other, block) }
        if parts.contains(.light) { unsafe isColorAdded ? addLight(out, block) : drawLight(out, block) }
        return unsafe out
    }

    /// Whether `hidden` differs from `page`.
    private func hasOwnHidden(_ parts: TransitionBlock.Parts) -> Bool {
        !parts.isDisjoint(with: [.movedPage, .shiftedPage])
    }

    /// SAFETY (this and the functions below): all rows have room for the pixels of a block, and are aligned to vectors.
    private func readTarget(_ out: UnsafeMutablePointer<Float>, _ block: TransitionBlock) {
        if block.parts.contains(.movedTarget), let target = inputs.targetSamples {
            unsafe target.read(block[.targetX], block[.targetY], count: block.count, into: out)
        } else {
            unsafe inputs.target.read(block.x, block.y, count: block.count, scratch: rows.row(2).floats, into: out)
        }
        if block.parts.contains(.targetShade) { unsafe Self.shade(out, block[.targetShade], block.count) }
    }

    private func readPage(_ out: UnsafeMutablePointer<Float>, _ block: TransitionBlock) {
        if block.parts.contains(.movedPage), let source = inputs.sourceSamples {
            unsafe source.read(block[.pageX], block[.pageY], count: block.count, into: out)
        } else if block.parts.contains(.shiftedPage) {
            for run in block.pageRuns { unsafe read(run, into: out + 4 * run.pixels.lowerBound) }
        } else {
            unsafe inputs.source.read(block.x, block.y, count: block.count, scratch: rows.row(2).floats, into: out)
        }
        if block.parts.contains(.pageShade) { unsafe Self.shade(out, block[.pageShade], block.count) }
    }

    /// Reads pixels of the source, by bilinear interpolation.
    private func read(_ run: TransitionBlock.Run, into out: UnsafeMutablePointer<Float>) {
        let (left, top) = ((run.x - 0.5).rounded(.down), (run.y - 0.5).rounded(.down))
        let (tx, ty) = (Float(run.x - 0.5 - left), Float(run.y - 0.5 - top))
        let (x, y, count) = (Int(left), Int(top), run.pixels.count)
        let (scratch, upper, lower) = unsafe (rows.row(2).floats, rows.row(3).floats, rows.row(4).floats)
        unsafe inputs.source.read(x, y, count: count + 1, scratch: scratch, into: upper)
        if ty > 0 {
            unsafe inputs.source.read(x, y + 1, count: count + 1, scratch: scratch, into: lower)
            for i in 0..<4 * (count + 1) { unsafe upper[i] += (lower[i] - upper[i]) * ty }
        }
        for i in 0..<4 * count { unsafe out[i] = upper[i] + (upper[i + 4] - upper[i]) * tx }
    }

    private static func shade(_ pixels: UnsafeMutablePointer<Float>, _ factors: UnsafePointer<Float>, _ count: Int) {
        unsafe pixels.withMemoryRebound(to: SIMD4<Float>.self, capacity: count) { pixels in
            for i in 0..<count {
                let factor = unsafe factors[i]
                unsafe pixels[i] *= SIMD4(factor, factor, factor, 1)
            }
        }
    }

    private func mix(_ out: UnsafeMutablePointer<Float>, _ page: UnsafeMutablePointer<Float>, _ block: TransitionBlock)
    {
        let count = block.count
        let weights = unsafe block[.page]
        let hidden = unsafe hasOwnHidden(block.parts) ? block[.hidden] : weights
        unsafe out.withMemoryRebound(to: SIMD4<Float>.self, capacity: count) { out in
            unsafe page.withMemoryRebound(to: SIMD4<Float>.self, capacity: count) { page in
                for i in 0..<count { unsafe out[i] = out[i] * (1 - hidden[i]) + page[i] * weights[i] }
            }
        }
        if block.parts.contains(.second) { unsafe addSecond(out, page, block) }
    }

    private func addSecond(
        _ out: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, _ block: TransitionBlock
    ) {
        let weights = unsafe block[.second]
        for run in block.secondRuns {
            let first = run.pixels.lowerBound
            unsafe read(run, into: second)
            unsafe out.withMemoryRebound(to: SIMD4<Float>.self, capacity: block.count) { out in
                unsafe second.withMemoryRebound(to: SIMD4<Float>.self, capacity: run.pixels.count) { second in
                    for i in run.pixels { unsafe out[i] += second[i - first] * weights[i] }
                }
            }
        }
    }

    /// Draws the back of the page: the backside image, or the source as seen through paper.
    private func drawBack(
        _ out: UnsafeMutablePointer<Float>, _ back: UnsafeMutablePointer<Float>, _ block: TransitionBlock
    ) {
        let (count, size) = (block.count, inputs.source.extent)
        let (xs, ys, weights) = unsafe (block[.backX], block[.backY], block[.back])
        guard !block.isFilled(.back, with: 0), let source = inputs.sourceSamples else { return }
        if let backside = inputs.backside {
            let (width, height) = (Float(size.width), Float(size.height))
            let (scaleX, scaleY) = (Float(backside.width) / width, Float(backside.height) / height)
            for i in 0..<count {
                // The page may be larger than the source. It has no back there.
                unsafe weights[i] *= coverage(xs[i], ys[i], width: width, height: height)
                unsafe xs[i] = limited(xs[i] * scaleX, 0.5, Float(backside.width) - 0.5)
                unsafe ys[i] = limited(ys[i] * scaleY, 0.5, Float(backside.height) - 0.5)
            }
            unsafe backside.read(xs, ys, count: count, into: back)
        } else {
            unsafe source.read(xs, ys, count: count, into: back)
        }
        unsafe addSheen(back, block, paper: inputs.backside == nil ? Float(PageCurl.paper) : 0)
        unsafe draw(back, over: out, weights, count)
    }

    /// Adds the white of paper to the back of a page, then its brightness and its sheen.
    private func addSheen(_ back: UnsafeMutablePointer<Float>, _ block: TransitionBlock, paper: Float) {
        let (shades, whites) = unsafe (block[.backShade], block[.backWhite])
        unsafe back.withMemoryRebound(to: SIMD4<Float>.self, capacity: block.count) { back in
            for i in 0..<block.count {
                let (pixel, shade) = unsafe (back[i], shades[i])
                var color = unsafe pixel * (shade * (1 - paper)) + pixel.w * (shade * paper + whites[i])
                color.w = pixel.w
                unsafe back[i] = color
            }
        }
    }

    private func drawShading(
        _ out: UnsafeMutablePointer<Float>, _ light: UnsafeMutablePointer<Float>, _ block: TransitionBlock
    ) {
        guard let shading = inputs.shading else { return }
        let (xs, ys) = unsafe (block[.shadingX], block[.shadingY])
        let (width, height) = (Float(shading.width), Float(shading.height))
        for i in 0..<block.count {
            unsafe xs[i] = limited(xs[i] * width, 0.5, width - 0.5)
            unsafe ys[i] = limited(ys[i] * height, 0.5, height - 0.5)
        }
        unsafe shading.read(xs, ys, count: block.count, into: light)
        unsafe draw(light, over: out, block[.shading], block.count)
    }

    private func drawLight(_ out: UnsafeMutablePointer<Float>, _ block: TransitionBlock) {
        let weights = unsafe block[.light]
        let (color, alpha) = (color, color.w / maximum)
        unsafe out.withMemoryRebound(to: SIMD4<Float>.self, capacity: block.count) { out in
            for i in 0..<block.count {
                let weight = unsafe weights[i]
                unsafe out[i] = out[i] * (1 - weight * alpha) + color * weight
            }
        }
    }

    /// Adds light, clipped at opaque white: see ``Flash``. The channels are apart, because this is twice as fast as comparing
    /// vectors of four.
    private func addLight(_ out: UnsafeMutablePointer<Float>, _ block: TransitionBlock) {
        let gains = unsafe block[.light]
        let (color, alpha, maximum) = (color, color.w / maximum, maximum)
        /// Adds light to a channel that has room for it up to the alpha.
        @inline(__always) func add(_ light: Float, to channel: inout Float, _ alpha: Float) {
            let room = alpha - channel
            let added = light < room ? light : room
            channel += added > 0 ? added : 0
        }
        for i in 0..<block.count {
            let (gain, old) = unsafe (gains[i], out[4 * i + 3])
            let new = old + (maximum - old) * unit(gain * alpha)
            unsafe add(color.x * gain, to: &out[4 * i], new)
            unsafe add(color.y * gain, to: &out[4 * i + 1], new)
            unsafe add(color.z * gain, to: &out[4 * i + 2], new)
            unsafe out[4 * i + 3] = new
        }
    }

    /// Draws premultiplied pixels over others, each with a weight.
    private func draw(
        _ pixels: UnsafeMutablePointer<Float>, over out: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>,
        _ count: Int
    ) {
        let scale = 1 / maximum
        unsafe pixels.withMemoryRebound(to: SIMD4<Float>.self, capacity: count) { pixels in
            unsafe out.withMemoryRebound(to: SIMD4<Float>.self, capacity: count) { out in
                for i in 0..<count {
                    let (pixel, weight) = unsafe (pixels[i], weights[i])
                    unsafe out[i] = out[i] * (1 - weight * (pixel.w * scale)) + pixel * weight
                }
            }
        }
    }
}
