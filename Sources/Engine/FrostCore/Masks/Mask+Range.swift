extension Mask {
    /// Returns the range of the mask's values on a rectangle. The rectangle is first enlarged by one pixel on each
    /// side, so that it also contains positions that a backend has rounded.
    ///
    /// - Parameter image: the mask's picture, if the mask is ``image``. Without the picture, the range is 0...1.
    func range(over rect: Rect, extent: Rect, image: MaskImage?) -> ClosedRange<Double> {
        let (left, right) = (Double(rect.x - extent.x - 1), Double(rect.x - extent.x + rect.width + 1))
        let (top, bottom) = (Double(rect.y - extent.y - 1), Double(rect.y - extent.y + rect.height + 1))
        let (width, height) = (Double(extent.width), Double(extent.height))
        switch self {
        case .image:
            guard let image else { return 0...1 }
            // Outside the extent the mask has the value of the nearest pixel. If the image is reduced, this is the mean of
            // all mask pixels within that pixel.
            return image.range(
                x: min(left, width - 1) / width...max(right, 1) / width,
                y: min(top, height - 1) / height...max(bottom, 1) / height)
        case .band(let band):
            let (from, to) = (top / height, bottom / height)
            let falling = 1 - Self.smoothstep(band.top - band.falloff, band.top, to)
            let fallen = 1 - Self.smoothstep(band.top - band.falloff, band.top, from)
            let rising = Self.smoothstep(band.bottom, band.bottom + band.falloff, from)
            let risen = Self.smoothstep(band.bottom, band.bottom + band.falloff, to)
            return Self.range(falling + rising, fallen + risen)
        case .circle(let circle):
            let (x, y) = (circle.centerX * width, circle.centerY * height)
            func distances(_ low: Double, _ high: Double, _ center: Double) -> (near: Double, far: Double) {
                (max(low - center, center - high, 0), max(abs(low - center), abs(high - center)))
            }
            let (dx, dy) = (distances(left, right, x), distances(top, bottom, y))
            func value(_ dx: Double, _ dy: Double) -> Double {
                Self.smoothstep(
                    circle.radius - circle.border, circle.radius, (dx * dx + dy * dy).squareRoot() / width)
            }
            return Self.range(value(dx.near, dy.near), value(dx.far, dy.far))
        case .ramp(let ramp):
            let line = ramp.line(width: width, height: height)
            return line.range(x: (left, right), y: (top, bottom))
        }
    }

    /// Returns the range from `low` to `high`. If one of the shape's numbers is NaN, the comparison of `low` and `high`
    /// fails. Every value is then possible, so the result is 0...1.
    static func range(_ low: Double, _ high: Double) -> ClosedRange<Double> {
        low <= high ? low...high : 0...1
    }
}

extension MaskImage {
    /// Returns the range of the values of all mask pixels that interpolation reads within a rectangle. The rectangle is
    /// given in fractions of the width and the height.
    fileprivate func range(x: ClosedRange<Double>, y: ClosedRange<Double>) -> ClosedRange<Double> {
        let (left, right) = (columns(at: x.lowerBound).low, columns(at: x.upperBound).high)
        let (top, bottom) = (rows(at: y.lowerBound).low, rows(at: y.upperBound).high)
        var (low, high) = (SIMD16<Float>(repeating: 1), SIMD16<Float>())
        // SAFETY: the rows and columns lie within the mask image.
        unsafe values.withUnsafeBytes { values in
            for row in top...bottom {
                let (first, end) = (row * width + left, row * width + right + 1)
                for i in stride(from: first, to: end, by: 16) {
                    // The last group overlaps the one before it.
                    let start = max(min(i, end - 16), first)
                    if end - start >= 16 {
                        let group = unsafe values.loadUnaligned(fromByteOffset: 4 * start, as: SIMD16<Float>.self)
                        low.replace(with: group, where: group .< low)
                        high.replace(with: group, where: group .> high)
                    } else {
                        for j in start..<end {
                            let value = unsafe values.loadUnaligned(fromByteOffset: 4 * j, as: Float.self)
                            low[0] = min(low[0], value)
                            high[0] = max(high[0], value)
                        }
                    }
                }
            }
        }
        return Double(low.min())...Double(max(low.min(), high.max()))
    }
}
