import CFrostKernels
import FrostCore

/// Stages of colour as the kernels for floats take them.
struct FloatStages {
    /// Rows of noise are set row by row.
    private(set) var stages: [frost_color_stage] = []
    private let grains: [Grain?]

    /// - Parameter maximum: what stands for 1.0.
    init(_ list: [ColorStage], maximum: Double) {
        grains = list.map { if case .grain(let grain) = $0 { grain } else { nil } }
        stages = list.map { stage in
            switch stage {
            case .matrix(let matrix):
                .matrix([matrix.red, matrix.green, matrix.blue, matrix.alpha, matrix.one * maximum])
            case .luminance(let curve): .luminance(curve)
            case .encode(let curve): frost_color_stage(encode: curve)
            case .grain(let grain):
                frost_color_stage(grain)
            }
        }
    }

    /// Stages for a row.
    mutating func prepare(row y: Int) {
        for (index, grain) in grains.enumerated() {
            if let grain { stages[index].noise_row = PixelNoise(seed: grain.seed).row(grain.cell(y)) }
        }
    }
}

extension frost_color_stage {
    fileprivate init(_ kind: some BinaryInteger, _ columns: [SIMD4<Double>]) {
        self.init()
        self.kind = Int32(kind)
        // SAFETY: six columns of four floats, as the struct declares.
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

    fileprivate init(_ grain: Grain) {
        self.init(FROST_STAGE_GRAIN, [SIMD4(grain.amplitude, grain.amplitude, grain.amplitude, 0)])
        level = Int32(grain.level)
    }

    /// Light to colour.
    init(encode curve: TransferFunction) {
        self.init(
            FROST_STAGE_TRANSFER,
            [
                SIMD4(curve.threshold / curve.slope, curve.slope, 1, 0),
                SIMD4(1 / curve.exponent, 1 + curve.offset, -curve.offset, 0),
            ])
    }

    /// Colour to light.
    init(decode curve: TransferFunction) {
        let scale = 1 / (1 + curve.offset)
        self.init(
            FROST_STAGE_TRANSFER,
            [SIMD4(curve.threshold, 1 / curve.slope, scale, curve.offset * scale), SIMD4(curve.exponent, 1, 0, 0)])
    }

    fileprivate static func luminance(_ curve: LuminanceCurve) -> frost_color_stage {
        let colors = SIMD4<Double>(1, 1, 1, 0) * curve.amount
        let curves = (0..<4).map { colors * curve.coefficients[$0] }
        return frost_color_stage(
            FROST_STAGE_LUMINANCE, [SIMD4(curve.luma.red, curve.luma.green, curve.luma.blue, 0)] + curves + [colors])
    }
}
