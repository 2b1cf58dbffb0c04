package import FrostCore

/// The conversions of a plan between a source and a target of the host, and the plan that is drawn between them. Effects
/// and panels both follow it, so that panels have the pixels of rendered effects.
package struct ColorRoute {
    /// The plan for the numbers between the conversions.
    package let plan: Plan
    /// The encoding of the result, which is then converted; nil if the last draw writes the target.
    package let result: ColorEncoding?
    /// The dither of the conversion.
    package let dither: Dither?
    /// The part of the route on which the pixels of a kept level depend.
    package let level: Level
    /// The encoding of the original that masks and clips show, if it differs from the one that is blurred.
    package let original: ColorEncoding?

    package struct Level: Hashable, Sendable {
        /// The encoding of the numbers that are blurred; nil if they are the source's, without conversions.
        package let blurred: ColorEncoding?
        /// The format of the values that the last draw of the plan writes.
        package let format: PixelFormat
    }

    /// The pixel format of converted sources, and of results that are to be converted.
    package static let convertedFormat = PixelFormat(.rgba, .f32, alpha: .premultiplied)

    package init(_ plan: Plan, source: ColorEncoding, target: SurfaceColors) {
        guard let path = ColorPath(plan, source: source, target: target) else {
            self.plan = plan
            (result, dither, original) = (nil, nil, nil)
            level = Level(blurred: nil, format: target.format)
            return
        }
        var plan = path.plan
        let isConverted = !path.stages.hasSameNumbers(as: target.encoding) || target.hasTenBits
        result = isConverted ? path.stages : nil
        dither = isConverted ? plan.outputStages.dither : nil
        if isConverted { plan.outputStages.dither = nil }
        self.plan = plan
        original = plan.outputStages.readsOriginal && path.stages != path.blurred ? path.stages : nil
        level = Level(blurred: path.blurred, format: isConverted ? Self.convertedFormat : target.format)
    }

    /// The share of the brightest light in an image by which arithmetic in 32-bit floats may be off.
    private static let roundingError = 0x1p-20

    /// Returns the error bound of an effect.
    ///
    /// - Returns: `steps` is the maximum distance from the exact effect, before rounding, in 1/255 of the distance from 0
    ///   to 1 in the numbers that are blurred, for images between 0 and 1. `nits` is the same in nits, for images between no
    ///   light and the light of the source's 1.0; nil if numbers are blurred that are not proportional to light.
    package static func errorBound(
        of plan: Plan, source: ColorEncoding, target: SurfaceColors
    ) -> (steps: Double, nits: Double?) {
        let path = ColorPath(plan, source: source, target: target)
        let steps = path?.plan.errorBound ?? plan.errorBound
        guard path?.stages.isLinear ?? source.isLinear else { return (steps, nil) }
        let growth = source.primaries.matrix(to: target.encoding.primaries).growth
        return (steps, (steps / 255 + roundingError) * source.unit * growth)
    }
}

extension Matrix3 {
    /// The maximum factor by which the matrix enlarges an error of a component.
    fileprivate var growth: Double {
        (0..<3).reduce(0) { growth, row in max(growth, columns.reduce(0) { $0 + abs($1[row]) }) }
    }
}
