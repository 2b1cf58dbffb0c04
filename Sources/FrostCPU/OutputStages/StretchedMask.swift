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
    /// For each column of the result: the two neighbouring columns of the mask image (`lefts`, `rights`), and the
    /// weight of the right one (`shares`).
    private let lefts: [Int32]
    private let rights: [Int32]
    private let shares: [Float]
    /// The columns of the mask image that are read.
    private let needed: Range<Int>
    /// Whether the columns of the result are consecutive columns of the mask image.
    private let isCopied: Bool
    /// The values of the mask image at two rows of the extent: an even row, then an odd one. They are interpolated only
    /// along y. `mixedRows` has the indices of the rows, in the same order.
    private let mixed: RowStorage
    private var mixedRows: [Int?] = [nil, nil]

    init(_ image: MaskImage, columns: Range<Int>, extent: Rect) {
        self.image = image
        self.extent = extent
        let places = columns.map { column -> (low: Int, high: Int, t: Double) in
            let place = image.columns(at: (Double(column - extent.x) + 0.5) / Double(extent.width))
            // At the centre of a pixel, the value is that of the pixel, whatever the rounding of the position.
            if place.t < 1e-6 { return (place.low, place.low, 0) }
            return place.t > 1 - 1e-6 ? (place.high, place.high, 0) : place
        }
        lefts = places.map { Int32($0.low) }
        rights = places.map { Int32($0.high) }
        shares = places.map { Float($0.t) }
        needed = (places.first?.low ?? 0)..<(places.last?.high ?? -1) + 1
        isCopied = places.indices.allSatisfy { places[$0].t == 0 && places[$0].low == places[0].low + $0 }
        mixed = RowStorage(rows: 2, floats: image.width)
    }

    /// Returns 0 or 1 if the mask has this value in a part of a row. Otherwise returns nil.
    ///
    /// - Parameters:
    ///   - part: columns, counted from the first of the columns given to `init`.
    ///   - y: the row of the extent.
    func uniform(_ part: Range<Int>, _ y: Int) -> Float? {
        guard let from = part.first, let to = part.last else { return 0 }
        let row = unsafe row(y)
        let (low, high) = (Int(lefts[from]), Int(rights[to]))
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
            unsafe rights.withUnsafeBufferPointer { rights in
                unsafe shares.withUnsafeBufferPointer { shares in
                    for i in part {
                        let left = unsafe row[Int(lefts[i])]
                        unsafe parts[i] = left + (row[Int(rights[i])] - left) * shares[i]
                    }
                }
            }
        }
    }

    /// Returns the values of the mask image at a row of the extent.
    private func row(_ y: Int) -> UnsafePointer<Float> {
        let row = unsafe mixed.row(y & 1)
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
            let (above, below) = (place.low * width, place.high * width)
            for i in needed {
                let value = unsafe values[above + i]
                unsafe row[i] = value + (values[below + i] - value) * t
            }
        }
    }
}
