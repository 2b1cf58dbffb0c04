import FrostCore

/// A draw that converts colours from one encoding to another, between a texture of the host and a texture of the
/// pipeline.
struct ConversionDraw {
    let key: ConversionKey
    let uniforms: Uniforms
    /// The size of the output in pixels.
    let width: Int
    let height: Int

    /// The values of the program's uniforms.
    struct Uniforms {
        var integers: [(ConversionUniform, SIMD4<Int32>)]
        var floats: [(ConversionUniform, SIMD4<Float>)]
    }

    /// Creates the draw that converts a part of an image of the host, for the pipeline's own texture.
    ///
    /// - Parameter window: the part, in the image's pixels.
    init(_ image: HostImage, to encoding: ColorEncoding, window: Rect) {
        let (x, y) = (Int32(clamping: window.x), Int32(clamping: window.y))
        let kind = DrawInput.host(image).kind
        key = ConversionKey(
            curves: Self.curves(image.encoding, encoding), isExternal: kind.isExternal,
            loadsStraight: image.format.needsPremultiplication, isOpaque: kind.isOpaque, kind: .light)
        uniforms = Uniforms(
            integers: [
                (.inputPlace, image.rises ? SIMD4(x, Int32(clamping: image.height) - 1 - y, 1, -1) : SIMD4(x, y, 1, 1)),
                (.outputPlace, SIMD4(0, 0, 1, 1)),
            ], floats: Self.uniforms(image.encoding, encoding))
        (width, height) = (window.width, window.height)
    }

    /// Creates the draw that converts the pipeline's own texture, for a target of the host.
    ///
    /// - Parameter region: the texture's rectangle in the image.
    init(_ encoding: ColorEncoding, to target: HostTarget, dither: Dither?, region: Rect) {
        var integers: [(ConversionUniform, SIMD4<Int32>)] = [(.inputPlace, SIMD4(0, 0, 1, 1))]
        if let placement = DrawTarget.host(target).placement { integers.append((.outputPlace, placement.uniform)) }
        if let dither {
            integers.append(
                (
                    .ditherAt,
                    SIMD4(
                        Int32(truncatingIfNeeded: region.x), Int32(truncatingIfNeeded: region.y),
                        Int32(bitPattern: dither.seed), 0)
                ))
        }
        var floats = Self.uniforms(encoding, target.encoding)
        let kind: ConversionKind
        if let steps = target.steps {
            kind = .steps
            floats.append((.steps, SIMD4(Float(steps.color), Float(steps.alpha), 0, 0)))
        } else {
            kind = .halves
        }
        key = ConversionKey(
            curves: Self.curves(encoding, target.encoding), isOpaque: !target.format.channels.hasAlpha, kind: kind,
            isStraight: target.format.needsPremultiplication, isDithered: kind == .steps && dither != nil)
        uniforms = Uniforms(integers: integers, floats: floats)
        (width, height) = (region.width, region.height)
    }

    private static func curves(_ source: ColorEncoding, _ target: ColorEncoding) -> ConversionKey.Curves? {
        guard !source.hasSameNumbers(as: target) else { return nil }
        return ConversionKey.Curves(
            decode: ConversionCurve(source.transfer), encode: ConversionCurve(target.transfer))
    }

    private static func uniforms(
        _ source: ColorEncoding, _ target: ColorEncoding
    ) -> [(ConversionUniform, SIMD4<Float>)] {
        func vector(_ value: SIMD3<Double>) -> SIMD4<Float> { SIMD4<Float>(SIMD4(value, 0)) }
        let columns = (source.primaries.matrix(to: target.primaries) * (source.unit / target.unit)).columns
        return [
            (.redColumn, vector(columns[0])), (.greenColumn, vector(columns[1])), (.blueColumn, vector(columns[2])),
            (.inputLuminance, vector(source.primaries.luminance)),
            (.outputLuminance, vector(target.primaries.luminance)),
        ]
    }
}

extension HostTarget {
    /// The number of steps from 0 to 1 in colour and alpha; nil if the target holds floats.
    fileprivate var steps: (color: Int, alpha: Int)? {
        guard !format.sample.isFloat else { return nil }
        switch depth {
        case .eight: return (255, 255)
        case .ten: return (1023, 3)
        }
    }
}
