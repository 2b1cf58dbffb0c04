/// The uniforms of the shaders, with their names there. Samplers and blocks are not included.
package enum Uniform: Int, CaseIterable {
    /// The uniform of entry.glsl in compute shaders.
    case area
    /// The uniform of trial.glsl.
    case fetches
    /// The uniforms of filter.glsl and filter.output.glsl.
    case axis, centre, centrePart, decoding, decodingExponent, inputOrigin, levelOrigins, levelShares, levelSizes
    case imagePlace, outputOrigin, outputPlace, pairCount, range, rangeX, rangeY, reaches, runCount, shareBounds,
        tapCount
    case walk, lensRange, lensCounts, lensNumbers, lensJoin
    /// The uniforms of convert.glsl, which also has `outputPlace`.
    case inputPlace, redColumn, greenColumn, blueColumn, inputLuminance, outputLuminance, steps, ditherAt
}

/// The value of a uniform, in the type that the shader declares.
package enum UniformValue: Hashable, Sendable {
    case int(Int32)
    case int2(SIMD2<Int32>)
    case int4(SIMD4<Int32>)
    case float(Float)
    case float2(SIMD2<Float>)
    case float4(SIMD4<Float>)
}

/// The uniforms that a draw sets in its program.
package typealias UniformValues = [(Uniform, UniformValue)]

/// The texture units of the samplers of filter.glsl and convert.glsl. The cases have the samplers' names.
package enum TextureUnit: Int, CaseIterable {
    case inputImage, originalImage, maskImage, contentImage, upperImage
}

/// The binding points of the shaders' uniform blocks.
package enum UniformBlock: Int, CaseIterable {
    case taps, outputStages, transition

    /// The name of the block in the shader.
    package var name: String {
        switch self {
        case .taps: "Taps"
        case .outputStages: "OutputStages"
        case .transition: "Transition"
        }
    }
}
