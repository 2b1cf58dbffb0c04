import CFrostKernels
import FrostCore
import Glibc

/// Masks and rounded rectangles as rows of parts 0...1, for columns that are chosen in advance.
struct CoverageRows {
    private let columns: Range<Int>
    private let extent: Rect
    private let clip: [RoundedRect]
    private let mask: Mask?
    private let image: StretchedMask?
    private let kernels: KernelSet

    /// - Parameter extent: what the mask is stretched over.
    init(
        mask: Mask?, clip: [RoundedRect] = [], columns: Range<Int>, extent: Rect, image: MaskImage?,
        kernels: KernelSet = .best
    ) {
        self.columns = columns
        self.extent = extent
        self.clip = clip
        self.mask = mask
        self.kernels = kernels
        self.image =
            mask == .image
            ? image.map { StretchedMask($0.fitted(to: extent), columns: columns, extent: extent) } : nil
    }

    /// The parts of some columns of a row, counted from the first, that lie within the clipping rectangles.
    ///
    /// - Returns: 0 or 1 if all parts have this value; the parts are then not filled in.
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

    /// The mask's part if it is 0 or 1 along the whole row; nil otherwise, and if a quick test cannot tell.
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
    /// - Returns: 0 or 1 if all parts have this value; the parts are then not filled in.
    func mask(_ y: Int, _ part: Range<Int>, into parts: inout [Float]) -> Float? {
        guard let mask else { return 1 }
        switch mask {
        case .band:
            let value = Float(mask.value(x: 0, y: y, extent: extent, image: nil))
            if value == 0 || value == 1 { return value }
            unsafe parts.withUnsafeMutableBufferPointer { unsafe $0.extracting(part).update(repeating: value) }
        case .ramp(let ramp):
            let line = ramp.line(width: Double(extent.width), height: Double(extent.height))
            let place = Double(y - extent.y) + 0.5
            for i in part {
                parts[i] = Float(line.value(x: Double(columns.lowerBound - extent.x + i) + 0.5, y: place))
            }
        case .circle(let circle):
            let wanted = columns.lowerBound + part.lowerBound..<columns.lowerBound + part.upperBound
            if let value = circle.uniform(wanted, y, extent: extent) { return value }
            circle.fill(&parts, part, from: columns.lowerBound, y, extent: extent, kernels)
        case .image:
            guard let image else { return 0 }
            if let value = image.fill(&parts, part, y) { return value }
        }
        return nil
    }
}

extension Mask.Circle {
    /// The same as `Mask.value` with distances in floats. Their error is 1e-7 of the width; a mask's border has at
    /// least 1e-3 of it.
    ///
    /// - Parameter first: the column of the first of the parts.
    fileprivate func fill(
        _ parts: inout [Float], _ part: Range<Int>, from first: Int, _ y: Int, extent: Rect, _ kernels: KernelSet
    ) {
        let width = Double(extent.width)
        let dy = (Double(y - extent.y) + 0.5 - centerY * Double(extent.height)) / width
        guard border > 0 else {
            for i in part {
                let dx = (Double(first + i - extent.x) + 0.5) / width - centerX
                parts[i] = (dx * dx + dy * dy).squareRoot() < radius ? 0 : 1
            }
            return
        }
        unsafe parts.withUnsafeMutableBufferPointer { parts in
            guard let base = parts.baseAddress else { return }
            // Counted from the extent, so that a pixel's part is the same in every region.
            unsafe kernels.table.pointee.circle_parts(
                base + part.lowerBound, Int32(clamping: first + part.lowerBound - extent.x), Int32(part.count),
                Float(0.5 / width - centerX), Float(1 / width), Float(dy * dy), Float(radius - border),
                Float(1 / border))
        }
    }

    /// The mask's part at all of these pixels; nil if it changes, or may change within the rounding errors.
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

extension [Float] {
    /// How far the elements from the first of a range on are a value, or are another.
    func end(_ range: Range<Int>, of value: Float, _ isEqual: Bool) -> Int {
        unsafe withUnsafeBytes { bytes in
            var i = range.lowerBound
            // Parts are compared in groups first, because neighbours mostly agree.
            while i + 16 <= range.upperBound {
                let group = unsafe bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD16<Float>.self)
                let equals = group .== value
                guard isEqual ? all(equals) : !any(equals) else { break }
                i += 16
            }
            while i < range.upperBound {
                let element = unsafe bytes.loadUnaligned(fromByteOffset: 4 * i, as: Float.self)
                guard (element == value) == isEqual else { break }
                i += 1
            }
            return i
        }
    }
}
