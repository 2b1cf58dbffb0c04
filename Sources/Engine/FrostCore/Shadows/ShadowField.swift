/// The shadow of some shapes below a result, pixel by pixel.
package struct ShadowField: Sendable {
    /// The premultiplied colour.
    package let color: SIMD4<Double>
    private let area: ClipArea
    private let opacity: Double
    private let shadows: [(bounds: Rect, blur: OutlineBlur)]
    /// The pixels that the shadows can darken, within a region.
    package let bounds: Rect

    /// Creates the shadow of shapes with an opacity.
    ///
    /// - Parameter area: what the result above the shadow covers.
    /// - Returns: nil if no pixel of the region can have a shadow.
    package init?(_ shadow: DropShadow, of clip: [RoundedRect], under area: ClipArea, opacity: Double, in region: Rect)
    {
        guard !shadow.isIdentity, opacity > 0 else { return nil }
        shadows = clip.compactMap { shape in
            shadow.bounds(of: shape).intersection(region).map {
                ($0, OutlineBlur(shape, sigma: shadow.sigma, offset: shadow.offset, over: $0))
            }
        }
        guard let first = shadows.first else { return nil }
        bounds = shadows.dropFirst().reduce(first.bounds) { $0.hull($1.bounds) }
        color = shadow.premultiplied
        self.area = area
        self.opacity = opacity
    }

    /// Returns q, the part of the shadow's colour that is drawn over the original, for pixels of a row.
    package func parts(_ y: Int, _ columns: Range<Int>) -> [Double] {
        var parts = [Double](repeating: 0, count: columns.count)
        for (bounds, blur) in shadows where bounds.rows.contains(y) {
            blur.add(y, bounds.columns.clamped(to: columns), to: &parts, from: columns.lowerBound)
        }
        let near = area.near(columns, row: y)
        for (index, x) in columns.enumerated() where parts[index] > 0 {
            let covered = near.coverage(x, y)
            let left = 1 - opacity * covered
            let part = left > 0 ? opacity * min(parts[index], 1) * (1 - covered) / left : 0
            parts[index] = part < DropShadow.leastPart ? 0 : part
        }
        return parts
    }

    /// Returns a pixel of the original below its shadow.
    package func drawn(_ part: Double, over color: SIMD4<Double>) -> SIMD4<Double> {
        color + (self.color - color * self.color.w) * part
    }
}
