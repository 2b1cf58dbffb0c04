package import FrostCore

/// The encodings that colours have on their way from a source of the host, through the blur and the output stages, to
/// the target. Colours are converted in 32-bit floats, which the pipeline's own textures then have.
///
/// - Without linear light, and without stages that are defined on sRGB colours, the source's numbers are blurred.
/// - For linear light, light is blurred (``ColorEncoding/light``). Masks and clips then mix light with the original's
///   light, except for sRGB sources: there they mix sRGB numbers, as they do without conversions.
/// - Colour stages and content are defined on sRGB colours. Effects with them blur sRGB numbers or the light of BT.709.
///   The stages clamp to 0...1, that is, to colours of BT.709 up to the luminance of white.
struct ColorPath: Hashable {
    /// The encoding of the numbers that are blurred.
    let blurred: ColorEncoding
    /// The encoding of the output stages' colours, which is also the encoding of the original that masks and clips
    /// show.
    let stages: ColorEncoding
    /// The plan for the converted source. It decodes nothing.
    let plan: Plan

    /// - Returns: nil if the plan can be drawn without conversions, from the source into the target.
    init?(_ plan: Plan, source: ColorEncoding, target: HostTarget) {
        let isLinear = plan.decoding != nil
        var inside = plan.outputStages.inside
        if isLinear, case .encode? = inside.first { inside.removeFirst() }
        let hasColors = !inside.isEmpty || !plan.outputStages.over.isEmpty || !plan.outputStages.content.isEmpty
        if target.sharesSRGB(with: source) || !isLinear && !hasColors && target.keepsNumbers(of: source) {
            return nil
        }
        let mixesNumbers = source.isSRGB && plan.outputStages.readsOriginal
        var plan = plan
        switch (isLinear, hasColors || isLinear && mixesNumbers) {
        case (false, false): (blurred, stages) = (source, source)
        case (true, false):
            (blurred, stages) = (source.light, source.light)
            plan.errorBound /= plan.outputStages.amplification
            plan.outputStages.inside = []
            plan.errorBound *= plan.outputStages.amplification
        case (false, true): (blurred, stages) = (source.stageColors, source.stageColors)
        case (true, true):
            (blurred, stages) = (source.stageColors.light, source.stageColors)
            plan.outputStages.inside = [.encode(.sRGB)] + inside
        }
        plan.decoding = nil
        self.plan = plan
    }
}

extension HostTarget {
    /// Whether every effect is drawn without conversions: source and target have sRGB numbers of the same light, and
    /// the target is not rounded to 10 bits.
    package func sharesSRGB(with source: ColorEncoding) -> Bool { source.isSRGB && keepsNumbers(of: source) }

    /// Whether results with a source's numbers can be written without a conversion.
    func keepsNumbers(of source: ColorEncoding) -> Bool { source.hasSameNumbers(as: encoding) && depth == .eight }
}

extension HostExecutor {
    /// The error bound of an effect between a source and a target of the host.
    package struct ErrorBound: Hashable {
        /// The maximum distance from the exact effect, before rounding, in 1/255 of the distance from 0 to 1 in the
        /// numbers that are blurred, for images between 0 and 1.
        package var steps: Double
        /// The same in nits, for images between no light and the light of the source's 1.0; nil if numbers are blurred
        /// that are not proportional to light.
        package var nits: Double?
    }

    /// The share of the brightest light in an image by which arithmetic in 32-bit floats may be off.
    private static let roundingError = 0x1p-20

    /// Returns the error bound of a plan.
    package static func errorBound(
        of plan: Plan, _ source: ColorEncoding, _ target: HostTarget
    ) -> ErrorBound {
        let path = ColorPath(plan, source: source, target: target)
        let steps = path?.plan.errorBound ?? plan.errorBound
        let isLight: Bool
        if let path {
            isLight = path.stages.isLight
        } else {
            isLight = source.isLight
        }
        guard isLight else { return ErrorBound(steps: steps, nits: nil) }
        let growth = source.primaries.matrix(to: target.encoding.primaries).growth
        return ErrorBound(steps: steps, nits: (steps / 255 + roundingError) * source.unit * growth)
    }
}

extension ColorEncoding {
    /// Whether numbers are sRGB numbers, whatever the light of white.
    fileprivate var isSRGB: Bool { hasSameNumbers(as: stageColors) }

    /// Whether numbers are proportional to light.
    fileprivate var isLight: Bool {
        switch transfer {
        case .linear, .scRGB: true
        case .sRGB, .gamma22, .pq, .hlg: false
        }
    }
}

extension Matrix3 {
    /// The maximum factor by which the matrix enlarges an error of a component.
    fileprivate var growth: Double {
        (0..<3).reduce(0) { growth, row in max(growth, columns.reduce(0) { $0 + abs($1[row]) }) }
    }
}
