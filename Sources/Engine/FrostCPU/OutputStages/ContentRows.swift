import CFrostKernels
import FrostCore

/// Draws content layers. Layers are drawn in floats; fixed-point numbers are converted to floats and back.
///
/// Not thread-safe.
///
/// SAFETY: the objects own their rows, each followed by the slack that kernels need. A layer's window lies within the
/// region.
@safe final class ContentRows: OutputStage {
    private let layers: [PlacedRows]
    private let kind: RowKind
    private let maximum: Float
    private let kernels: KernelSet
    /// The pixels of a part of a chunk before and after a layer is drawn.
    private let before: RowStorage
    private let after: RowStorage

    /// Places the content layers of a plan.
    ///
    /// - Parameters:
    ///   - kind: the kind of the numbers of chunks.
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    ///   - chunk: the maximum number of pixels of a chunk.
    init(_ plan: Plan, kind: RowKind, maximum: Double, chunk: Int, kernels: KernelSet) throws(CPUError) {
        self.kind = kind
        self.maximum = Float(maximum)
        self.kernels = kernels
        layers = try plan.outputStages.content
            .compactMap { PlacedContent($0, extent: plan.extent, region: plan.region) }
            .map { (layer) throws(CPUError) in try PlacedRows(layer, maximum: maximum, kernels) }
        before = try RowStorage(rows: 1, floats: 4 * chunk)
        after = try RowStorage(rows: 1, floats: 4 * chunk)
    }

    func prepare(row y: Int) {
        for layer in layers { layer.prepare(row: y) }
    }

    func apply(to chunk: PixelChunk) {
        let (before, after, table) = unsafe (before.row(0), after.row(0), kernels.table)
        for layer in layers where layer.isShown {
            let drawn = chunk.columns.clamped(to: layer.content.window.columns)
            if drawn.isEmpty { continue }
            let (from, samples) = (drawn.lowerBound - layer.content.window.x, 4 * drawn.count)
            let pixels = chunk.row + 4 * (drawn.lowerBound - chunk.columns.lowerBound) * kind.size
            kind.convert(pixels, to: .floats, before, samples, kernels)
            after.copy(from: before, byteCount: 4 * samples)
            if let vibrancy = layer.vibrancy {
                unsafe table.pointee.color_stages(
                    after.floats, Int32(drawn.count), vibrancy, Int32(vibrancy.count), maximum, 0)
                unsafe table.pointee.color_mix(
                    after.floats, before.floats, layer.alphas.row(0).floats + from, Int32(drawn.count))
            } else {
                unsafe table.pointee.draw_pixels(
                    after.floats, layer.pixels.row(0).floats + 4 * from, maximum, Int32(drawn.count))
            }
            // Kernels also write behind the last pixel, so the result is converted first and then copied.
            RowKind.floats.convert(after, to: kind, before, samples, kernels)
            pixels.copy(from: before, byteCount: samples * kind.size)
        }
    }
}

/// The rows of a placed layer. First the rows of the image are mixed, then the columns of the mixed row.
@safe private final class PlacedRows {
    let content: PlacedContent
    /// The colour stage of the layer's vibrancy; nil if the content is drawn in its own colours.
    let vibrancy: [frost_color_stage]?
    /// The layer's pixels in the prepared row, and their alphas.
    let pixels: RowStorage
    let alphas: RowStorage
    /// Whether the layer has pixels in the prepared row.
    private(set) var isShown = false
    private let table: UnsafePointer<frost_kernels>
    /// The image's columns from the first to the last that are needed: `mixed` is their sum, and `group` a part of a sum
    /// of many rows.
    private let mixed: RowStorage
    private let group: RowStorage
    private let list: RowList
    private let outputs = RowList(1)
    /// The weights of rows that are mixed.
    private let taps: RowStorage
    private let tapsList = RowList(1)
    /// For each pixel, the first of `tapCount` columns of the mixed row, and their weights.
    private let firsts: [Int32]
    private let weights: [Float]
    private let tapCount: Int

    init(_ content: PlacedContent, maximum: Double, _ kernels: KernelSet) throws(CPUError) {
        self.content = content
        vibrancy = try content.layer.vibrancy.map { (vibrancy) throws(CPUError) in
            try FloatStages([.matrix(vibrancy.matrix)], maximum: maximum).stages
        }
        unsafe table = kernels.table
        let (columns, count) = (content.columns, content.columns.maximumCount)
        tapCount = count
        // Pixels with fewer weights than others have weights of 0 as well, before or after their own.
        let places = columns.firsts.map { min($0, columns.range.upperBound - count) }
        firsts = places.map { Int32($0 - columns.range.lowerBound) }
        var weights = [Float](repeating: 0, count: count * places.count)
        for (x, place) in places.enumerated() {
            for (t, weight) in columns.weights(x).enumerated() {
                weights[x * count + columns.firsts[x] - place + t] = Float(weight)
            }
        }
        self.weights = weights
        pixels = try RowStorage(rows: 1, floats: 4 * content.window.width)
        alphas = try RowStorage(rows: 1, floats: content.window.width)
        mixed = try RowStorage(rows: 1, floats: 4 * columns.range.count)
        group = try RowStorage(rows: 1, floats: 4 * columns.range.count)
        taps = try RowStorage(rows: 1, floats: Int(FROST_TILE_ROWS))
        list = RowList(Int(FROST_TILE_ROWS))
    }

    /// Computes the layer's pixels in a row.
    func prepare(row y: Int) {
        isShown = content.window.rows.contains(y)
        guard isShown else { return }
        let row = y - content.window.y
        let taps = content.rows.weights(row).map { Float($0) / 65535 }
        for from in stride(from: 0, to: taps.count, by: Int(FROST_TILE_ROWS)) {
            let part = Array(taps[from..<min(from + Int(FROST_TILE_ROWS), taps.count)])
            let sum = from == 0 ? mixed : group
            mix(content.rows.firsts[row] + from, part, into: sum.row(0))
            if from == 0 { continue }
            for i in 0..<4 * content.columns.range.count {
                unsafe mixed.row(0).floats[i] += group.row(0).floats[i]
            }
        }
        unsafe table.pointee.place_pixels(
            mixed.row(0).floats, firsts, weights, Int32(tapCount), pixels.row(0).floats, alphas.row(0).floats,
            Int32(firsts.count))
    }

    /// Computes the weighted sum of some rows of the image.
    ///
    /// - Parameter first: the first row. There are as many rows as taps.
    private func mix(_ first: Int, _ taps: [Float], into out: Row) {
        let (image, columns) = (content.layer.image, content.columns.range)
        unsafe image.pixels.withUnsafeBytes { pixels in
            let base = unsafe Row(reading: pixels.baseAddress.unsafelyUnwrapped)
            for t in taps.indices {
                let place = (first + t) * image.width + columns.lowerBound
                list.set(t, base + place * MemoryLayout<SIMD4<UInt16>>.stride)
                unsafe self.taps.row(0).floats[t] = taps[t]
            }
            outputs.set(0, out)
            tapsList.set(0, self.taps.row(0))
            let (start, count) = (Int32(0), Int32(taps.count))
            unsafe withUnsafePointer(to: start) { starts in
                var filter = unsafe frost_row_filter(
                    rows: list.pointers(), starts: starts, taps: tapsList.pointers(), out: outputs.pointers(),
                    input_count: count, tap_count: count, row_count: 1, count: Int32(4 * columns.count),
                    is_symmetric: 0,
                    stream: 0, from: FROST_U16, to: FROST_NUMBERS)
                unsafe table.pointee.filter_rows(&filter)
            }
        }
    }
}
