import FrostCore

// The colour of content for a minimum contrast is decided before planning, and the contrast is measured on the result.

extension Effect {
    /// Returns the effect with the colour of its content decided for the pixels of a region: see
    /// ``Effect/decidingContent(for:after:)``.
    func decidingContent(of source: PixelSource, extent: Rect, region: Rect) throws(FrostError) -> Effect {
        guard outputStages.automaticContrast != nil else { return self }
        let shown =
            outputStages.clip.isEmpty || outputStages.clipRule.isInverted
            ? [region] : outputStages.clip.compactMap { $0.bounds.intersection(region) }
        let rects = shown.compactMap { $0.intersection(extent)?.moved(x: -extent.x, y: -extent.y) }
        return try unsafe deciding(source.colors(at: SampleGrid(rects)))
    }

    /// Returns the effect with the colour of its content decided for some rectangles of an image.
    package func decidingContent(of image: PixelBuffer, within rects: [Rect]) throws(FrostError) -> Effect {
        guard outputStages.automaticContrast != nil else { return self }
        let grid = SampleGrid(rects.compactMap { $0.intersection(image.layout.extent) })
        return try deciding(image.colors(at: grid))
    }

    private func deciding(_ colors: [SIMD4<Float>]) throws(FrostError) -> Effect {
        try rethrow(decidingContent(for: SampleGrid.mean(of: colors, decoding)), as: FrostError.parameter)
    }

    /// Measures the contrast to the content on the result; nil if the effect guarantees none.
    ///
    /// - Parameter target: the pixels of the region.
    func reachedContrast(in target: PixelTarget, extent: Rect, region: Rect) -> ContrastReport? {
        guard let floor = contrast else { return nil }
        var report = ContrastReport(content: floor.content, minimum: floor.minimum)
        guard outputStages.opacity == 1 else { return report }
        let layers = outputStages.content.compactMap { PlacedContent($0, extent: extent, region: region) }
        let source = unsafe PixelSource(target.base, layout: target.layout)
        let area = outputStages.clip.isEmpty ? nil : outputStages.clipArea
        unsafe report.measure(source, at: (region.x, region.y)) { y in
            let drawn = layers.filter { $0.window.rows.contains(y) }.map { ($0.window.columns, $0.row(y)) }
            let area = area?.near(region.columns, row: y)
            if area == nil, drawn.isEmpty { return nil }
            return { x in
                area?.coverage(x, y) ?? 1 >= 1
                    && drawn.allSatisfy { !$0.contains(x) || $1[x - $0.lowerBound][3] == 0 }
            }
        }
        return report
    }
}

extension ContrastReport {
    /// Measures the contrast of the opaque pixels of an image.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - content: the colour of the content, encoded as sRGB.
    ///   - minimum: the contrast that is wanted.
    ///   - rects: shapes; only the pixels that they cover completely count. Without shapes, all pixels count.
    ///   - rule: how the shapes cover pixels.
    public init(
        of image: PixelBuffer, content: Color, minimum: Double, within rects: [RoundedRect] = [],
        rule: ClipRule = ClipRule()
    ) {
        self.init(content: content, minimum: minimum)
        let area = rects.isEmpty ? nil : ClipArea(rects, join: 0, rule: rule)
        // SAFETY: the buffer has all bytes of its layout.
        unsafe image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe measure(PixelSource(base, layout: image.layout), at: (0, 0)) { y in
                area.map { area in
                    let near = area.near(0..<image.width, row: y)
                    return { x in near.coverage(x, y) >= 1 }
                }
            }
        }
    }

    /// Sets ``smallest`` and ``place``.
    ///
    /// - Parameters:
    ///   - origin: the place of the first pixel.
    ///   - counts: returns for a row which of its columns count; nil if all do.
    fileprivate mutating func measure(
        _ pixels: PixelSource, at origin: (x: Int, y: Int), counts: (_ y: Int) -> ((_ x: Int) -> Bool)?
    ) {
        let content = ContrastFloor.luminance(content)
        let reader = unsafe LuminanceReader(pixels)
        // Contrast grows with the distance of luminances on each side, so only the nearest pixel of each side counts.
        var below: (luminance: Double, place: Place)?
        var above: (luminance: Double, place: Place)?
        let height = unsafe pixels.layout.height
        for y in 0..<height {
            let counts = counts(origin.y + y)
            for (x, luminance) in reader.row(y).enumerated() where luminance >= 0 {
                let isNearer =
                    luminance < content
                    ? luminance > below?.luminance ?? -1 : luminance < above?.luminance ?? .infinity
                guard isNearer, counts?(origin.x + x) ?? true else { continue }
                let found = (luminance, Place(x: origin.x + x, y: origin.y + y))
                if luminance < content { below = found } else { above = found }
            }
        }
        for side in [below, above] {
            guard let side else { continue }
            let contrast = ContrastFloor.contrast(side.luminance, content)
            if contrast < smallest ?? .infinity { (smallest, place) = (contrast, side.place) }
        }
    }

    /// Adds the report of another part of the same image, whose content has the same colour.
    mutating func add(_ other: ContrastReport) {
        guard let reached = other.smallest, reached < smallest ?? .infinity else { return }
        (smallest, place) = (reached, other.place)
    }

    /// Moves the place.
    mutating func move(x: Int, y: Int) { place = place.map { Place(x: $0.x + x, y: $0.y + y) } }
}

/// Reads the luminances of pixels. The light of 8-bit codes comes from tables.
///
/// SAFETY: the memory of the pixels outlives the value, which is used only within a call.
@safe private struct LuminanceReader {
    private let pixels: PixelSource
    private let tables: [[Double]]

    init(_ pixels: PixelSource) {
        unsafe self.pixels = unsafe pixels
        let weights = ContrastFloor.weights
        tables = [weights.red, weights.green, weights.blue].map { weight in
            (0...255).map { weight * ContrastFloor.curve.decode(Double($0) / 255) }
        }
    }

    /// Returns the luminance of each pixel of a row; -1 for pixels that are not opaque.
    func row(_ y: Int) -> [Double] {
        let layout = unsafe pixels.layout
        guard layout.format.sample == .u8 else { return unsafe slow(SampleRows(pixels).expanded(to: .rgba)[y]) }
        let (order, count) = (layout.format.channels.order, layout.format.channels.count)
        let (red, green, blue, alpha) = (order.red, order.green, order.blue, order.alpha)
        let (reds, greens, blues) = (tables[0], tables[1], tables[2])
        let bytes = unsafe pixels.row(y)
        return (0..<layout.width).map { x in
            func code(_ place: Int) -> Int { Int(unsafe bytes.load(fromByteOffset: x * count + place, as: UInt8.self)) }
            if let alpha, code(alpha) < 255 { return -1 }
            return reds[code(red)] + greens[code(green)] + blues[code(blue)]
        }
    }

    private func slow(_ row: [Double]) -> [Double] {
        stride(from: 0, to: row.count, by: 4).map { (at: Int) -> Double in
            guard row[at + 3] >= 1 else { return -1 }
            return ContrastFloor.luminance(SIMD4(row[at], row[at + 1], row[at + 2], 1))
        }
    }
}
