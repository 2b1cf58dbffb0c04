import CFrostKernels
import FrostCore

/// The output stages of the pixels left and right of ``PlainPixels`` in the middle rows. All these rows have the same shade and light.
/// So several rows are taken together: their pixels are few, and calls for each row would take most of the time.
///
/// Not thread-safe.
///
/// SAFETY: all rows have room for the pixels of ``maximumCount`` rows, and for the slack that kernels need.
@safe final class SideRows {
    /// The maximum number of rows that are taken together.
    static let maximumCount = 16

    /// The columns at the left and at the right, and their number.
    private let parts: [Range<Int>]
    private let width: Int
    private let region: Rect
    private let bytesPerPixel: Int
    private let colors: FixedColors?
    private let encoder: FixedEncoder
    private let kernels: KernelSet
    /// What the shade leaves of each pixel of a row; nil if there is no edge light. `lit` has the pixels with light.
    private let kept: [Float]?
    private let lit: [(index: Int, light: Float)]
    private let pixels, floats, lights: RowStorage
    private let maximum: Float

    /// - Parameters:
    ///   - stages: the colour stages; the encoder has none.
    init(
        _ plan: CPUPlan, _ plain: PlainPixels, _ stages: [frost_fixed_stage], _ encoder: FixedEncoder
    ) throws(CPUError) {
        let (region, kernels) = (plan.plan.region, plan.kernels)
        self.region = region
        self.encoder = encoder
        self.kernels = kernels
        bytesPerPixel = plan.writer.format.bytesPerPixel
        colors = stages.isEmpty ? nil : FixedColors(stages, kernels: kernels)
        let inner = plain.middle.columns
        let parts = [region.x..<inner.lowerBound, inner.upperBound..<region.columns.upperBound].filter { !$0.isEmpty }
        self.parts = parts
        width = parts.reduce(0) { $0 + $1.count }
        let output = plan.plan.outputStages
        let edge = output.edge.map { EdgeField($0, along: output.shapes, join: output.join) }
        let amounts = edge.map { edge in parts.flatMap { $0.map { edge.amounts($0, plain.middle.y) } } }
        kept = amounts.map { $0.map { Float(1 - $0.shade) } }
        lit = (amounts ?? []).enumerated().compactMap { $1.light > 0 ? ($0, Float($1.light)) : nil }
        pixels = try RowStorage(rows: 1, fixed: 4 * Self.maximumCount * width)
        floats = try RowStorage(rows: 1, floats: 4 * Self.maximumCount * width)
        lights = try RowStorage(rows: 1, floats: 4 * Self.maximumCount * lit.count)
        maximum = Float(plan.writer.format.sample.maximum)
    }

    /// Applies the output stages to rows and writes them.
    ///
    /// - Parameters:
    ///   - rows: at most ``maximumCount`` rows of ``PlainPixels/middle``.
    ///   - values: the rows of the plan's last pass.
    func write(_ rows: Range<Int>, _ values: RowRing, to target: TargetRows) {
        let row = pixels.row(0)
        var at = row
        for y in rows {
            let from = values.row(y)
            for part in parts {
                at.copy(from: from + 8 * (part.lowerBound - region.x), byteCount: 8 * part.count)
                at = at + 8 * part.count
            }
        }
        let count = rows.count * width
        colors?.apply(to: PixelChunk(y: rows.lowerBound, columns: 0..<count, row: row))
        if let kept { light(rows.count, kept) }
        at = row
        for y in rows {
            let out = target.row(y)
            for part in parts {
                encoder.encode(
                    PixelChunk(y: y, columns: part, row: at), to: out + bytesPerPixel * (part.lowerBound - region.x),
                    streams: false)
                at = at + 8 * part.count
            }
        }
    }

    /// Shades and lights the pixels of some rows.
    private func light(_ rows: Int, _ kept: [Float]) {
        let (row, numbers, count) = (pixels.row(0), floats.row(0), Int32(4 * rows * width))
        let table = unsafe kernels.table
        unsafe table.pointee.fixed_store_floats(row.fixed, numbers.floats, count)
        unsafe numbers.floats.withMemoryRebound(to: SIMD4<Float>.self, capacity: rows * width) { pixels in
            for i in 0..<rows {
                for x in 0..<width {
                    let keep = kept[x]
                    unsafe pixels[i * width + x] *= SIMD4(keep, keep, keep, 1)
                }
            }
            if !lit.isEmpty { unsafe light(pixels, rows) }
        }
        unsafe table.pointee.fixed_load_floats(numbers.floats, row.fixed, count)
    }

    private func light(_ pixels: UnsafeMutablePointer<SIMD4<Float>>, _ rows: Int) {
        let (table, count) = unsafe (kernels.table, Int32(rows * lit.count))
        let lights = lights.row(0)
        var decode = frost_color_stage(decode: .sRGB)
        var encode = frost_color_stage(encode: .sRGB)
        unsafe lights.floats.withMemoryRebound(to: SIMD4<Float>.self, capacity: rows * lit.count) { some in
            for i in 0..<rows {
                for (n, pixel) in lit.enumerated() { unsafe some[i * lit.count + n] = pixels[i * width + pixel.index] }
            }
            unsafe table.pointee.transfer(lights.floats, count, 4, &decode, maximum)
            for i in 0..<rows {
                for (n, pixel) in lit.enumerated() {
                    let light = unsafe some[i * lit.count + n]
                    unsafe some[i * lit.count + n] =
                        light + (SIMD4(light.w, light.w, light.w, light.w) - light) * pixel.light
                }
            }
            unsafe table.pointee.transfer(lights.floats, count, 4, &encode, maximum)
            for i in 0..<rows {
                for (n, pixel) in lit.enumerated() { unsafe pixels[i * width + pixel.index] = some[i * lit.count + n] }
            }
        }
    }
}
