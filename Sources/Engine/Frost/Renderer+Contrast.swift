import FrostCore

// The colour of content for a minimum contrast is decided before planning, and the contrast is measured on the result.

extension Effect {
    /// Returns the effect with the colour of its content decided for the pixels of a region: see
    /// ``Effect/decidingContent(for:)``.
    func decidingContent(of source: PixelSource, extent: Rect, region: Rect) throws(FrostError) -> Effect {
        guard outputStages.automaticContrast != nil else { return self }
        // SAFETY: the rows are read only during this call.
        let rows = unsafe SampleRows(source)
        let shown =
            outputStages.clip.isEmpty ? [region] : outputStages.clip.compactMap { $0.bounds.intersection(region) }
        return try deciding(rows, origin: (extent.x, extent.y), within: shown.compactMap { $0.intersection(extent) })
    }

    /// Returns the effect with the colour of its content decided for some rectangles of an image.
    func decidingContent(of image: PixelBuffer, within rects: [Rect]) throws(FrostError) -> Effect {
        guard outputStages.automaticContrast != nil else { return self }
        return try deciding(
            SampleRows(image), origin: (0, 0), within: rects.compactMap { $0.intersection(image.layout.extent) })
    }

    private func deciding(
        _ rows: SampleRows, origin: (x: Int, y: Int), within rects: [Rect]
    ) throws(FrostError) -> Effect {
        let mean = rows.expanded(to: .rgba).mean(of: rects, origin: origin, decoding)
        return try rethrow(decidingContent(for: mean), as: FrostError.parameter)
    }

    /// Measures the contrast to the content on the result; nil if the effect guarantees none.
    ///
    /// - Parameter target: the pixels of the region.
    func reachedContrast(in target: PixelTarget, extent: Rect, region: Rect) -> ContrastReport? {
        guard let floor = contrast else { return nil }
        var report = ContrastReport(content: floor.content, minimum: floor.minimum)
        guard outputStages.opacity == 1 else { return report }
        let layers = outputStages.content.compactMap { PlacedContent($0, extent: extent, region: region) }
        let content = ContrastFloor.luminance(floor.content)
        let reader = unsafe LuminanceReader(target)
        // Contrast falls or rises with luminance, so only the extremes count.
        var (lowest, highest) = (Double.infinity, -Double.infinity)
        for y in region.rows {
            let row = reader.row(y - region.y)
            let drawn = layers.filter { $0.window.rows.contains(y) }.map { ($0.window.columns, $0.row(y)) }
            let isWhole = outputStages.clip.isEmpty && drawn.isEmpty
            for (index, luminance) in row.enumerated() where luminance >= 0 {
                let x = region.x + index
                guard
                    isWhole
                        || outputStages.covers(x, y)
                            && drawn.allSatisfy({ !$0.contains(x) || $1[x - $0.lowerBound][3] == 0 })
                else { continue }
                lowest = min(lowest, luminance)
                highest = max(highest, luminance)
            }
        }
        let extremes = lowest <= highest ? lowest...highest : nil
        report.smallest = extremes.map { extremes in
            extremes.contains(content)
                ? 1
                : min(
                    ContrastFloor.contrast(extremes.lowerBound, content),
                    ContrastFloor.contrast(extremes.upperBound, content))
        }
        return report
    }
}

extension OutputStages {
    /// Whether the result covers a pixel completely.
    fileprivate func covers(_ x: Int, _ y: Int) -> Bool {
        clip.isEmpty || clip.reduce(0) { $0 + ($1.bounds.contains(x, y) ? $1.coverage(x, y) : 0) } >= 1
    }
}

extension Rect {
    fileprivate func contains(_ x: Int, _ y: Int) -> Bool { columns.contains(x) && rows.contains(y) }
}

/// Reads the luminances of pixels. The light of 8-bit codes comes from tables.
///
/// SAFETY: the target's memory outlives the value, which is used only within a call.
@safe private struct LuminanceReader {
    private let target: PixelTarget
    private let tables: [[Double]]

    init(_ target: PixelTarget) {
        unsafe self.target = unsafe target
        let weights = ContrastFloor.weights
        tables = [weights.red, weights.green, weights.blue].map { weight in
            (0...255).map { weight * ContrastFloor.curve.decode(Double($0) / 255) }
        }
    }

    /// Returns the luminance of each pixel of a row; -1 for pixels that are not opaque.
    func row(_ y: Int) -> [Double] {
        let layout = unsafe target.layout
        let source = unsafe PixelSource(target.base, layout: layout)
        guard layout.format.sample == .u8 else { return unsafe slow(SampleRows(source).expanded(to: .rgba)[y]) }
        let (order, count) = (layout.format.channels.order, layout.format.channels.count)
        let (red, green, blue, alpha) = (order.red, order.green, order.blue, order.alpha)
        let (reds, greens, blues) = (tables[0], tables[1], tables[2])
        let bytes = unsafe source.row(y)
        return (0..<layout.width).map { x in
            func code(_ place: Int) -> Int { Int(unsafe bytes.load(fromByteOffset: x * count + place, as: UInt8.self)) }
            if let alpha, code(alpha) < 255 { return -1 }
            return reds[code(red)] + greens[code(green)] + blues[code(blue)]
        }
    }

    private func slow(_ row: [Double]) -> [Double] {
        stride(from: 0, to: row.count, by: 4).map { at in
            row[at + 3] < 1 ? -1 : ContrastFloor.luminance(SIMD4(row[at], row[at + 1], row[at + 2], 1))
        }
    }
}

extension SampleRows {
    /// Returns the mean premultiplied colour, in encoded numbers, of at most about a million pixels of some rectangles, in even
    /// steps. The rows are RGBA.
    ///
    /// - Parameters:
    ///   - origin: the position of the first pixel.
    ///   - decoding: decodes the numbers that the blur mixes; nil if they are mixed as they are.
    fileprivate func mean(of rects: [Rect], origin: (x: Int, y: Int), _ decoding: TransferFunction?) -> SIMD4<Double> {
        let area = rects.reduce(0) { $0 + $1.width * $1.height }
        let step = max(1, Int((Double(area) / 1_000_000).squareRoot().rounded(.up)))
        var (sum, count) = (SIMD4<Double>.zero, 0.0)
        for rect in rects {
            for y in stride(from: rect.y, to: rect.rows.upperBound, by: step) {
                let row = self[y - origin.y]
                for x in stride(from: rect.x, to: rect.columns.upperBound, by: step) {
                    let at = 4 * (x - origin.x)
                    let color = SIMD4(row[at], row[at + 1], row[at + 2], row[at + 3])
                    sum += decoding?.decode(color) ?? color
                    count += 1
                }
            }
        }
        guard count > 0 else { return .zero }
        return decoding?.encode(sum / count) ?? sum / count
    }
}
