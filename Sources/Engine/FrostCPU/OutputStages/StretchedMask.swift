import CFrostKernels
import FrostCore

/// Scales a mask image to an extent by bilinear interpolation, row by row: first along y at the image's width, then
/// along x.
///
/// Not thread-safe.
///
/// SAFETY: the object owns its rows, and all column indices lie within the image.
@safe final class StretchedMask {
    private let image: MaskImage
    private let extent: Rect
    private let kernels: KernelSet
    /// For each column of the result: a column of the mask image (`lefts`), and the weight of the following column
    /// (`weights`). The last elements are repeated, because vector loops read them.
    private let lefts: [Int32]
    private let weights: [Float]
    /// The columns of the mask image that are read.
    private let needed: Range<Int>
    /// Whether the columns of the result are consecutive columns of the mask image.
    private let isCopied: Bool
    /// The values of the mask image at two rows of the extent: an even row, then an odd one. They are interpolated only
    /// along y. `mixedRows` has the indices of the rows, in the same order.
    private let mixed: RowStorage
    private var mixedRows: [Int?] = [nil, nil]

    /// - Parameter image: a mask that has at most as many columns as the extent.
    init(_ image: MaskImage, columns: Range<Int>, extent: Rect, kernels: KernelSet) throws(CPUError) {
        self.image = image
        self.extent = extent
        self.kernels = kernels
        var lefts: [Int32] = []
        var weights: [Float] = []
        for column in columns {
            let place = image.columns(at: (Double(column - extent.x) + 0.5) / Double(extent.width))
            // At the centre of a pixel, the value is that of the pixel, whatever the rounding of the position.
            let isCentre = place.t < 1e-6 || place.t > 1 - 1e-6
            lefts.append(Int32(place.t > 1 - 1e-6 ? place.high : place.low))
            weights.append(isCentre ? 0 : Float(place.t))
        }
        isCopied = lefts.indices.allSatisfy { weights[$0] == 0 && lefts[$0] == lefts[0] + Int32($0) }
        lefts += [Int32](repeating: lefts.last ?? 0, count: RowStorage.slack)
        weights += [Float](repeating: 0, count: RowStorage.slack)
        (self.lefts, self.weights) = (lefts, weights)
        mixed = try RowStorage(rows: 2, floats: image.width)
        let end = Int(lefts[lefts.count - 1]) + 2
        needed = Int(lefts[0])..<min(end, image.width)
    }

    /// Returns the last column of the mask image that a column of the result reads.
    private func last(_ column: Int) -> Int { Int(lefts[column]) + (weights[column] == 0 ? 0 : 1) }

    /// Returns 0 or 1 if the mask has this value in a part of a row. Otherwise returns nil.
    ///
    /// - Parameters:
    ///   - part: columns, counted from the first of the columns given to `init`.
    ///   - y: the row of the extent.
    func uniform(_ part: Range<Int>, _ y: Int) -> Float? {
        guard let from = part.first, let to = part.last else { return 0 }
        let row = unsafe row(y)
        let (low, high) = (Int(lefts[from]), last(to))
        let value = unsafe row[low]
        guard value == 0 || value == 1 else { return nil }
        return unsafe row.end(low..<high + 1, of: value, true) > high ? value : nil
    }

    /// Computes the mask's values 0...1 in a part of a row.
    ///
    /// - Parameters:
    ///   - part: columns, counted from the first of the columns given to `init`.
    ///   - y: the row of the extent.
    func fill(_ parts: UnsafeMutablePointer<Float>, _ part: Range<Int>, _ y: Int) {
        guard let from = part.first else { return }
        let row = unsafe row(y)
        if isCopied { return unsafe (parts + from).update(from: row + Int(lefts[from]), count: part.count) }
        unsafe lefts.withUnsafeBufferPointer { lefts in
            unsafe weights.withUnsafeBufferPointer { weights in
                guard let lefts = lefts.baseAddress, let weights = weights.baseAddress else { return }
                unsafe kernels.table.pointee.stretch_row(
                    row, lefts + from, weights + from, parts + from, Int32(part.count))
            }
        }
    }

    /// Returns the values of the mask image at a row of the extent.
    private func row(_ y: Int) -> UnsafePointer<Float> {
        let row = unsafe mixed.row(y & 1).floats
        if mixedRows[y & 1] != y {
            mixedRows[y & 1] = y
            unsafe mix(y, into: row)
        }
        return unsafe UnsafePointer(row)
    }

    private func mix(_ y: Int, into row: UnsafeMutablePointer<Float>) {
        let place = image.rows(at: (Double(y - extent.y) + 0.5) / Double(extent.height))
        let (width, t) = (image.width, Float(place.t))
        unsafe image.values.withUnsafeBufferPointer { values in
            guard let values = values.baseAddress else { return }
            let (above, below) = unsafe (values + place.low * width, values + place.high * width)
            for i in needed {
                let value = unsafe above[i]
                unsafe row[i] = value + (below[i] - value) * t
            }
        }
    }
}
