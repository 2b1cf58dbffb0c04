import CFrostKernels
import FrostCore

/// Makes some pixels of two rows again, from cells as they arrived, and colours them one by one: what a chain does whose cells are
/// not coloured.
///
/// Not thread-safe.
@safe final class PixelStrip {
    /// Below this many pairs between others it is less work to make them, too.
    private static let gap = 10

    private let plain: PlainPixels
    let grid: CellGrid
    private let output: Range<Int>
    private let finisher: RowFinisher
    private let bytes: RowStorage
    /// Bytes per pixel of the result.
    private let size: Int

    init(_ plain: PlainPixels, output: Range<Int>, finisher: RowFinisher) {
        self.plain = plain
        grid = plain.grid
        self.output = output
        self.finisher = finisher
        bytes = RowStorage(rows: 1, floats: 2 * PlainPixels.most)
        size = finisher.writer.format.bytesPerPixel
    }

    /// - Parameters:
    ///   - runs: the pairs of pixels that are wanted.
    ///   - rows: of pixels, of those that row `pair` of cells lies before.
    func finish(_ runs: RunList, _ rows: Range<Int>, pair: Int, _ target: TargetRows) {
        var from = 0
        while from < runs.count {
            // Runs that are near to one another are computed as one.
            var whole = runs[from]
            var end = from + 1
            while end < runs.count, runs[end].lowerBound - whole.upperBound < Self.gap {
                whole = whole.lowerBound..<max(whole.upperBound, runs[end].upperBound)
                end += 1
            }
            var start = whole.lowerBound
            while start < whole.upperBound {
                let part = start..<min(start + PlainPixels.most, whole.upperBound)
                unsafe finish(part, runs, from..<end, rows, pair: pair, target)
                start = part.upperBound
            }
            from = end
        }
    }

    private func finish(
        _ part: Range<Int>, _ runs: RunList, _ wanted: Range<Int>, _ rows: Range<Int>, pair: Int, _ target: TargetRows
    ) {
        plain.make(part, pair: pair)
        let all = pixels(part)
        // Counted from the region's first.
        let columns = all.lowerBound - output.lowerBound..<all.upperBound - output.lowerBound
        for y in rows {
            let from = unsafe plain.made.row(y - grid.pixel(pair)) + 4 * (all.lowerBound - grid.pixel(part.lowerBound))
            let out = unsafe target.row(y)
            if wanted.count == 1 {
                unsafe finisher.writeFixed(y, columns, from, to: out, streams: false)
                continue
            }
            // What is not wanted in between keeps what it has.
            let scratch = unsafe UnsafeMutableRawPointer(bytes.row(0)) - columns.lowerBound * size
            unsafe finisher.writeFixed(y, columns, from, to: scratch, streams: false)
            for i in wanted {
                let run = pixels(runs[i].clamped(to: part))
                let place = (run.lowerBound - output.lowerBound) * size
                unsafe (out + place).copyMemory(from: scratch + place, byteCount: run.count * size)
            }
        }
    }

    private func pixels(_ pairs: Range<Int>) -> Range<Int> {
        (grid.pixel(pairs.lowerBound)..<grid.pixel(pairs.upperBound)).clamped(to: output)
    }
}
