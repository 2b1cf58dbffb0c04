import FrostCore

/// The conversions of a plan between a source and a target of the host, and the plan that is drawn between them.
/// ``HostExecutor`` and ``HostLevel`` both follow it, so that panels have the pixels of rendered effects.
struct ColorRoute {
    /// The plan for the numbers between the conversions.
    let plan: Plan
    /// The conversion of the result; nil if the last draw writes the target.
    let output: Work.OutputConversion?
    /// The part of the route on which the pixels of a ``HostLevel`` depend.
    let level: Level
    /// The encoding of the original that masks and clips show, if it differs from the one that is blurred.
    private let original: ColorEncoding?

    struct Level: Hashable {
        /// The encoding of the numbers that are blurred; nil if they are the source's, without conversions.
        let blurred: ColorEncoding?
        /// The format of the values that the last draw of the plan writes.
        let format: PixelFormat

        /// Returns the conversion of a source; nil if it is read directly.
        func input(_ source: HostImage, original: ColorEncoding? = nil) -> Work.InputConversion? {
            blurred.flatMap { Work.InputConversion(source, blurred: $0, original: original) }
        }
    }

    init(_ plan: Plan, source: ColorEncoding, target: HostTarget) {
        guard let path = ColorPath(plan, source: source, target: target) else {
            self.plan = plan
            (output, original) = (nil, nil)
            level = Level(blurred: nil, format: target.format)
            return
        }
        var plan = path.plan
        if path.stages.hasSameNumbers(as: target.encoding), target.depth == .eight {
            output = nil
        } else {
            output = Work.OutputConversion(
                target: target, result: path.stages, dither: plan.outputStages.dither, region: plan.region)
            plan.outputStages.dither = nil
        }
        self.plan = plan
        original = plan.outputStages.readsOriginal && path.stages != path.blurred ? path.stages : nil
        level = Level(blurred: path.blurred, format: output == nil ? target.format : Work.convertedFormat)
    }

    /// Returns the conversion of a source; nil if it is read directly.
    func input(_ source: HostImage) -> Work.InputConversion? { level.input(source, original: original) }
}
