import FrostCore

/// Interpolates pixels between those of rows of a lens's input.
struct LensSampler {
    private let channels: Int
    private let input: Rect
    /// By what the offset of each channel is multiplied; empty if by 1 for all.
    private let dispersion: [Float]

    /// - Parameters:
    ///   - channels: the channels of the rows.
    ///   - input: the pixels of the rows.
    init(_ refraction: Refraction, channels layout: ChannelLayout, input: Rect) {
        channels = layout.count
        self.input = input
        let part = Float(refraction.lens.dispersion)
        guard part > 0, !layout.isGrey else {
            dispersion = []
            return
        }
        var factors = [Float](repeating: 1, count: layout.count)
        let colors = layout.order.colors
        (factors[colors[0]], factors[colors[2]]) = (1 - part, 1 + part)
        dispersion = factors
    }

    /// Writes pixels of a row that all have the same offsets.
    func shift<Number: LensNumber>(
        _ out: Row, _ columns: Range<Int>, _ offsets: [SIMD2<Float>], _ line: LensLine<Number>
    ) {
        guard dispersion.isEmpty, offsets.count == 1, let offset = offsets.first, offset.x == 0 else {
            for (index, x) in columns.enumerated() {
                sample(out + index * channels * MemoryLayout<Number>.size, x, offsets[...], line)
            }
            return
        }
        let place = offset.y.rounded(.down)
        let part = offset.y - place
        let first = line.y + Int(place)
        let start = (columns.lowerBound - input.x) * channels
        // SAFETY: the columns are columns of the input, and both rows are rows of it.
        let out = unsafe Number.numbers(out)
        let (above, below) = unsafe (
            Number.numbers(line.row(row(first))) + start, Number.numbers(line.row(row(first + 1))) + start
        )
        for i in 0..<columns.count * channels {
            let a = unsafe above[i].float
            unsafe out[i] = Number(rounding: a + (below[i].float - a) * part)
        }
    }

    /// Writes a pixel: the mean of the samples at some offsets.
    @inline(__always) func sample<Number: LensNumber>(
        _ out: Row, _ x: Int, _ offsets: ArraySlice<SIMD2<Float>>, _ line: LensLine<Number>
    ) {
        let share = 1 / Float(offsets.count)
        let out = unsafe Number.numbers(out)
        if dispersion.isEmpty, channels == 4 {
            var sum = SIMD4<Float>.zero
            for offset in offsets { sum += four(x, offset, line) }
            for channel in 0..<4 { unsafe out[channel] = Number(rounding: sum[channel] * share) }
            return
        }
        for channel in 0..<channels {
            var sum: Float = 0
            for offset in offsets {
                sum += one(channel, x, dispersion.isEmpty ? offset : offset * dispersion[channel], line)
            }
            unsafe out[channel] = Number(rounding: sum * share)
        }
    }

    /// Interpolates all four channels.
    @inline(__always) private func four<Number: LensNumber>(
        _ x: Int, _ offset: SIMD2<Float>, _ line: LensLine<Number>
    ) -> SIMD4<Float> {
        let (place, part) = place(x, line.y, offset)
        func pixels(_ row: Int) -> SIMD4<Float> {
            let numbers = unsafe Number.numbers(line.row(row))
            @inline(__always) func at(_ column: Int) -> SIMD4<Float> {
                let i = 4 * column
                return unsafe SIMD4(numbers[i].float, numbers[i + 1].float, numbers[i + 2].float, numbers[i + 3].float)
            }
            let left = at(place.left)
            return left + (at(place.right) - left) * part.x
        }
        let upper = pixels(place.above)
        return upper + (pixels(place.below) - upper) * part.y
    }

    @inline(__always) private func one<Number: LensNumber>(
        _ channel: Int, _ x: Int, _ offset: SIMD2<Float>, _ line: LensLine<Number>
    ) -> Float {
        let (place, part) = place(x, line.y, offset)
        func value(_ row: Int) -> Float {
            let numbers = unsafe Number.numbers(line.row(row)) + channel
            let left = unsafe numbers[place.left * channels].float
            return unsafe left + (numbers[place.right * channels].float - left) * part.x
        }
        let upper = value(place.above)
        return upper + (value(place.below) - upper) * part.y
    }

    /// Returns the rows of the input, and the columns relative to its first one, between which a place lies, and its distances
    /// from the first of them. Outside the input, the nearest pixel counts.
    @inline(__always) private func place(
        _ x: Int, _ y: Int, _ offset: SIMD2<Float>
    ) -> (place: (left: Int, right: Int, above: Int, below: Int), part: SIMD2<Float>) {
        let whole = offset.rounded(.down)
        let (left, top) = (x + Int(whole.x), y + Int(whole.y))
        return ((column(left), column(left + 1), row(top), row(top + 1)), offset - whole)
    }

    @inline(__always) private func row(_ row: Int) -> Int { min(max(row, input.y), input.rows.upperBound - 1) }
    @inline(__always) private func column(_ column: Int) -> Int { min(max(column - input.x, 0), input.width - 1) }
}

/// A row that is computed, and the rows of the input.
struct LensLine<Number: LensNumber> {
    let y: Int
    /// Returns a row of the input, from its first column on.
    let row: (Int) -> Row
}
