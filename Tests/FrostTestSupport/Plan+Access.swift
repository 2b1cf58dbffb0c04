public import FrostCore

// Shortcuts to the parts of a plan, for tests that expect a particular kind of plan.
extension Plan {
    /// The kernel of the plan's disc, motion or zoom blur; nil if the plan has no such blur.
    public var kernel2D: Kernel2D? { if case .kernel2D(let kernel) = work { kernel } else { nil } }

    /// The plan's blend of blur levels; nil if the plan does not blend levels.
    public var blend: Blend? { if case .blend(let blend) = work { blend } else { nil } }

    /// Creates a plan that consists of the given passes. If there are no passes, the plan only copies pixels.
    public init(
        extent: Rect, region: Rect, passes: [Pass], slots: [Slot], errorBound: Double,
        outputStages: OutputStages = OutputStages()
    ) {
        self.init(
            extent: extent, region: region, work: passes.isEmpty ? .copy : .passes(Passes(passes, slots: slots)),
            errorBound: errorBound, outputStages: outputStages)
    }
}
