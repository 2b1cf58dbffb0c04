extension ColorMatrix {
    /// The form of a map. Maps of the special forms are described by five numbers instead of twenty.
    package enum Form: Hashable {
        /// The map has none of the special forms.
        case general
        /// Alpha does not change, and each colour c becomes `scale * c + weights · (red, green, blue, alpha)`.
        /// Saturation, brightness, contrast and most other adjustments have this form.
        case adjustment(scale: Double, weights: SIMD4<Double>)
        /// Each channel c becomes `scale * c + constant[c]`, also alpha. A colour drawn over the input has this form.
        case tint(scale: Double, constant: SIMD4<Double>)
    }

    /// The form of the map. Numbers that differ by no more than 1e-12, the error of a few additions, count as equal.
    package var form: Form {
        func areEqual(_ values: Double...) -> Bool { values.allSatisfy { abs($0 - values[0]) <= 1e-12 } }
        func isZero(_ values: SIMD4<Double>) -> Bool { areEqual(0, values[0], values[1], values[2], values[3]) }
        let offDiagonal = [red, green, blue, alpha].enumerated().map { channel, column in
            var rest = column
            rest[channel] = 0
            return rest
        }
        if offDiagonal.allSatisfy(isZero), areEqual(red[0], green[1], blue[2], alpha[3]) {
            return .tint(scale: red[0], constant: one)
        }
        let weights = SIMD4(red[1], green[2], blue[0], alpha[0])
        let scale = red[0] - weights[0]
        let keepsAlpha = areEqual(0, red[3], green[3], blue[3], 1 - alpha[3]) && isZero(one)
        let sharesWeights =
            areEqual(red[1], red[2]) && areEqual(green[2], green[0]) && areEqual(blue[0], blue[1])
            && areEqual(alpha[0], alpha[1], alpha[2])
            && areEqual(scale, green[1] - weights[1], blue[2] - weights[2])
        return keepsAlpha && sharesWeights ? .adjustment(scale: scale, weights: weights) : .general
    }
}
