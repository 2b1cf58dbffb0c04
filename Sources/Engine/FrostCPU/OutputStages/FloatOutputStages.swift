import CFrostKernels
import FrostCore

/// Colour stages, converted to the structs that the C kernels for floats read.
struct FloatStages {
    /// The converted stages. Grain and scatter stages depend on the row; ``prepare(row:)`` sets them.
    private(set) var stages: [frost_color_stage] = []
    private let grains: [Grain?]
    private var scatters: [ScatterRow?]

    /// Converts colour stages to the structs that the C kernels read.
    ///
    /// - Parameters:
    ///   - maximum: the number that represents full scale (1.0), for example 255.
    ///   - extendsLight: whether light outside 0...1 is encoded by the continued curve, as samples that are floats need it.
    ///     Otherwise it is clamped.
    ///   - columns: the columns for which ``prepare(row:)`` computes the offsets of scatter stages.
    init(
        _ list: [ColorStage], maximum: Double, extendsLight: Bool = false, columns: Range<Int> = 0..<0
    ) throws(CPUError) {
        grains = list.map { if case .grain(let grain) = $0 { grain } else { nil } }
        scatters = try list.map { (stage) throws(CPUError) in
            if case .scatter(let scatter) = stage { try ScatterRow(scatter, columns) } else { nil }
        }
        stages = list.map { stage in
            switch stage {
            case .matrix(let matrix):
                .matrix([matrix.red, matrix.green, matrix.blue, matrix.alpha, matrix.one * maximum])
            case .luminance(let curve): .luminance(curve)
            case .vivid(let vividness): .vivid(vividness)
            case .encode(let curve): frost_color_stage(encode: curve, isExtended: extendsLight)
            case .contrast(let floor): .contrast(floor)
            case .scatter: frost_color_stage(FROST_STAGE_SCATTER, [])
            case .grain(let grain):
                frost_color_stage(FROST_STAGE_GRAIN, [SIMD4(grain.amplitude, grain.amplitude, grain.amplitude, 0)])
            }
        }
    }

    /// Whether a stage differs between the rows of a cell.
    var hasGrain: Bool { grains.contains { $0 != nil } }

    /// Sets the stages that depend on the row: grain and scatter.
    mutating func prepare(row y: Int) {
        for (index, grain) in grains.enumerated() {
            if let grain { stages[index].hash_row = PixelHash(seed: grain.seed).row(y) }
            guard let scatter = scatters[index] else { continue }
            scatter.begin(row: y)
            stages[index].hashes = UInt(bitPattern: unsafe scatter.offsets)
            stages[index].hashes_first = UInt32(truncatingIfNeeded: scatter.columns.lowerBound)
        }
    }

    /// Applies the stages to pixels of the row that ``prepare(row:)`` has set. The offsets of a scatter stage may depend on
    /// the colours that the stages before it compute.
    func apply(to chunk: PixelChunk, maximum: Float, _ kernels: KernelSet) {
        func run(_ range: Range<Int>) {
            unsafe stages.withUnsafeBufferPointer { stages in
                guard !range.isEmpty, let first = stages.baseAddress else { return }
                unsafe kernels.table.pointee.color_stages(
                    chunk.row.floats, chunk.count, first + range.lowerBound, Int32(range.count), maximum,
                    UInt32(truncatingIfNeeded: chunk.columns.lowerBound))
            }
        }
        var first = 0
        for (index, scatter) in scatters.enumerated() {
            guard let scatter, scatter.dependsOnColor else { continue }
            run(first..<index)
            unsafe scatter.set(for: chunk.row.floats, chunk.columns, maximum)
            first = index
        }
        run(first..<stages.count)
    }
}

/// The offsets of a scatter stage in one row, as RGBA floats. All rows that cross the same mosaic cells have the same
/// offsets, unless the colours of the cells differ.
///
/// SAFETY: the object owns its memory.
@safe private final class ScatterRow {
    let columns: Range<Int>
    private let scatter: Scatter
    private let key: SIMD4<UInt32>
    private let storage: RowStorage
    private var cellRow: Int?
    /// The colour for which the offsets of each cell were computed, with 8 bits per channel; nil if they were not.
    private var colors: [UInt32?]
    /// The colour that each cell had last, as it arrived; not a number at first. All rows of a cell have the same colour, and
    /// to compare it takes a fraction of the time of rounding it.
    private var arrived: [SIMD3<Float>]

    init(_ scatter: Scatter, _ columns: Range<Int>) throws(CPUError) {
        self.scatter = scatter
        self.columns = columns
        key = scatter.cipherKey
        storage = try RowStorage(rows: 1, floats: 4 * columns.count)
        colors = Array(repeating: nil, count: columns.count >> scatter.level + 2)
        arrived = Array(repeating: SIMD3(repeating: .nan), count: colors.count)
    }

    var offsets: UnsafePointer<Float> { unsafe UnsafePointer(storage.row(0).floats) }

    func begin(row y: Int) {
        guard scatter.cell(y, along: .y) != cellRow else { return }
        cellRow = scatter.cell(y, along: .y)
        if dependsOnColor {
            for index in colors.indices { (colors[index], arrived[index]) = (nil, SIMD3(repeating: .nan)) }
        } else {
            for cell in columns.cells(scatter.level) { fill(cell, .zero) }
        }
    }

    var dependsOnColor: Bool { scatter.dependsOnColor }

    /// Computes the offsets of the cells that some pixels of the row belong to. All pixels of a cell have the same colour.
    func set(for pixels: UnsafePointer<Float>, _ part: Range<Int>, _ maximum: Float) {
        let first = columns.lowerBound >> scatter.level
        for cell in part.cells(scatter.level) {
            let at = 4 * max(0, cell << scatter.level - part.lowerBound)
            let pixel = unsafe SIMD3(pixels[at], pixels[at + 1], pixels[at + 2])
            if arrived[cell - first] == pixel { continue }
            arrived[cell - first] = pixel
            let color = SIMD3<Double>(pixel) / Double(maximum)
            let rounded = Scatter.rounded(color)
            if colors[cell - first] != rounded {
                colors[cell - first] = rounded
                fill(cell, color)
            }
        }
    }

    private func fill(_ cell: Int, _ color: SIMD3<Double>) {
        let start = cell << scatter.level
        let values = scatter.value(
            cellX: scatter.cell(start, along: .x), cellY: cellRow ?? 0, color: color, key: key)
        let out = unsafe storage.row(0).floats
        for x in (start..<start + 1 << scatter.level).clamped(to: columns) {
            let at = 4 * (x - columns.lowerBound)
            for c in 0..<3 { unsafe out[at + c] = Float(values[c]) }
            unsafe out[at + 3] = 0
        }
    }
}

extension frost_color_stage {
    fileprivate init(_ kind: frost_stage_kind, _ columns: [SIMD4<Double>]) {
        self.init()
        self.kind = kind
        // SAFETY: `columns` has seven columns of four floats, as the C struct declares.
        unsafe withUnsafeMutableBytes(of: &self.columns) { bytes in
            for (index, column) in columns.enumerated() {
                for lane in 0..<4 {
                    unsafe bytes.storeBytes(
                        of: Float(column[lane]), toByteOffset: 16 * index + 4 * lane, as: Float.self)
                }
            }
        }
    }

    fileprivate static func matrix(_ columns: [SIMD4<Double>]) -> frost_color_stage {
        frost_color_stage(FROST_STAGE_MATRIX, columns)
    }

    /// Creates a stage that encodes linear light with a transfer function.
    ///
    /// - Parameter isExtended: whether values outside 0...1 continue the curve. Otherwise they are clamped.
    init(encode curve: TransferFunction, isExtended: Bool = false) {
        self.init(isExtended ? FROST_STAGE_EXTENDED_TRANSFER : FROST_STAGE_TRANSFER, curve.encodingColumns)
    }

    /// Creates a stage that decodes encoded colours to linear light.
    init(decode curve: TransferFunction) { self.init(FROST_STAGE_TRANSFER, curve.decodingColumns) }

    fileprivate static func contrast(_ floor: ContrastFloor) -> frost_color_stage {
        let weights = ContrastFloor.weights
        return frost_color_stage(
            floor.raises ? FROST_STAGE_RAISE : FROST_STAGE_LOWER,
            ContrastFloor.curve.decodingColumns + ContrastFloor.curve.encodingColumns
                + [SIMD4(weights.red, weights.green, weights.blue, 0), SIMD4(floor.numbers, 0)])
    }

    fileprivate static func vivid(_ vividness: Vividness) -> frost_color_stage {
        let weights = Vividness.weights
        return frost_color_stage(
            FROST_STAGE_VIVID,
            [SIMD4(weights.red, weights.green, weights.blue, Vividness.leastRoom), vividness.numbers])
    }

    fileprivate static func luminance(_ curve: LuminanceCurve) -> frost_color_stage {
        let colors = SIMD4<Double>(1, 1, 1, 0)
        let curves = (0..<4).map { colors * (curve.amount * curve.coefficients[$0]) }
        return frost_color_stage(
            FROST_STAGE_LUMINANCE,
            [SIMD4(curve.luma.red, curve.luma.green, curve.luma.blue, 0)] + curves
                + [colors * (1 - curve.colorFactor), colors * curve.lumaFactor])
    }
}

extension TransferFunction {
    fileprivate var encodingColumns: [SIMD4<Double>] {
        [SIMD4(threshold / slope, slope, 1, 0), SIMD4(1 / exponent, 1 + offset, -offset, 0)]
    }

    fileprivate var decodingColumns: [SIMD4<Double>] {
        let scale = 1 / (1 + offset)
        return [SIMD4(threshold, 1 / slope, scale, offset * scale), SIMD4(exponent, 1, 0, 0)]
    }
}
