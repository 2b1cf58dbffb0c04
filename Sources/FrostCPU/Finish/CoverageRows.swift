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

    /// - Parameter extent: what the mask is stretched over.
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

    /// The parts that the clipping rectangles leave of some columns of a row, counted from the first.
    ///
    /// - Returns: 0 or 1 where it is that for all of them, which are then not filled in.
    func clip(_ y: Int, _ part: Range<Int>, into parts: inout [Float]) -> Float? {
        guard !clip.isEmpty else { return 1 }
        let wanted = columns.lowerBound + part.lowerBound..<columns.lowerBound + part.upperBound
        var isTouched = false
        for rect in clip where rect.bounds.rows.contains(y) && rect.bounds.columns.overlaps(wanted) {
            let inner = rect.wholeColumns(y)
            if inner.lowerBound <= wanted.lowerBound, inner.upperBound >= wanted.upperBound { return 1 }
            if !isTouched { for i in part { parts[i] = 0 } }
            isTouched = true
            for x in rect.bounds.columns.clamped(to: wanted) {
                let share = inner.contains(x) ? 1 : Float(rect.coverage(x, y))
                parts[x - columns.lowerBound] = min(1, parts[x - columns.lowerBound] + share)
            }
        }
        return isTouched ? nil : 0
    }

    /// The mask's part where it is 0 or 1 along the whole row, as far as that is quick to see.
    func mask(_ y: Int) -> Float? {
        switch mask {
        case .band?:
            let value = Float(mask?.value(x: 0, y: y, extent: extent, image: nil) ?? 1)
            return value == 0 || value == 1 ? value : nil
        case .circle(let circle)?: return circle.uniform(columns, y, extent: extent)
        case .ramp?, .image?, nil: return nil
        }
    }

    /// The mask's parts of some columns of a row, counted from the first.
    ///
    /// - Returns: 0 or 1 where it is that for all of them, which are then not filled in.
    func mask(_ y: Int, _ part: Range<Int>, into parts: inout [Float]) -> Float? {
        guard let mask else { return 1 }
        switch mask {
        case .band:
            let value = Float(mask.value(x: 0, y: y, extent: extent, image: nil))
            if value == 0 || value == 1 { return value }
            for i in part { parts[i] = value }
        case .ramp(let ramp):
            let line = ramp.line(width: Double(extent.width), height: Double(extent.height))
            let place = Double(y - extent.y) + 0.5
            for i in part {
                parts[i] = Float(line.value(x: Double(columns.lowerBound - extent.x + i) + 0.5, y: place))
            }
        case .circle(let circle):
            let wanted = columns.lowerBound + part.lowerBound..<columns.lowerBound + part.upperBound
            if let value = circle.uniform(wanted, y, extent: extent) { return value }
            circle.fill(&parts, part, from: columns.lowerBound, y, extent: extent)
        case .image:
            guard let image else { return 0 }
            let rows = image.rows(at: (Double(y - extent.y) + 0.5) / Double(extent.height))
            let (above, below, ty) = (rows.low * image.width, rows.high * image.width, Float(rows.t))
            var (low, high) = (Float(1), Float(0))
            for i in part {
                let place = between[i]
                let left = image.values[above + place.left]
                let right = image.values[above + place.right]
                let upper = left + (right - left) * place.t
                let leftBelow = image.values[below + place.left]
                let rightBelow = image.values[below + place.right]
                let lower = leftBelow + (rightBelow - leftBelow) * place.t
                let value = upper + (lower - upper) * ty
                parts[i] = value
                (low, high) = (min(low, value), max(high, value))
            }
            if high == 0 || low == 1 { return low }
        }
        return nil
    }
}

extension Mask.Circle {
    /// As `Mask.value`, in a loop that compilers make vectors of.
    ///
    /// - Parameter first: the column of the first of the parts.
    fileprivate func fill(
        _ parts: inout [Float], _ part: Range<Int>, from first: Int, _ y: Int, extent: Rect
    ) {
        let width = Double(extent.width)
        let dy = (Double(y - extent.y) + 0.5 - centerY * Double(extent.height)) / width
        let (low, scale) = (radius - border, 1 / border)
        guard border > 0 else {
            for i in part {
                let dx = (Double(first + i - extent.x) + 0.5) / width - centerX
                parts[i] = (dx * dx + dy * dy).squareRoot() < radius ? 0 : 1
            }
            return
        }
        // Distances in floats: off by 1e-7 of the width, where a step of the mask is at least 1e-3 of its border. Counted
        // from the extent, for a pixel's part to be the same in every region.
        let start = Float(0.5 / width - centerX)
        let (step, square) = (Float(1 / width), Float(dy * dy))
        let (lowest, slope) = (Float(low), Float(scale))
        // SAFETY: the columns are some of the parts'.
        unsafe parts.withUnsafeMutableBufferPointer { parts in
            for i in part {
                let dx = start + Float(first + i - extent.x) * step
                var t = ((dx * dx + square).squareRoot() - lowest) * slope
                t = t > 0 ? t : 0
                t = t < 1 ? t : 1
                unsafe parts[i] = t * t * (3 - 2 * t)
            }
        }
    }

    /// What the mask is at all of these pixels; nil where it changes, or might within the roundings.
    fileprivate func uniform(_ columns: Range<Int>, _ y: Int, extent: Rect) -> Float? {
        let width = Double(extent.width)
        let dy = (Double(y - extent.y) + 0.5 - centerY * Double(extent.height)) / width
        let left = (Double(columns.lowerBound - extent.x) + 0.5) / width - centerX
        let right = (Double(columns.upperBound - extent.x) - 0.5) / width - centerX
        let near = left > 0 ? left : right < 0 ? -right : 0
        let far = max(abs(left), abs(right))
        if (near * near + dy * dy).squareRoot() > radius + 1e-9 { return 1 }
        return (far * far + dy * dy).squareRoot() < radius - border - 1e-9 ? 0 : nil
    }
}
