public import FrostCore

/// Evaluates the definition of an effect in double precision: the exact blur, followed by the stages that the
/// documentation of ``OutputStages`` defines. Dither is part of rounding and therefore not part of the definition.
public enum ExactEffect {
    /// Applies an effect to `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameters:
    ///   - mask: the mask image, if the effect's mask is an image.
    ///   - threads: the maximum number of threads, 1 to 256.
    /// - Throws: ``ExactError``, for example ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not
    ///   have the size of the extent.
    @unsafe public static func render(
        _ effect: Effect, source: PixelSource, extent: Rect, region: Rect, mask: MaskImage? = nil, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(ExactError) -> ExactImage {
        let image: ExactImage
        var outputStages = effect.outputStages
        if let mosaic = effect.blur as? Mosaic { outputStages.numberCells(within: mosaic.cells(in: extent)) }
        if let decoding = effect.decoding {
            outputStages.inside.insert(.encode(decoding), at: 0)
            let light = try unsafe inLight(source, decoding, threads: threads, cancellation: cancellation)
            image = try unsafe light.withUnsafeBytes { (bytes) throws(ExactError) in
                guard let base = bytes.baseAddress else { throw .pixels(.tooFewBytes(have: 0, need: 1)) }
                return try unsafe blurred(
                    effect, source: PixelSource(base, layout: light.layout), extent: extent, region: region,
                    mask: mask, threads: threads, cancellation: cancellation)
            }
        } else {
            image = try unsafe blurred(
                effect, source: source, extent: extent, region: region, mask: mask, threads: threads,
                cancellation: cancellation)
        }
        guard !outputStages.isEmpty else { return image }
        // SAFETY: the threads only read the source's memory, and only during this call.
        nonisolated(unsafe) let original = unsafe SampleRows(source)
        let format = unsafe effect.outputFormat(for: source.layout.format)
        let channels = format.channels.canonical
        let mask = mask?.fitted(to: effect.maskBounds ?? extent)
        let layers = effect.outputStages.content.compactMap { PlacedContent($0, extent: extent, region: region) }
        let stages = outputStages
        let edges = try stages.edge.map { (light) throws(ExactError) in
            EdgeField(
                light,
                along: try rethrow(stages.lensShapes(in: effect.maskBounds ?? extent), as: ExactError.parameter),
                join: stages.join)
        }
        let (shadow, area) = (stages.shadowField(in: region), stages.clip.isEmpty ? nil : stages.clipArea)
        let values = try ExactRows.values(
            rows: region.height, samples: region.width * channels.count, threads: threads, cancellation
        ) { line in
            let y = region.y + line
            let area = area?.near(region.columns, row: y)
            let shadows = shadow.map { ($0, $0.parts(y, region.columns)) }
            let blurred = image.rows.pixels(line)
            let row = stages.readsOriginal ? effect.edge.map(y, into: extent.rows) : nil
            let pixels = row.map { unsafe original.pixels($0 - extent.y) } ?? []
            let content = layers.filter { $0.window.rows.contains(y) }.map { ($0, $0.exactRow(y)) }
            var values: [Double] = []
            values.reserveCapacity(region.width * channels.count)
            for x in region.columns {
                // The stages of a pixel may take microseconds, so a whole row takes too long.
                if x & 255 == 0, cancellation?.isCancelled == true {
                    return [Double](repeating: 0, count: region.width * channels.count)
                }
                let column = pixels.isEmpty ? nil : effect.edge.map(x, into: extent.columns)
                let lit = edges.map { edges in { EdgeLight.apply(edges.amounts(x, y), to: $0) } }
                let original = column.map { pixels[$0 - extent.x] } ?? .zero
                let color = stages.apply(
                    to: blurred[x - region.x], over: original, x: x, y: y, extent: effect.maskBounds ?? extent,
                    mask: mask, light: lit, covered: area?.coverage(x, y) ?? 1,
                    below: shadows.map { field, parts in field.drawn(parts[x - region.x], over: original) } ?? original,
                    extendsLight: format.sample.isFloat
                ) { color in
                    content.reduce(color) { below, layer in
                        let (placed, row) = layer
                        let columns = placed.window.columns
                        guard columns.contains(x) else { return below }
                        return placed.layer.draw(row[x - columns.lowerBound], over: below)
                    }
                }
                switch channels {
                case .grey: values.append(color[0])
                case .greyAlpha: values += [color[0], color[3]]
                case .rgb: values += [color[0], color[1], color[2]]
                case .rgba, .bgra: values += [color[0], color[1], color[2], color[3]]
                }
            }
            return values
        }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: values)
    }

    /// Decodes an image to linear light, as floats. The relative error of a float is 2^-24; encoding the result later
    /// makes the error smaller.
    private static func inLight(
        _ source: PixelSource, _ decoding: TransferFunction, threads: Int, cancellation: Cancellation?
    ) throws(ExactError) -> PixelBuffer {
        let (layout, channels) = unsafe (source.layout, source.layout.format.channels.canonical)
        let (count, hasAlpha) = (channels.count, channels.hasAlpha)
        let colors = hasAlpha ? count - 1 : count
        // SAFETY: the threads only read the source's memory, and only during this call.
        nonisolated(unsafe) let rows = unsafe SampleRows(source)
        let values = try ExactRows.values(
            rows: layout.height, samples: layout.width * count, threads: threads, cancellation
        ) { y in
            let row = unsafe rows[y]
            var values: [Double] = []
            values.reserveCapacity(row.count)
            for at in stride(from: 0, to: row.count, by: count) {
                let alpha = hasAlpha ? row[at + colors] : 1
                for c in 0..<colors { values.append(alpha > 0 ? decoding.decode(row[at + c] / alpha) * alpha : 0) }
                if hasAlpha { values.append(alpha) }
            }
            return values
        }
        let image = ExactImage(width: layout.width, height: layout.height, channels: channels, values: values)
        let format = PixelFormat(channels, .f32, alpha: .premultiplied)
        let target = try rethrow(
            PixelLayout(width: layout.width, height: layout.height, format: format), as: ExactError.pixels)
        return try unsafe PixelBuffer(layout: target) { (out) throws(ExactError) in
            guard let base = out.baseAddress else { return }
            try unsafe image.write(
                to: PixelTarget(base, layout: target), threads: threads, cancellation: cancellation)
        }
    }

    private static func blurred(
        _ effect: Effect, source: PixelSource, extent: Rect, region: Rect, mask: MaskImage?, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) -> ExactImage {
        guard let blur = effect.blur as? any ExactBlur else {
            throw .parameter(
                .malformed(parameter: "blur", value: "\(effect.blur)", expected: "a blur that has an exact definition"))
        }
        func image(_ region: Rect) throws(ExactError) -> ExactImage {
            try unsafe blur.exact(
                ExactRequest(
                    source: source, extent: extent, region: region, mask: mask, maskBounds: effect.maskBounds,
                    threads: threads, cancellation: cancellation))
        }
        guard let lens = effect.outputStages.lens, !lens.isIdentity else { return try image(region) }
        let shapes = try rethrow(
            effect.outputStages.lensShapes(in: effect.maskBounds ?? extent), as: ExactError.parameter)
        let sigma = (effect.blur as? GaussianBlur).map { min($0.sigmaX, $0.sigmaY) }
        return try ExactLens(
            lens, shapes, join: effect.outputStages.join, sampling: lens.sampling(sigma: sigma),
            within: extent.hull(region)
        ).render(
            region, threads: threads, cancellation, image)
    }
}

extension OutputStages {
    /// Applies the output stages to a pixel.
    ///
    /// - Parameters:
    ///   - original: the pixel of the original image at the same place.
    ///   - light: lights and shades a colour at this place.
    ///   - covered: the part of the pixel within the clip.
    ///   - below: the original with its shadow.
    ///   - extendsLight: whether light outside 0...1 continues the curve of the encoding. Otherwise it is clamped.
    ///   - content: draws the content at this place over a colour.
    fileprivate func apply(
        to color: SIMD4<Double>, over original: SIMD4<Double>, x: Int, y: Int, extent: Rect, mask image: MaskImage?,
        light: ((SIMD4<Double>) -> SIMD4<Double>)?, covered: Double, below: SIMD4<Double>,
        extendsLight: Bool, content: (SIMD4<Double>) -> SIMD4<Double>
    ) -> SIMD4<Double> {
        func apply(_ stages: some Sequence<ColorStage>, to color: SIMD4<Double>) -> SIMD4<Double> {
            stages.reduce(color) { $1.apply(to: $0, x: x, y: y) }
        }
        let count = encodingCount
        let encoded = inside.prefix(count).reduce(color) { color, stage in
            if extendsLight, case .encode(let curve) = stage { return curve.encode(color) }
            return stage.apply(to: color, x: x, y: y)
        }
        var result = apply(inside.dropFirst(count), to: encoded)
        if let mask {
            let (part, unmasked) = (
                mask.value(x: x, y: y, extent: extent, image: image), mixesBlur ? encoded : original
            )
            result = unmasked + (result - unmasked) * part
        }
        result = apply(over.prefix(countBeforeEdge), to: result)
        if let light { result = light(result) }
        result = content(apply(over.dropFirst(countBeforeEdge), to: result))
        if endsInMixture {
            result = below + (result - below) * (opacity * covered)
        }
        return result
    }
}

extension SampleRows {
    /// Returns a row as premultiplied RGBA.
    fileprivate func pixels(_ y: Int) -> [SIMD4<Double>] {
        let row = expanded(to: .rgba)[y]
        return (0..<width).map { SIMD4(row[4 * $0], row[4 * $0 + 1], row[4 * $0 + 2], row[4 * $0 + 3]) }
    }
}
