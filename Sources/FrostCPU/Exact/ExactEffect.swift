public import FrostCore

/// The definition of an effect, carried out in Double: the exact blur, and ``Finish`` as its documentation has it. Dither
/// belongs to rounding, and is not part of it.
public enum ExactEffect {
    /// As ``ExactGaussian/render(_:source:extent:region:threads:cancellation:)``.
    ///
    /// - Parameter mask: for a mask that is an image.
    @unsafe public static func render(
        _ effect: Effect, source: PixelSource, extent: Rect, region: Rect, mask: MaskImage? = nil, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(CPUError) -> ExactImage {
        let image = try unsafe blurred(
            effect.kernel, source: source, extent: extent, region: region, threads: threads,
            cancellation: cancellation)
        guard !effect.finish.isEmpty else { return image }
        let original = unsafe SampleRows(source)
        let format = unsafe effect.outputFormat(for: source.layout.format)
        let channels = format.channels.canonical
        var values: [Double] = []
        values.reserveCapacity(region.width * region.height * channels.count)
        for y in region.rows {
            if cancellation?.isCancelled == true { throw .cancelled }
            let blurred = image.rows.pixels(y - region.y)
            let row = effect.finish.readsOriginal ? effect.edge.map(y, into: extent.rows) : nil
            let pixels = row.map { original.pixels($0 - extent.y) } ?? []
            for x in region.columns {
                let column = pixels.isEmpty ? nil : effect.edge.map(x, into: extent.columns)
                let color = effect.finish.apply(
                    to: blurred[x - region.x], over: column.map { pixels[$0 - extent.x] } ?? .zero, x: x, y: y,
                    extent: extent, mask: mask)
                switch channels {
                case .grey: values.append(color[0])
                case .greyAlpha: values += [color[0], color[3]]
                case .rgb: values += [color[0], color[1], color[2]]
                case .rgba, .bgra: values += [color[0], color[1], color[2], color[3]]
                }
            }
        }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: values)
    }

    private static func blurred(
        _ kernel: Effect.Kernel, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation?
    ) throws(CPUError) -> ExactImage {
        let blur: Effect.Kernel.Blur
        do throws(ParameterError) { blur = try kernel.blur(extent: extent) } catch { throw .parameter(error) }
        return switch blur {
        case .gaussian(let blur):
            try unsafe ExactGaussian.render(
                blur, source: source, extent: extent, region: region, threads: threads, cancellation: cancellation)
        case .box(let blur):
            try unsafe ExactBox.render(
                blur, source: source, extent: extent, region: region, threads: threads, cancellation: cancellation)
        }
    }
}

extension Finish {
    /// - Parameter original: the image's pixel at the place.
    fileprivate func apply(
        to color: SIMD4<Double>, over original: SIMD4<Double>, x: Int, y: Int, extent: Rect, mask image: MaskImage?
    ) -> SIMD4<Double> {
        var result = inside.reduce(color) { $1.apply(to: $0, x: x, y: y) }
        if let mask {
            let part = mask.value(x: x, y: y, extent: extent, image: image)
            result = original + (result - original) * part
        }
        result = over.reduce(result) { $1.apply(to: $0, x: x, y: y) }
        if !clip.isEmpty {
            let part = min(1, clip.reduce(0) { $0 + $1.coverage(x, y) })
            result = original + (result - original) * part
        }
        return result
    }
}

extension SampleRows {
    /// A row as premultiplied RGBA.
    fileprivate func pixels(_ y: Int) -> [SIMD4<Double>] {
        let row = expanded(to: .rgba)[y]
        return (0..<width).map { SIMD4(row[4 * $0], row[4 * $0 + 1], row[4 * $0 + 2], row[4 * $0 + 3]) }
    }
}
