import CFrostKernels
import FrostCore

/// A dither's offsets where kernels can read them: four numbers a pixel, of which alpha's is half a step.
///
/// SAFETY: owns its memory, of a period and the slack that kernels read beyond it.
@safe final class DitherTable {
    private let storage: RowStorage
    private let dither: Dither?

    /// - Parameter dither: nil where nothing is added.
    init(_ dither: Dither?) {
        self.dither = dither
        let pixels = dither == nil ? 0 : Dither.period + Int(FROST_SLACK)
        storage = RowStorage(rows: 1, floats: 2 * pixels)
        guard let offsets = dither?.offsets else { return }
        let numbers = unsafe table
        for pixel in 0..<pixels {
            let offset = Int16(offsets[pixel % Dither.period])
            for channel in 0..<4 { unsafe numbers[4 * pixel + channel] = channel == 3 ? 32 : offset }
        }
    }

    private var table: UnsafeMutablePointer<Int16> {
        unsafe UnsafeMutableRawPointer(storage.row(0)).assumingMemoryBound(to: Int16.self)
    }

    /// For the pixels of row `y` from column `x` on: the table, and the pixel to begin with. Nil without dither.
    func row(_ y: Int, _ x: Int) -> (table: UnsafePointer<Int16>?, phase: UInt32) {
        guard let dither else { return (nil, 0) }
        return unsafe (UnsafePointer(table), dither.start(y: y) &+ UInt32(truncatingIfNeeded: x))
    }
}
