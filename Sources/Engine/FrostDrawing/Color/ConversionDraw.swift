package import FrostCore

/// A draw that converts colours from one encoding to another, between a texture of the host and a texture of the
/// pipeline.
package struct ConversionDraw: Sendable {
    package let key: ConversionKey
    package private(set) var uniforms: UniformValues
    /// The areas of the output.
    package private(set) var parts: [DrawPart]

    /// Creates the draw that converts a part of an image of the host, for the pipeline's own texture.
    ///
    /// - Parameters:
    ///   - source: the image's colours.
    ///   - texture: the image's texture.
    ///   - map: the map from the image's pixels to the texture's texels.
    ///   - window: the part, in the image's pixels.
    package init(
        _ source: SurfaceColors, texture: ProgramKey.TextureKind, map: PixelMap, to encoding: ColorEncoding,
        window: Rect
    ) {
        self.init(source, texture, map.from(x: window.x, y: window.y), to: encoding, .floats)
        parts = [DrawPart(columns: 0..<window.width, rows: 0..<window.height)]
    }

    /// Creates the draw that copies a part of an image of the host into the texture of a content layer.
    ///
    /// - Parameters:
    ///   - width: the width of the image in pixels. The texture of the layer is twice as wide.
    ///   - window: the part, in the image's pixels.
    package init(
        content source: SurfaceColors, texture: ProgramKey.TextureKind, map: PixelMap, width: Int, window: Rect
    ) {
        self.init(source, texture, map, to: .sRGB, .content)
        uniforms.append((.steps, .float4(SIMD4(Float(width), 0, 0, 0))))
        parts = [0, width].map { half in
            DrawPart(columns: half + window.x..<half + window.x + window.width, rows: window.rows)
        }
    }

    /// Creates the draw that copies samples of an image of the host, in the form of a content layer's texture.
    ///
    /// - Parameters:
    ///   - part: the samples.
    ///   - step: their distance in pixels of the image.
    ///   - width: the width of the result in pixels. Its texture is twice as wide.
    ///   - row: the row of the result in which the samples begin.
    package init(
        sampling source: SurfaceColors, texture: ProgramKey.TextureKind, map: PixelMap, _ part: SampleGrid.Part,
        step: Int, width: Int, row: Int
    ) {
        self.init(source, texture, map.from(x: part.x, y: part.y - row * step), to: .sRGB, .content, step: step)
        uniforms.append((.steps, .float4(SIMD4(Float(width), 0, 0, 0))))
        parts = [0, width].map { DrawPart(columns: $0..<$0 + part.columns, rows: row..<row + part.rows) }
    }

    /// Creates a draw without parts that reads an image of the host and writes the pipeline's own texture.
    ///
    /// - Parameter step: the distance in the image of pixels that are neighbours in the result.
    private init(
        _ source: SurfaceColors, _ texture: ProgramKey.TextureKind, _ map: PixelMap, to encoding: ColorEncoding,
        _ kind: ConversionKind, step: Int = 1
    ) {
        key = ConversionKey(
            curves: Self.curves(source.encoding, encoding), isExternal: texture.isExternal,
            loadsStraight: source.format.needsPremultiplication, isOpaque: texture.isOpaque, kind: kind,
            inputSwaps: map.swaps)
        let distance = Int32(truncatingIfNeeded: step)
        let place = map.uniform &* SIMD4(1, 1, distance, distance)
        uniforms =
            [(.inputPlace, .int4(place)), (.outputPlace, .int4(SIMD4(0, 0, 1, 1)))]
            + Self.uniforms(source.encoding, encoding)
        parts = []
    }

    /// Creates the draw that converts the pipeline's own texture, for a target of the host.
    ///
    /// - Parameters:
    ///   - placement: the position of the result in the target.
    ///   - region: the texture's rectangle in the image.
    package init(
        _ encoding: ColorEncoding, to target: SurfaceColors, placement: TargetPlacement, dither: Dither?, region: Rect
    ) {
        var uniforms = Self.uniforms(encoding, target.encoding)
        uniforms += [(.inputPlace, .int4(SIMD4(0, 0, 1, 1))), (.outputPlace, .int4(placement.uniform))]
        if let dither {
            let at = SIMD4(
                Int32(truncatingIfNeeded: region.x), Int32(truncatingIfNeeded: region.y),
                Int32(bitPattern: dither.seed), 0)
            uniforms.append((.ditherAt, .int4(at)))
        }
        let kind: ConversionKind
        if let steps = target.steps {
            kind = .steps
            uniforms.append((.steps, .float4(SIMD4(Float(steps.color), Float(steps.alpha), 0, 0))))
        } else {
            kind = .halves
        }
        key = ConversionKey(
            curves: Self.curves(encoding, target.encoding), isOpaque: !target.format.channels.hasAlpha, kind: kind,
            isStraight: target.format.needsPremultiplication, isDithered: kind == .steps && dither != nil,
            outputSwaps: placement.order == .swapped)
        self.uniforms = uniforms
        parts = [DrawPart(columns: 0..<region.width, rows: 0..<region.height)]
    }

    private static func curves(_ source: ColorEncoding, _ target: ColorEncoding) -> ConversionKey.Curves? {
        guard !source.hasSameNumbers(as: target) else { return nil }
        return ConversionKey.Curves(
            decode: ConversionCurve(source.transfer), encode: ConversionCurve(target.transfer))
    }

    private static func uniforms(_ source: ColorEncoding, _ target: ColorEncoding) -> UniformValues {
        func vector(_ value: SIMD3<Double>) -> UniformValue { .float4(SIMD4<Float>(SIMD4(value, 0))) }
        let columns = (source.primaries.matrix(to: target.primaries) * (source.unit / target.unit)).columns
        return [
            (.redColumn, vector(columns[0])), (.greenColumn, vector(columns[1])), (.blueColumn, vector(columns[2])),
            (.inputLuminance, vector(source.primaries.luminance)),
            (.outputLuminance, vector(target.primaries.luminance)),
        ]
    }
}
