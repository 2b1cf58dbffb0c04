/// The mean of copies of the image. The copies are scaled about a centre, by all factors of a range.
///
/// Let d = (dx, dy) be the vector from an output pixel to the centre. The result is the mean along the line from
/// `(1 - upper) d` to `(1 - lower) d`, relative to the output pixel. The line has one sample in each column that it
/// crosses, or in each row if it crosses more rows. Sample j lies at `j d / m` with `m = max(|dx|, |dy|)`, and is
/// interpolated between the two pixels on either side of the line. The weight of sample j is the length of the part
/// of `j - 1/2 ... j + 1/2` that lies within `(1 - upper) m ... (1 - lower) m`. A line without length has only
/// sample 0.
public struct KernelZoom: Sendable, Hashable {
    /// The centre's x coordinate in absolute pixels. The centres of pixels have whole coordinates.
    public var centerX: Double
    /// The centre's y coordinate in absolute pixels. The centres of pixels have whole coordinates.
    public var centerY: Double
    /// The range of scale factors. Factors are at least 0, and the range contains 1.
    public var scales: ClosedRange<Double>

    /// Creates a zoom from its parts.
    public init(centerX: Double, centerY: Double, scales: ClosedRange<Double>) {
        self.centerX = centerX
        self.centerY = centerY
        self.scales = scales
    }

    /// The length of the line towards the centre, as a fraction of the distance to the centre.
    public var inward: Double { 1 - scales.lowerBound }
    /// The length of the line away from the centre, as a fraction of the distance to the centre.
    public var outward: Double { scales.upperBound - 1 }
}

extension KernelZoom: KernelReads {
    package var isIdentity: Bool { scales == 1...1 }
    package var isShiftInvariant: Bool { false }

    package func reach(of samples: Range<Int>, along axis: Axis) -> Range<Int> {
        let center = axis == .x ? centerX : centerY
        let ends = [samples.lowerBound, samples.upperBound - 1].flatMap { sample in
            [scales.lowerBound, scales.upperBound].map { center + $0 * (Double(sample) - center) }
        }
        // The samples at the ends of a line may lie half a pixel further out, and each sample reads two pixels.
        let first = (ends.min() ?? 0) - 0.6
        let last = (ends.max() ?? 0) + 0.6
        return Int(first.rounded(.down))..<Int(last.rounded(.down)) + 2
    }

    package func readCount(_ region: Rect) -> Double {
        let x = max(abs(Double(region.x) - centerX), abs(Double(region.columns.upperBound) - centerX))
        let y = max(abs(Double(region.y) - centerY), abs(Double(region.rows.upperBound) - centerY))
        // The mean distance to a rectangle's centre is about half of the distance to its corner.
        return 2 * max(1, (inward + outward) * (x * x + y * y).squareRoot() / 2)
    }

    /// The error comes from the rounding of the samples' positions: a position can be as large as the length of the line,
    /// and it decides how two neighbouring pixels are mixed.
    package func error(_ region: Rect) -> Double {
        let along = [
            Double(region.x) - centerX, Double(region.columns.upperBound) - centerX,
            Double(region.y) - centerY, Double(region.rows.upperBound) - centerY,
        ].reduce(0) { max($0, abs($1)) }
        // The line's slope has a rounding error of half an ulp (unit in the last place). This error is multiplied by the
        // sample's number. The product is rounded again, by half an ulp.
        return along * max(inward, outward) * 0x1p-23
    }

    package func words(_ region: Rect) -> String {
        "of about \(Int(readCount(region).rounded())) pixels along lines to a centre"
    }

    package var json: JSONValue {
        [
            "centerX": .number(centerX, decimals: 6), "centerY": .number(centerY, decimals: 6),
            "scales": [
                .number(scales.lowerBound, decimals: 9), .number(scales.upperBound, decimals: 9),
            ],
        ]
    }
}
