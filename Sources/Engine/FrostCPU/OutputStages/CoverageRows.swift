import CFrostKernels
import FrostCore
import Glibc

/// Rows of values 0...1, over a fixed range of columns.
protocol Coverage {
    /// Computes the values in a part of a row.
    ///
    /// - Parameter part: columns, counted from the first of the range.
    /// - Returns: 0 or 1 if a quick test shows that all pixels have this value; `values` is then not filled in. Otherwise nil.
    func values(_ y: Int, _ part: Range<Int>, into values: UnsafeMutablePointer<Float>) -> Float?
}

/// How much of each pixel the result covers: the area inside clipping rectangles, times the opacity.
struct ResultRows: Coverage {
    private let clip: [RoundedRect]
    /// The area that the result covers, if the shapes are joined or covered by a rule; nil for others.
    private let area: ClipArea?
    private let opacity: Float
    private let columns: Range<Int>

    init(_ stages: OutputStages, columns: Range<Int>) {
        (clip, opacity, self.columns) = (stages.clip, Float(stages.opacity), columns)
        let isPlain = stages.clipRule.isPlain && stages.join(of: clip) == 0
        area = isPlain || clip.isEmpty ? nil : stages.clipArea
    }

    func values(_ y: Int, _ part: Range<Int>, into values: UnsafeMutablePointer<Float>) -> Float? {
        let wanted = columns.lowerBound + part.lowerBound..<columns.lowerBound + part.upperBound
        if opacity == 0 { return 0 }
        let values = unsafe values + part.lowerBound
        if let area {
            let uniform = unsafe fill(values, wanted, y, area)
            if let uniform, uniform == 0 || opacity == 1 { return uniform }
            if opacity < 1 { for i in 0..<part.count { unsafe values[i] *= opacity } }
            return nil
        }
        let touching = clip.filter { $0.bounds.rows.contains(y) && $0.bounds.columns.overlaps(wanted) }
        if touching.isEmpty && !clip.isEmpty { return 0 }
        if clip.isEmpty || touching.contains(where: { $0.wholeColumns(y).clamped(to: wanted) == wanted }) {
            if opacity == 1 { return 1 }
            unsafe values.update(repeating: opacity, count: part.count)
            return nil
        }
        unsafe values.update(repeating: 0, count: part.count)
        for rect in touching {
            let inner = rect.wholeColumns(y).clamped(to: wanted)
            let touched = rect.touchedColumns(y).clamped(to: wanted)
            unsafe (values + (inner.lowerBound - wanted.lowerBound)).update(repeating: 1, count: inner.count)
            for x in touched where !inner.contains(x) {
                let place = unsafe values + (x - wanted.lowerBound)
                unsafe place.pointee = min(1, place.pointee + Float(rect.coverage(x, y)))
            }
        }
        if opacity < 1 { for i in 0..<part.count { unsafe values[i] *= opacity } }
        return nil
    }

    /// Fills in how much of each pixel of a row is covered by an area. Returns the value, if all have the same.
    private func fill(
        _ values: UnsafeMutablePointer<Float>, _ wanted: Range<Int>, _ y: Int, _ area: ClipArea
    ) -> Float? {
        var (first, isUniform): (Float?, Bool) = (nil, true)
        area.forEachPart(wanted, row: y) { columns, part in
            let value = Float(part)
            isUniform = isUniform && value == first ?? value
            first = value
            unsafe (values + (columns.lowerBound - wanted.lowerBound)).update(repeating: value, count: columns.count)
        }
        return isUniform ? first : nil
    }
}

struct MaskRows: Coverage {
    private let mask: Mask
    private let columns: Range<Int>
    private let extent: Rect
    private let image: StretchedMask?
    /// The coefficients of a ramp.
    private let line: Mask.Ramp.Line?
    private let kernels: KernelSet

    /// - Parameters:
    ///   - extent: the rectangle that the mask is scaled to.
    ///   - image: the mask image, if the mask is an image.
    init(
        _ mask: Mask, columns: Range<Int>, extent: Rect, image: MaskImage?, kernels: KernelSet = .best
    ) throws(CPUError) {
        self.mask = mask
        self.columns = columns
        self.extent = extent
        self.kernels = kernels
        self.image =
            if mask == .image, let image {
                try StretchedMask(image.fitted(to: extent), columns: columns, extent: extent, kernels: kernels)
            } else {
                nil
            }
        line =
            if case .ramp(let ramp) = mask {
                ramp.line(width: Double(extent.width), height: Double(extent.height))
            } else {
                nil
            }
    }

    func values(_ y: Int, _ part: Range<Int>, into values: UnsafeMutablePointer<Float>) -> Float? {
        let wanted = columns.lowerBound + part.lowerBound..<columns.lowerBound + part.upperBound
        switch mask {
        case .band:
            let value = Float(mask.value(x: 0, y: y, extent: extent, image: nil))
            if value == 0 || value == 1 { return value }
            unsafe (values + part.lowerBound).update(repeating: value, count: part.count)
        case .ramp:
            guard let line else { return 0 }
            if let value = line.uniform(wanted, y, extent: extent) { return value }
            unsafe line.fill(values, part, from: columns.lowerBound, y, extent: extent, kernels)
        case .circle(let circle):
            if let value = circle.uniform(wanted, y, extent: extent) { return value }
            unsafe circle.fill(values, part, from: columns.lowerBound, y, extent: extent, kernels)
        case .image:
            guard let image else { return 0 }
            if let value = image.uniform(part, y) { return value }
            unsafe image.fill(values, part, y)
        }
        return nil
    }
}

extension Mask.Circle {
    /// Computes the same values as `Mask.value`, but with distances in floats. The error of a distance is 1e-7 of the
    /// width. This is small compared with the border of the mask, which is at least 1e-3 of the width.
    ///
    /// - Parameter first: the column of `parts[0]`.
    fileprivate func fill(
        _ parts: UnsafeMutablePointer<Float>, _ part: Range<Int>, from first: Int, _ y: Int, extent: Rect,
        _ kernels: KernelSet
    ) {
        let width = Double(extent.width)
        let dy = (Double(y - extent.y) + 0.5 - centerY * Double(extent.height)) / width
        guard border > 0 else {
            for i in part {
                let dx = (Double(first + i - extent.x) + 0.5) / width - centerX
                unsafe parts[i] = (dx * dx + dy * dy).squareRoot() < radius ? 0 : 1
            }
            return
        }
        // Columns are counted from the extent, so that a pixel has the same value in every region.
        unsafe kernels.table.pointee.circle_parts(
            parts + part.lowerBound, Int32(clamping: first + part.lowerBound - extent.x), Int32(part.count),
            Float(0.5 / width - centerX), Float(1 / width), Float(dy * dy), Float(radius - border), Float(1 / border))
    }

    /// Returns 0 or 1 if the mask has this value in all given columns of row `y`. Otherwise returns nil. Also returns
    /// nil if rounding errors could change the answer.
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

extension Mask.Ramp.Line {
    /// Computes the same values as `Mask.value`.
    ///
    /// - Parameter first: the column of `values[0]`.
    fileprivate func fill(
        _ values: UnsafeMutablePointer<Float>, _ part: Range<Int>, from first: Int, _ y: Int, extent: Rect,
        _ kernels: KernelSet
    ) {
        let (column, place) = (first + part.lowerBound - extent.x, Double(y - extent.y) + 0.5)
        if isConstant(along: .x) {
            let value = Float(self.value(x: 0, y: place))
            return unsafe (values + part.lowerBound).update(repeating: value, count: part.count)
        }
        if let only = usualPart, !only.isStep {
            return unsafe kernels.table.pointee.ramp_parts(
                values + part.lowerBound, Int32(clamping: column), Int32(part.count),
                only.offset + only.slopeY * place + only.slopeX * 0.5, only.slopeX)
        }
        for i in part { unsafe values[i] = Float(value(x: Double(first + i - extent.x) + 0.5, y: place)) }
    }

    /// Returns 0 or 1 if the mask has this value in all given columns of row `y`. Otherwise returns nil.
    fileprivate func uniform(_ columns: Range<Int>, _ y: Int, extent: Rect) -> Float? {
        // Every part is monotonic along x. The ends are one pixel further out, so that roundings do not matter.
        let (left, right) = (Double(columns.lowerBound - extent.x) - 0.5, Double(columns.upperBound - extent.x) + 0.5)
        let place = Double(y - extent.y) + 0.5
        for part in parts where part.gain != 0 {
            let share = part.share(x: left, y: place)
            guard share == 0 || share == 1, share == part.share(x: right, y: place) else { return nil }
        }
        let value = self.value(x: left, y: place)
        return value == 0 || value == 1 ? Float(value) : nil
    }
}

extension UnsafePointer<Float> {
    /// Returns the end of the run at the beginning of `range`. The run consists of elements that are equal to `value`
    /// or, if `isEqual` is false, of elements that differ from `value`.
    func end(_ range: Range<Int>, of value: Float, _ isEqual: Bool) -> Int {
        let bytes = unsafe UnsafeRawPointer(self)
        var i = range.lowerBound
        // Groups of 16 elements are compared first, because neighbours mostly agree.
        while i + 16 <= range.upperBound {
            let group = unsafe bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD16<Float>.self)
            let equals = group .== value
            guard isEqual ? all(equals) : !any(equals) else { break }
            i += 16
        }
        while i < range.upperBound {
            guard unsafe (self[i] == value) == isEqual else { break }
            i += 1
        }
        return i
    }
}
