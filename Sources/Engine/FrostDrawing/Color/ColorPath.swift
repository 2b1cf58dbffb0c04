import FrostCore

/// The encodings that colours have on their way from a source of the host, through the blur and the output stages, to
/// the target. Colours are converted in 32-bit floats, which the pipeline's own textures then have.
///
/// - Without linear light, and without stages that are defined on sRGB colours, the source's numbers are blurred.
/// - For linear light, light is blurred (``ColorEncoding/linear``). Masks and clips then mix light with the original's
///   light, except for sRGB sources: there they mix sRGB numbers, as they do without conversions.
/// - Colour stages and content are defined on sRGB colours. Effects with them blur sRGB numbers or the light of BT.709.
///   The stages clamp to 0...1, that is, to colours of BT.709 up to the luminance of white.
struct ColorPath {
    /// The encoding of the numbers that are blurred.
    let blurred: ColorEncoding
    /// The encoding of the output stages' colours, which is also the encoding of the original that masks and clips
    /// show.
    let stages: ColorEncoding
    /// The plan for the converted source. It decodes nothing.
    let plan: Plan

    /// - Returns: nil if the plan can be drawn without conversions, from the source into the target.
    init?(_ plan: Plan, source: ColorEncoding, target: SurfaceColors) {
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
            (blurred, stages) = (source.linear, source.linear)
            plan.errorBound /= plan.outputStages.amplification
            plan.outputStages.inside = []
            plan.errorBound *= plan.outputStages.amplification
        case (false, true): (blurred, stages) = (source.stageColors, source.stageColors)
        case (true, true):
            (blurred, stages) = (source.stageColors.linear, source.stageColors)
            plan.outputStages.inside = [.encode(.sRGB)] + inside
        }
        plan.decoding = nil
        self.plan = plan
    }
}
