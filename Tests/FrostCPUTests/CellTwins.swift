import CFrostKernels

@testable import FrostCPU
@testable import FrostCore

/// What the kernels for cells compute, number by number.
enum CellTwins {
    struct Cells: Equatable {
        var colors: [UInt16] = []
        var limits: [UInt32] = []
        var luma: [UInt16] = []
    }

    /// - Parameter limited: the stages that are, a bit each.
    static func color(_ row: [UInt16], _ stages: [frost_color_stage], limited: Int32) -> Cells {
        var cells = Cells()
        for i in 0..<row.count / 4 {
            var pixel = row[4 * i..<4 * i + 4].map { Float($0) / 256 }
            var limits: UInt32 = 0
            var luma: UInt16 = 0
            for (s, stage) in stages.enumerated() {
                let before = ColorTwins.apply(stage, to: pixel, x: 0)
                if stage.kind == Int32(FROST_STAGE_LUMINANCE) { luma = place(pixel, stage) }
                guard limited >> Int32(s) & 1 != 0 else {
                    pixel = before
                    continue
                }
                // Alpha that no stage changes is as it arrived.
                let top = changesAlpha(stage) ? min(max(before[3], 0), 255) : before[3]
                let part = stage.kind == Int32(FROST_STAGE_MATRIX) ? ColorTwins.columns(stage)[5] : [0, 1]
                let (low, high) = (part[0] * top, part[1] * top)
                let after = before.enumerated().map { $0 == 3 ? top : min(max($1, low), high) }
                for c in 0..<4 where c < 3 || changesAlpha(stage) {
                    let (least, most) = c == 3 ? (0, 255) : (low, high)
                    if before[c] < least - FROST_LIMIT_SLACK { limits |= 1 << UInt32(8 * s + 2 * c) }
                    if before[c] > most + FROST_LIMIT_SLACK { limits |= 2 << UInt32(8 * s + 2 * c) }
                }
                pixel = after
            }
            cells.colors += pixel.map { UInt16(($0 * 256).rounded(.toNearestOrEven)) }
            cells.limits.append(limits)
            cells.luma.append(luma)
        }
        return cells
    }

    private static func changesAlpha(_ stage: frost_color_stage) -> Bool {
        guard stage.kind == Int32(FROST_STAGE_MATRIX) else { return false }
        let columns = ColorTwins.columns(stage)
        return columns.enumerated().contains { $0 < 5 && $1[3] != ($0 == 3 ? 1 : 0) }
    }

    private static func place(_ pixel: [Float], _ stage: frost_color_stage) -> UInt16 {
        let weights = ColorTwins.columns(stage)[0]
        guard pixel[3] > 0 else { return 65535 }
        var luma = pixel[0] * weights[0]
        luma += pixel[1] * weights[1]
        luma += pixel[2] * weights[2]
        return UInt16(min(max(luma / pixel[3], 0), 1) * 32640)
    }

    /// The numbers of a square's cells, each of `count`.
    private static func square<Value>(_ rows: [[Value]], _ n: Int, _ x: Int, _ count: Int = 1) -> [[Value]] {
        (0..<n).flatMap { t in (0..<n).map { Array(rows[t][count * (x + $0)..<count * (x + $0 + 1)]) } }
    }

    static func curveBends(_ luma: [[UInt16]], _ n: Int, _ most: Int, _ squares: Int) -> [UInt8] {
        (0..<squares).map { x in
            let values = square(luma, n, x).map { Int($0[0]) }.filter { $0 < 65535 }
            guard let least = values.min(), let greatest = values.max() else { return 0 }
            return greatest - least > most ? 1 : 0
        }
    }

    static func limitBends(
        _ rows: [[UInt16]], _ limits: [[UInt32]], _ n: Int, _ most: [UInt16], _ squares: Int
    ) -> [UInt8] {
        (0..<squares).map { x in
            let met = Set(square(limits, n, x).map { $0[0] })
            let cells = square(rows, n, x, 4)
            let isOpaque = cells.allSatisfy { $0[3] >= 4 * UInt16(FROST_FIXED_OPAQUE) }
            let range = (0..<4).map { c in (cells.map { $0[c] }.max() ?? 0) - (cells.map { $0[c] }.min() ?? 0) }.max()
            return met.count > 1 && (range ?? 0) > most[isOpaque ? 0 : 1] ? 1 : 0
        }
    }

    /// Rows of RGBA within limits, in 256ths of a step.
    static func limited(_ row: [UInt16], _ limits: frost_late_limits) -> [UInt16] {
        func number(_ list: (UInt16, UInt16, UInt16, UInt16), _ c: Int) -> Int {
            Int([list.0, list.1, list.2, list.3][c])
        }
        let above = row.enumerated().map { i, x in
            Int(limits.factor) * min(max(Int(x) - number(limits.low, i & 3), 0), number(limits.span, i & 3))
        }
        return above.indices.map { i in
            let alpha = above[i | 3] >= Int(limits.opaque) ? 65535 : above[i | 3]
            return UInt16(min(above[i], alpha) + number(limits.add, i & 3))
        }
    }

    /// Rows of RGBA, of 256ths of a step, with dither from pixel `phase` on.
    static func dithered(_ row: [UInt16], _ dither: Dither?, phase: UInt32) -> [UInt8] {
        let offsets = dither?.offsets
        var bytes = row.enumerated().map { i, value in
            let pixel = Int((phase &+ UInt32(i / 4)) % UInt32(Dither.period))
            let offset = i & 3 == 3 ? 128 : offsets.map { 4 * Int($0[pixel]) + 2 } ?? 128
            return UInt8(min(Int(value) + offset, 65535) >> 8)
        }
        for i in bytes.indices { bytes[i] = min(bytes[i], bytes[i | 3]) }
        return bytes
    }

    /// Straight pixels of premultiplied ones; `noise` is nil where there is none.
    static func divided(_ row: [UInt16], noise dither: Dither??, phase: UInt32) -> [UInt8] {
        func whole(_ x: Float) -> Float { (x + 8_388_608) - 8_388_608 }
        let offsets = (dither ?? nil)?.offsets
        return (0..<row.count / 4).flatMap { i -> [UInt8] in
            let alpha = whole(min(Float(row[4 * i + 3]) * (1.0 / 256), 255))
            let factor = (alpha > 0 ? 255 / alpha : 0) * (1.0 / 256)
            let offset = offsets.map { 4 * $0[(Int(phase) + i) % Dither.period] + 2 } ?? 128
            let noise = dither == nil ? 0 : (Float(offset) + 0.5) / 256 - 0.5
            let colors = (0..<3).map { UInt8(whole(min(max(Float(row[4 * i + $0]) * factor + noise, 0), 255))) }
            return colors + [UInt8(alpha)]
        }
    }
}
