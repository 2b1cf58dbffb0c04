import CFrostKernels

@testable import FrostCPU
@testable import FrostCore

/// Scalar Swift versions of two groups of kernels: the kernels that perform a plan's last interpolation, and the kernels
/// that process its input samples. They compute one number at a time.
enum OutputInterpolationTwins {
    /// Applies a colour matrix to samples without clamping the results.
    static func color(_ row: [UInt16], _ matrix: frost_color_stage) -> [UInt16] {
        applied(matrix, to: row).flatMap { $0.map { UInt16(($0 * 256).rounded(.toNearestOrEven)) } }
    }

    /// Returns the alpha of each sample after the colour matrix was applied. The unit is the 8-bit step, and the values are
    /// not rounded.
    static func alphas(_ row: [UInt16], _ matrix: frost_color_stage) -> [Float] {
        applied(matrix, to: row).map { $0[3] }
    }

    private static func applied(_ matrix: frost_color_stage, to row: [UInt16]) -> [[Float]] {
        (0..<row.count / 4).map { i in
            ColorTwins.apply(matrix, to: row[4 * i..<4 * i + 4].map { Float($0) / 256 }, x: 0)
        }
    }

    /// Clamps rows of RGBA samples to the limits. The unit of the samples is 1/256 of an 8-bit step.
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

    /// Converts rows of RGBA samples to bytes and adds dither. The unit of the samples is 1/256 of an 8-bit step. The first
    /// pixel uses the dither offset at index `phase` of the dither's period.
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

    /// Converts premultiplied pixels to straight bytes. If `dither` is nil, nothing is added before the rounding. If
    /// `dither` is an optional that contains nil, a constant dither offset of half a step is used.
    static func divided(_ row: [UInt16], dither: Dither??, phase: UInt32) -> [UInt8] {
        func whole(_ x: Float) -> Float { (x + 8_388_608) - 8_388_608 }
        let offsets = (dither ?? nil)?.offsets
        return (0..<row.count / 4).flatMap { i -> [UInt8] in
            let alpha = whole(min(Float(row[4 * i + 3]) * (1.0 / 256), 255))
            let factor = (alpha > 0 ? 255 / alpha : 0) * (1.0 / 256)
            let offset = offsets.map { 4 * $0[(Int(phase) + i) % Dither.period] + 2 } ?? 128
            let difference = dither == nil ? 0 : (Float(offset) + 0.5) / 256 - 0.5
            let colors = (0..<3).map { UInt8(whole(min(max(Float(row[4 * i + $0]) * factor + difference, 0), 255))) }
            return colors + [UInt8(alpha)]
        }
    }
}
