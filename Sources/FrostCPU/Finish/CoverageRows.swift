import FrostCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Masks and rounded rectangles as rows of parts 0...1, for columns that are settled in advance.
struct CoverageRows {
    private let columns: Range<Int>
    private let extent: Rect
    private let clip: [RoundedRect]
    private let mask: Mask?
    private let image: MaskImage?
    /// For a mask image: between which two of its columns each column lies, and where.
    private let between: [(left: Int, right: Int, t: Float)]

    init(mask: Mask?, clip: [RoundedRect] = [], columns: Range<Int>, extent: Rect, image: MaskImage?) {
        self.columns = columns
        self.extent = extent
        self.image = image
        self.clip = clip
        self.mask = mask
        if mask == .image, let image {
            between = columns.map { x in
                let place = image.columns(at: (Double(x - extent.x) + 0.5) / Double(extent.width))
                return (place.low, place.high, Float(place.t))
            }
        } else {
            between = []
        }
    }

    /// The parts that the clipping rectangles leave of a row. There may be more room than columns.
    func clip(_ y: Int, into parts: inout [Float]) {
        for i in parts.indices { parts[i] = 0 }
        for rect in clip where rect.bounds.rows.contains(y) {
            // Between the corners, and away from the outermost rows, columns within are whole.
            let isStraight =
                Double(y) >= rect.y + rect.radius && Double(y + 1) <= rect.y + rect.height - rect.radius
            let from = Int(rect.x.rounded(.up))
            let inner = from..<max(from, Int((rect.x + rect.width).rounded(.down)))
            for x in rect.bounds.columns.clamped(to: columns) {
                let part = isStraight && inner.contains(x) ? 1 : Float(rect.coverage(x, y))
                parts[x - columns.lowerBound] = min(1, parts[x - columns.lowerBound] + part)
            }
        }
    }

    /// The mask's parts of a row.
    func mask(_ y: Int, into parts: inout [Float]) {
        guard let mask else { return }
        switch mask {
        case .band:
            let part = Float(mask.value(x: 0, y: y, extent: extent, image: nil))
            for i in parts.indices { parts[i] = part }
        case .ramp(let ramp):
            let line = ramp.line(width: Double(extent.width), height: Double(extent.height))
            let place = Double(y - extent.y) + 0.5
            for i in parts.indices {
                parts[i] = Float(line.value(x: Double(columns.lowerBound - extent.x + i) + 0.5, y: place))
            }
        case .circle:
            for (i, x) in columns.enumerated() {
                parts[i] = Float(mask.value(x: x, y: y, extent: extent, image: nil))
            }
        case .image:
            guard let image else { return }
            let rows = image.rows(at: (Double(y - extent.y) + 0.5) / Double(extent.height))
            let (above, below, ty) = (rows.low * image.width, rows.high * image.width, Float(rows.t))
            for (i, place) in between.enumerated() {
                let left = image.values[above + place.left]
                let right = image.values[above + place.right]
                let upper = left + (right - left) * place.t
                let leftBelow = image.values[below + place.left]
                let rightBelow = image.values[below + place.right]
                let lower = leftBelow + (rightBelow - leftBelow) * place.t
                parts[i] = upper + (lower - upper) * ty
            }
        }
    }
}
