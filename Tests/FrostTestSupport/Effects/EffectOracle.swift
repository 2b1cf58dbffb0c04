public import FrostCore
import FrostExact

/// Computes the result of an effect in Double. It is written from descriptions of the original systems and has its own
/// tables. It uses the library's exact Gaussian, but none of the library's effect code.
public struct EffectOracle {
    /// A pixel as premultiplied red, green, blue and alpha, each in 0...1.
    public typealias Pixel = [Double]

    /// The sigma of the Gaussian in pixels.
    public var sigma = 0.0
    /// The box blur that replaces the Gaussian, if set. The width is in pixels.
    var boxes: (width: Int, passes: Int)?
    /// The disc, motion or zoom blur that replaces the Gaussian, if set.
    var kernel2D: Kernel2DOracle?
    /// The blur with a variable sigma that replaces the Gaussian, if set.
    var variable: VariableOracle?
    /// The mosaic that replaces the Gaussian, if set. Its colour changes follow the colour stages inside the mask.
    var mosaic: MosaicOracle?
    /// The lens behind the blur, and the light of its edge after all colour stages, if set.
    var glass: GlassOracle?
    var edge = EdgeMode.clamp
    /// The colour stages applied to the blurred pixel before the mask, in order.
    var inside: [(Pixel) -> Pixel] = []
    /// The colour stages applied after the mask, in order.
    var over: [(Pixel) -> Pixel] = []
    /// The images drawn over the result of all colour stages, from bottom to top.
    public var content: [ContentOracle] = []
    /// The mask: a function of a pixel's centre and of the image's size, both in pixels. Its value is the weight of the
    /// effect at this pixel: 0 shows the original pixel, and 1 shows the effect alone.
    var mask: ((_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double)?

    /// Computes the effect's result for an image, as premultiplied RGBA.
    ///
    /// - Throws: errors of the exact Gaussian.
    public func render(_ image: PixelBuffer, region: Rect? = nil) throws -> SampleRows {
        let extent = image.layout.extent
        let region = region ?? extent
        let original = SampleRows(image).expanded(to: .rgba)
        let blurred: SampleRows
        if let variable {
            blurred = try variable.render(image, region: region)
        } else if let boxes {
            blurred = BoxOracle(widthX: boxes.width, widthY: boxes.width, passes: boxes.passes, edge: edge)
                .render(original, region: region)
        } else if let mosaic {
            blurred = mosaic.render(original, region: region)
        } else if let kernel2D {
            blurred = kernel2D.render(original, edge: edge, region: region)
        } else {
            let blur = try GaussianBlur(sigma: sigma, edge: edge)
            let rows = try Blurring.exact(blur, image, region: region).rows.expanded(to: .rgba)
            precondition(glass == nil || region == extent, "glass of a whole picture only")
            blurred = glass?.refracted(rows) ?? rows
        }
        let (width, height) = (Double(image.width), Double(image.height))
        return SampleRows(width: region.width, height: region.height, channels: .rgba) { row in
            let pixels = blurred[row]
            let y = row + region.y
            let source = mask == nil ? [] : original[y]
            return (0..<region.width).flatMap { column -> Pixel in
                var pixel = Array(pixels[4 * column..<4 * column + 4])
                for stage in inside { pixel = Self.clamped(stage(pixel)) }
                if let mosaic { pixel = Self.clamped(mosaic.shifted(pixel, column + region.x, y, of: extent)) }
                if let mask {
                    let x = column + region.x
                    let part = mask(Double(x) + 0.5, Double(y) + 0.5, width, height)
                    for c in 0..<4 { pixel[c] = source[4 * x + c] * (1 - part) + pixel[c] * part }
                }
                for stage in over { pixel = Self.clamped(stage(pixel)) }
                if let glass {
                    let (x, y) = (Double(column + region.x) + 0.5, Double(y) + 0.5)
                    pixel = glass.lit(pixel, GlassOracle.place(x, y, width, height), half: min(width, height) / 2)
                }
                return content.reduce(pixel) { $1.draw(over: $0, x: column + region.x, y: y, extent: extent) }
            }
        }
    }

    /// Applies all colour stages to a blurred pixel, without the mask.
    public func finished(_ pixel: Pixel) -> Pixel { (inside + over).reduce(pixel) { Self.clamped($1($0)) } }

    /// Clamps alpha to 0...1 and each colour to 0...alpha.
    static func clamped(_ pixel: Pixel) -> Pixel {
        let alpha = max(0, min(1, pixel[3]))
        return pixel[..<3].map { max(0, min(alpha, $0)) } + [alpha]
    }

    /// Computes a box blur without colour stages.
    ///
    /// - Parameter extendsOnce: true to compute a deliberately wrong variant for comparison. In this variant the image is
    ///   extended only once, before the first pass.
    public static func boxes(
        _ image: PixelBuffer, widthX: Int, widthY: Int, passes: Int, edge: EdgeMode = .clamp, region: Rect? = nil,
        extendsOnce: Bool = false
    ) -> SampleRows {
        BoxOracle(widthX: widthX, widthY: widthY, passes: passes, edge: edge, extendsOnce: extendsOnce)
            .render(SampleRows(image).expanded(to: .rgba), region: region ?? image.layout.extent)
    }

    /// Computes a disc, motion or zoom blur without colour stages.
    public static func kernel2D(
        _ kernel: Kernel2DOracle, _ image: PixelBuffer, edge: EdgeMode = .clamp, region: Rect? = nil
    ) -> SampleRows {
        kernel.render(SampleRows(image).expanded(to: .rgba), edge: edge, region: region ?? image.layout.extent)
    }

    // MARK: Stages

    private static func luma(_ p: Pixel) -> Double { 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2] }
    private static func gpuImageLuma(_ p: Pixel) -> Double { 0.2125 * p[0] + 0.7154 * p[1] + 0.0721 * p[2] }

    static func saturation(_ s: Double) -> (Pixel) -> Pixel {
        { p in p[..<3].map { luma(p) + s * ($0 - luma(p)) } + [p[3]] }
    }

    /// Returns the stage that draws a straight colour over the pixel (source-over).
    static func tint(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) -> (Pixel) -> Pixel {
        { p in zip([red, green, blue, 1], p).map { $0 * alpha + $1 * (1 - alpha) } }
    }

    static func tint(white: Double, _ alpha: Double) -> (Pixel) -> Pixel { tint(white, white, white, alpha) }

    static func gpuImageSaturation(_ s: Double) -> (Pixel) -> Pixel {
        { p in p[..<3].map { gpuImageLuma(p) * (1 - s) + $0 * s } + [p[3]] }
    }

    static func rangeReduction(_ factor: Double) -> (Pixel) -> Pixel {
        { p in p[..<3].map { $0 + (0.5 * p[3] - gpuImageLuma(p)) * factor } + [p[3]] }
    }

    static func brightness(_ b: Double) -> (Pixel) -> Pixel { { p in p[..<3].map { $0 + b * p[3] } + [p[3]] } }

    /// Returns the stage that mixes each colour with a luminance curve. It works on straight colour and evaluates the Bézier
    /// curve by de Casteljau's construction.
    static func luminance(_ curve: [Double], _ amount: Double) -> (Pixel) -> Pixel {
        { p in
            guard p[3] > 0 else { return p }
            let y = min(max(luma(p) / p[3], 0), 1)
            var points = curve
            while points.count > 1 { points = zip(points, points.dropFirst()).map { $0 * (1 - y) + $1 * y } }
            return p[..<3].map { ($0 / p[3] * (1 - amount) + points[0] * amount) * p[3] } + [p[3]]
        }
    }
}
