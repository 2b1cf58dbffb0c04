public import FrostCore

/// Evaluates the formulas of a transition in double precision. Every backend is checked against this reference. The command
/// offers it as `--backend exact`.
///
/// Uses only the value ``Transition``, never a plan, and shares no arithmetic with the other backends.
public enum ExactTransition {
    /// Computes one frame of a transition.
    ///
    /// - Parameters:
    ///   - time: 0 to 1. At 0 the result is the source, and at 1 the target.
    ///   - images: the images. Extra images that the transition does not use are ignored.
    ///   - mask: the mask of ``Disintegrate``; other transitions ignore it.
    ///   - region: the rectangle to compute, by default the canvas. Pixels outside the canvas are transparent.
    ///   - threads: the maximum number of threads, 1 to 256.
    /// - Returns: the region, in the canonical channels of the transition's output format.
    /// - Throws: ``ExactError/parameter(_:)`` for a time outside 0...1, for rectangles that are empty or too large, and for a
    ///   missing mask; ``ExactError/pixels(_:)`` if the sample types of the images differ; ``ExactError/cancelled``.
    /// - Complexity: O(pixels); for ``Disintegrate`` O(pixels * min(shadowRadius, side)).
    @unsafe public static func render(
        _ transition: Transition, at time: Double, images: TransitionImages, mask: MaskImage?, region: Rect? = nil,
        threads: Int, cancellation: Cancellation? = nil
    ) throws(ExactError) -> ExactImage {
        let scene = try unsafe ExactScene(transition, at: time, images: images, region: region)
        let region = scene.region
        let channels = try unsafe channels(of: transition, images)
        let drawing = try scene.drawing(transition.kind, mask: mask, threads: threads, cancellation: cancellation)
        let result = try SharedDoubles.array(
            count: region.width * region.height * channels.count
        ) { (result) throws(ExactError) in
            try ExactRows.forEach(region.height, threads: threads, cancellation) { row in
                for column in 0..<region.width {
                    // A pixel may take microseconds, so a whole row takes too long.
                    if column & 255 == 0, cancellation?.isCancelled == true { return }
                    let pixel = scene.pixel(region.x + column, region.y + row, drawing)
                    let place = (row * region.width + column) * channels.count
                    let order = channels.order
                    for (index, color) in order.colors.enumerated() { result.set(place + color, pixel[index]) }
                    if let alpha = order.alpha { result.set(place + alpha, pixel[3]) }
                }
            }
        }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: result)
    }

    private static func channels(
        of transition: Transition, _ images: TransitionImages
    ) throws(ExactError) -> ChannelLayout {
        let given =
            unsafe [(.backside, images.backside?.layout), (.shading, images.shading?.layout)]
            as [(Transition.ExtraImage, PixelLayout?)]
        let extraFormats = given.compactMap { transition.extraImages.contains($0) ? $1?.format : nil }
        let format = try unsafe rethrow(
            transition.outputFormat(from: images.source.layout, to: images.target.layout, extraFormats: extraFormats),
            as: ExactError.pixels)
        return format.channels.canonical
    }
}

/// The transition `dissolve`: mix(source, target, time).
struct ExactDissolve: ExactDrawing {
    let time: Double

    func mixture(x: Int, y: Int) -> ExactMixture { ExactMixture(share: 1 - time) }
}

extension ExactScene {
    fileprivate func drawing(
        _ kind: Transition.Kind, mask: MaskImage?, threads: Int, cancellation: Cancellation?
    ) throws(ExactError) -> any ExactDrawing {
        switch kind {
        case .dissolve: ExactDissolve(time: time)
        case .swipe(let swipe): ExactSwipe(swipe, self)
        case .copyMachine(let machine): ExactCopyMachine(machine, self)
        case .barsSwipe(let bars): ExactBarsSwipe(bars, self)
        case .mod(let mod): ExactMod(mod, self)
        case .disintegrate(let disintegrate):
            try ExactDisintegrate(disintegrate, self, mask: mask, threads: threads, cancellation: cancellation)
        case .ripple(let ripple): ExactRipple(ripple, self)
        case .pageCurl(let curl): ExactPageCurl(curl, self)
        case .accordionFold(let fold): ExactAccordionFold(fold, self)
        case .flash(let flash): ExactFlash(flash, self)
        }
    }

    /// Returns a pixel of the frame: premultiplied, and encoded like the images.
    fileprivate func pixel(_ x: Int, _ y: Int, _ drawing: any ExactDrawing) -> SIMD4<Double> {
        if time == 0 { return source.pixel(x, y) }
        if time == 1 { return target.pixel(x, y) }
        guard (0..<canvas.width).contains(x), (0..<canvas.height).contains(y) else { return .zero }
        let mixture = drawing.mixture(x: x, y: y)
        var rest = 1.0
        var color = SIMD4<Double>.zero
        for layer in mixture.source {
            rest -= layer.share * coverage(at: layer.place)
            if layer.share > 0 {
                color += layer.share * shaded(read(source, at: layer.place, x, y), layer.shade)
            }
        }
        if rest > 0 { color += rest * shaded(read(target, at: mixture.target, x, y), mixture.targetShade) }
        for (own, weight) in mixture.over where weight > 0 { color = color * (1 - weight * own[3]) + own * weight }
        if let light = mixture.light { color = lit(color, by: light.color * light.gain) }
        return decoding.map { $0.encode(color) } ?? color
    }

    private func shaded(_ color: SIMD4<Double>, _ shade: Double) -> SIMD4<Double> {
        color * SIMD4(shade, shade, shade, 1)
    }

    /// Adds premultiplied light to a premultiplied colour. The sum is clipped at opaque white.
    private func lit(_ color: SIMD4<Double>, by light: SIMD4<Double>) -> SIMD4<Double> {
        let alpha = color[3] + (1 - color[3]) * unit(light[3])
        var result = SIMD4(repeating: alpha)
        for channel in 0..<3 { result[channel] = color[channel] + max(0, min(light[channel], alpha - color[channel])) }
        return result
    }

    private func coverage(at place: ExactPlace) -> Double {
        switch place {
        case .here, .within: 1
        case .at(let position): canvas.coverage(at: position)
        }
    }

    private func read(_ image: ExactPicture, at place: ExactPlace, _ x: Int, _ y: Int) -> SIMD4<Double> {
        switch place {
        case .here: image.pixel(x, y)
        case .at(let position): image.sample(at: position)
        case .within(let position): image.sample(at: canvas.clamped(position))
        }
    }
}
