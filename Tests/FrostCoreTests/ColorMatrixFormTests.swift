@testable import FrostCore
import FrostTestSupport
import Testing

/// A form's arithmetic gives the colours of the whole matrix.
struct ColorMatrixFormTests {
    /// Applies the form as its documentation says.
    private func applied(_ form: ColorMatrix.Form, _ matrix: ColorMatrix, to color: SIMD4<Double>) -> SIMD4<Double> {
        switch form {
        case .general: return matrix(color)
        case .adjustment(let scale, let weights):
            let sum = (weights * color).sum()
            return SIMD4(SIMD3(color[0], color[1], color[2]) * scale + sum, color[3])
        case .tint(let scale, let constant): return color * scale + constant
        }
    }

    static let adjustments: [ColorMatrix] = [
        .saturation(1.8), .saturation(-2, luma: .gpuImage), .brightness(0.25), .contrast(1.4), .rangeReduction(0.6),
    ]
    static let tints: [ColorMatrix] = [
        ColorMatrix(), .tint(Color(unchecked: 0.2, 0.9, 0.4, 0.3)),
        .tint(Color(unchecked: 1, 1, 1, 1)),
    ]
    /// Matrices that differ from a special form in one number.
    static let general: [ColorMatrix] = {
        var matrices = [ColorMatrix.opaque]
        for base in [adjustments[0], tints[1]] {
            for column: WritableKeyPath<ColorMatrix, SIMD4<Double>> in [\.red, \.green, \.blue, \.alpha] {
                for channel in 0..<4 {
                    var matrix = base
                    matrix[keyPath: column][channel] += 1e-6
                    matrices.append(matrix)
                }
            }
        }
        var raised = adjustments[1]
        raised.one[2] = 1e-6
        return matrices + [raised]
    }()

    @Test(arguments: adjustments + tints + general)
    func formEqualsTheMatrix(_ matrix: ColorMatrix) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let color = SIMD4<Double>((0..<4).map { _ in Double.random(in: 0...1, using: &random) })
            let difference = applied(matrix.form, matrix, to: color) - matrix(color)
            // Each special form has at most four additions of numbers below 16.
            #expect((0..<4).allSatisfy { abs(difference[$0]) < 1e-11 }, "\(matrix.form)")
        }
    }

    @Test(arguments: adjustments) func adjustmentsAreFound(_ matrix: ColorMatrix) {
        guard case .adjustment = matrix.form else { return #expect(Bool(false), "\(matrix.form)") }
    }

    @Test(arguments: tints) func tintsAreFound(_ matrix: ColorMatrix) {
        guard case .tint = matrix.form else { return #expect(Bool(false), "\(matrix.form)") }
    }

    @Test(arguments: general) func otherMatricesAreGeneral(_ matrix: ColorMatrix) {
        #expect(matrix.form == .general)
    }
}
