import CFrostKernels
import FrostCore

/// Lights and shades the pixels along the edges of shapes; see ``EdgeLight``. Pixels that the edges do not reach stay as they are.
///
/// Pixels beside straight edges share their numbers. The light is added in floats; fixed-point numbers are converted to floats and
/// back.
///
/// SAFETY: all rows have room for the region's columns or for a chunk, and for the slack that kernels need.
@safe final class EdgeLightRows: OutputStage {
    private let edge: EdgeField
    private let shapes: [ShapeRows]
    private let columns: Range<Int>
    private let kind: RowKind
    private let maximum: Float
    private let kernels: KernelSet
    /// The shade and the light of each column in the current row.
    private let shades, lights: RowStorage
    /// The shade and the light beside the straight parts of the left and the right side.
    private let sides: [[(shade: Float, light: Float)]]
    /// The columns of the current row that may be changed.
    private var runs: [Range<Int>] = []
    /// Whether the numbers are those beside the straight parts of the sides.
    private var hasSides = false
    /// Memory for a chunk, and for its lit pixels and then the result.
    private let pixels, kept: RowStorage
    private var known: [SIMD3<Int>: [(shade: Float, light: Float)]] = [:]
    private var keptNumbers = 0

    init(
        _ light: EdgeLight, _ shapes: [RoundedRect], join: Double, columns: Range<Int>, kind: RowKind, maximum: Double,
        kernels: KernelSet
    ) throws(CPUError) {
        let edge = EdgeField(light, along: shapes, join: join)
        let rows = edge.group.fields.map { ShapeRows($0, columns: columns, isAlone: shapes.count == 1) }
        self.edge = edge
        self.shapes = rows
        self.columns = columns
        self.kind = kind
        self.maximum = Float(maximum)
        self.kernels = kernels
        shades = try RowStorage(rows: 1, floats: columns.count)
        lights = try RowStorage(rows: 1, floats: columns.count)
        pixels = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
        kept = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
        sides =
            rows.count == 1
            ? rows[0].sides.map { side in
                side.map { x in Self.numbers(edge.amounts(x, Int(rows[0].field.center.y.rounded(.down)))) }
            } : []
    }

    private static func numbers(_ amounts: (shade: Double, light: Double)) -> (shade: Float, light: Float) {
        (Float(amounts.shade), Float(amounts.light))
    }

    func prepare(row y: Int) {
        let found = shapes.map { $0.runs(y) }
        // All rows beside the straight parts of the sides have the same numbers. Rows above and below the shape have none.
        let isBesideSides =
            found.count == 1 && !found[0].isEmpty
            && found[0].allSatisfy { if case .side = $0 { true } else { false } }
        if isBesideSides, hasSides { return }
        hasSides = isBesideSides
        var columns = RangeSet<Int>()
        for (shape, found) in zip(shapes, found) {
            for run in found {
                switch run {
                case .along(let range):
                    let numbers = Self.numbers(edge.amounts(Int(shape.field.center.x.rounded(.down)), y))
                    if numbers.shade > 0 || numbers.light > 0 {
                        columns.insert(contentsOf: range)
                        set(range) { _ in numbers }
                    }
                case .side(let side):
                    let range = shape.sides[side]
                    columns.insert(contentsOf: range)
                    set(range) { self.sides[side][$0 - range.lowerBound] }
                case .points(let range):
                    let numbers = numbers(range, y)
                    columns.insert(contentsOf: range)
                    set(range) { numbers[$0 - range.lowerBound] }
                }
            }
        }
        // Shapes may overlap, and so may the sides of a narrow one.
        runs = Array(columns.ranges)
    }

    /// Returns the shade and the light of pixels near corners. They are kept for the next image.
    private func numbers(_ range: Range<Int>, _ y: Int) -> [(shade: Float, light: Float)] {
        let key = SIMD3(range.lowerBound, range.upperBound, y)
        if let known = known[key] { return known }
        let made = range.map { Self.numbers(edge.amounts($0, y)) }
        keptNumbers += made.count
        if keptNumbers <= Self.mostKept { known[key] = made }
        return made
    }

    /// The maximum number of pixels whose numbers are kept: a megabyte.
    private static let mostKept = 1 << 17

    private func set(_ range: Range<Int>, _ numbers: (Int) -> (shade: Float, light: Float)) {
        let (shades, lights) = unsafe (shades.row(0).floats, lights.row(0).floats)
        for x in range {
            unsafe (shades[x - columns.lowerBound], lights[x - columns.lowerBound]) = numbers(x)
        }
    }

    func apply(to chunk: PixelChunk) {
        for run in runs {
            let part = run.clamped(to: chunk.columns)
            if !part.isEmpty { light(part, chunk) }
        }
    }

    private func light(_ part: Range<Int>, _ chunk: PixelChunk) {
        let at = chunk.row + 4 * (part.lowerBound - chunk.columns.lowerBound) * kind.size
        let (row, count, samples) = (pixels.row(0), part.count, 4 * part.count)
        kind.convert(at, to: .floats, row, samples, kernels)
        let first = part.lowerBound - columns.lowerBound
        let (shades, lights) = unsafe (shades.row(0).floats + first, lights.row(0).floats + first)
        var isLit = false
        unsafe row.floats.withMemoryRebound(to: SIMD4<Float>.self, capacity: count) { pixels in
            for i in 0..<count {
                let keep = unsafe 1 - shades[i]
                unsafe pixels[i] *= SIMD4(keep, keep, keep, 1)
                unsafe isLit = isLit || lights[i] > 0
            }
        }
        if isLit {
            let table = unsafe kernels.table.pointee
            // Most of a run of columns has no light.
            var from = 0
            while from < count {
                guard unsafe lights[from] > 0 else {
                    from += 1
                    continue
                }
                var end = from + 1
                while end < count, unsafe lights[end] > 0 { end += 1 }
                var decode = frost_color_stage(decode: .sRGB)
                var encode = frost_color_stage(encode: .sRGB)
                // The kernels also write behind the last pixel, so the lit pixels are copied.
                let lit = kept.row(0)
                lit.copy(from: row + 16 * from, byteCount: 16 * (end - from))
                unsafe table.transfer(lit.floats, Int32(end - from), 4, &decode, maximum)
                unsafe lit.floats.withMemoryRebound(to: SIMD4<Float>.self, capacity: end - from) { pixels in
                    for i in 0..<end - from {
                        let pixel = unsafe pixels[i]
                        unsafe pixels[i] =
                            pixel + (SIMD4(pixel.w, pixel.w, pixel.w, pixel.w) - pixel) * lights[from + i]
                    }
                }
                unsafe table.transfer(lit.floats, Int32(end - from), 4, &encode, maximum)
                (row + 16 * from).copy(from: lit, byteCount: 16 * (end - from))
                from = end
            }
        }
        let result = kept.row(0)
        RowKind.floats.convert(row, to: kind, result, samples, kernels)
        at.copy(from: result, byteCount: samples * kind.size)
    }
}
