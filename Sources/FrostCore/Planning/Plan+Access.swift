// Temporary: until every user switches over Plan.work.
extension Plan {
    package var passes: [Pass] {
        get { if case .passes(let passes) = work { passes.list } else { [] } }
        set { work = newValue.isEmpty && slots.isEmpty ? .copy : .passes(Passes(newValue, slots: slots)) }
    }
    package var slots: [Slot] {
        get { if case .passes(let passes) = work { passes.slots } else { [] } }
        set { work = .passes(Passes(passes, slots: newValue)) }
    }
    package var kernel2D: Kernel2D? { if case .kernel2D(let kernel) = work { kernel } else { nil } }
    package var blend: Blend? { if case .blend(let blend) = work { blend } else { nil } }
    package var isCopy: Bool { work == .copy }
    package init(
        extent: Rect, region: Rect, passes: [Pass], slots: [Slot], errorBound: Double,
        outputStages: OutputStages = OutputStages()
    ) {
        self.init(
            extent: extent, region: region, work: passes.isEmpty ? .copy : .passes(Passes(passes, slots: slots)),
            errorBound: errorBound, outputStages: outputStages)
    }
}
