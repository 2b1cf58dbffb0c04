/// The uniforms of filter.frag and filter.output.glsl, but for samplers and blocks, by the names that they have there.
enum Uniform: Int, CaseIterable {
    case axis, bias, centre, centrePart, decoding, decodingExponent, fetchCount, fetchesAt, inputOrigin, levelOrigins
    case levelShares, levelSizes, outputOrigin, outputPlace, range, rangeX, rangeY, reaches, runCount, shareBounds
    case store, tapCount, texelSize, topRow, walk, walkX, walkY
}

/// A uniform's value, in the type that the shader declares.
enum UniformValue: Hashable {
    case int(Int32)
    case int2(SIMD2<Int32>)
    case int4(SIMD4<Int32>)
    case float(Float)
    case float2(SIMD2<Float>)
    case float4(SIMD4<Float>)
}

/// What a draw gives its program.
typealias UniformValues = [(Uniform, UniformValue)]

/// The texture units of the shader's samplers, which have the same names.
enum TextureUnit: Int, CaseIterable {
    case inputImage, originalImage, maskImage, contentImage, upperImage
}

/// The binding points of the shader's uniform blocks.
enum UniformBlock: Int, CaseIterable {
    case taps, outputStages

    /// Its name in the shader.
    var name: String {
        switch self {
        case .taps: "Taps"
        case .outputStages: "OutputStages"
        }
    }
}
