public import FrostCore

// Short forms for tests of a plan's passes, which know what kind of plan they have.
extension Plan {
    public var passes: [Pass] {
        get {
            switch work {
            case .passes(let passes): passes.list
            case .copy, .kernel2D, .blend: []
            }
        }
        set { work = newValue.isEmpty && slots.isEmpty ? .copy : .passes(Passes(newValue, slots: slots)) }
    }

    public var slots: [Slot] {
        get {
            switch work {
            case .passes(let passes): passes.slots
            case .copy, .kernel2D, .blend: []
            }
        }
        set { work = .passes(Passes(passes, slots: newValue)) }
    }

    public var kernel2D: Kernel2D? { if case .kernel2D(let kernel) = work { kernel } else { nil } }

    public var blend: Blend? { if case .blend(let blend) = work { blend } else { nil } }

    public var isCopy: Bool { work == .copy }

    public init(
        extent: Rect, region: Rect, passes: [Pass], slots: [Slot], errorBound: Double,
        outputStages: OutputStages = OutputStages()
    ) {
        self.init(
            extent: extent, region: region, work: passes.isEmpty ? .copy : .passes(Passes(passes, slots: slots)),
            errorBound: errorBound, outputStages: outputStages)
    }
}
