public import FrostCore

// Shortcuts to the parts of a plan, for tests that expect a particular kind of plan.
extension Plan {
    /// The plan's passes in order; empty for plans of other kinds. Setting them turns the plan into one of passes.
    public var passes: [Pass] {
        get {
            switch work {
            case .passes(let passes): passes.list
            case .copy, .kernel2D, .blend: []
            }
        }
        set { work = newValue.isEmpty && slots.isEmpty ? .copy : .passes(Passes(newValue, slots: slots)) }
    }

    /// The slots of a plan of passes; empty for plans of other kinds. Setting them turns the plan into one of passes.
    public var slots: [Slot] {
        get {
            switch work {
            case .passes(let passes): passes.slots
            case .copy, .kernel2D, .blend: []
            }
        }
        set { work = .passes(Passes(passes, slots: newValue)) }
    }

    /// The kernel of a disc, motion or zoom blur; nil for plans of other kinds.
    public var kernel2D: Kernel2D? { if case .kernel2D(let kernel) = work { kernel } else { nil } }

    /// The blend of blur levels; nil for plans of other kinds.
    public var blend: Blend? { if case .blend(let blend) = work { blend } else { nil } }

    /// True if the plan only copies pixels.
    public var isCopy: Bool { work == .copy }

    /// Creates a plan of passes, or a copy if there are no passes.
    public init(
        extent: Rect, region: Rect, passes: [Pass], slots: [Slot], errorBound: Double,
        outputStages: OutputStages = OutputStages()
    ) {
        self.init(
            extent: extent, region: region, work: passes.isEmpty ? .copy : .passes(Passes(passes, slots: slots)),
            errorBound: errorBound, outputStages: outputStages)
    }
}
