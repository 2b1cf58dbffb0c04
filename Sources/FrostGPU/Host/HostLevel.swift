package import FrostCore
import FrostGLES

/// The image between the two halves of a ``LayeredPlan``, kept in a texture from one frame to the next. Results that
/// are drawn from it equal those that ``HostExecutor/execute(_:source:mask:target:cancellation:)`` draws texel by
/// texel, bit for bit, whatever parts it was computed and used in.
///
/// Only the last pass reads it, so that a panel costs one draw over its own area.
///
/// Not thread-safe: to be used only while the host's context is current.
package final class HostLevel {
    package let layers: LayeredPlan
    private let executor: HostExecutor
    private let slot: Slot
    private let wantsFloats: Bool
    /// Made with the first texels.
    private var target: Target?

    /// Its texels are not computed yet.
    ///
    /// - Parameter plan: of a result, for the whole extent; nil is returned if there is nothing worth keeping.
    package init?(_ plan: Plan, on executor: HostExecutor) {
        switch plan.work {
        case .copy, .kernel2D, .blend: return nil
        case .passes(let passes):
            guard passes.list.count > 1, case .slot(let index) = passes.list[passes.list.count - 2].to else {
                return nil
            }
            layers = LayeredPlan(plan, cut: passes.list.count - 1)
            slot = passes.slots[index]
            wantsFloats = Self.wantsFloats(plan, passes)
            self.executor = executor
        }
    }

    /// Whether a result's plan is made of these texels: whatever its region and output stages.
    package func serves(_ plan: Plan) -> Bool {
        switch plan.work {
        case .copy, .kernel2D, .blend: false
        case .passes(let passes): layers.serves(plan) && wantsFloats == Self.wantsFloats(plan, passes)
        }
    }

    private static func wantsFloats(_ plan: Plan, _ passes: Passes) -> Bool {
        !plan.outputStages.isEmpty
            && FormatChoice.wantsFloats(intermediates: passes.list.count - 1, plan.outputStages.amplification)
    }

    /// Computes a rectangle of texels.
    ///
    /// - Parameter cells: within the level's window.
    /// - Returns: the number of passes drawn.
    package func update(_ cells: Rect, source: HostImage) throws(GPUError) -> Int {
        var plan = layers.first(cells)
        var passes = try plan.requirePasses()
        passes.list.removeSubrange(layers.cut...)
        passes.list[layers.cut - 1].to = .output
        plan.work = .passes(passes)
        plan.region = cells
        plan.outputStages = OutputStages()
        var work = try executor.work(plan, source, nil, source.format)
        work.output = .level
        work.isExact = true
        work.wantsFloats = wantsFloats
        return try executor.perform { (pipeline, gl) throws(GPUError) in
            let target = try self.target(work, pipeline, gl)
            work.ends.target = .part(target, x: cells.x - layers.window.x, y: cells.y - layers.window.y)
            return try pipeline.draw(work, in: gl).passes
        }
    }

    private func target(
        _ work: Work, _ pipeline: Pipeline, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        if let target { return target }
        let format = try work.choice(of: pipeline.formats).intermediate(isSigned: slot.isSigned)
        let made = try pipeline.take(layers.window.size(format.format), in: gl)
        target = made
        return made
    }

    /// Draws a result that is made of the texels, which have to be computed as far as it reads them.
    ///
    /// - Parameters:
    ///   - plan: one that is served, for any region within the extent.
    ///   - target: receives the region.
    package func draw(
        _ plan: Plan, source: HostImage, mask: MaskImage?, target output: HostTarget
    ) throws(GPUError) {
        guard let target else { throw .invalidPlan("a level without cells") }
        var plan = plan
        var passes = try plan.requirePasses()
        guard let last = passes.list.last else { throw .invalidPlan("a plan without passes") }
        passes.list = [last]
        switch last.from {
        case .slot(let index): passes.slots[index].window = layers.window
        case .source, .output: throw .invalidPlan("a last pass that reads no slot")
        }
        plan.work = .passes(passes)
        var work = try executor.work(plan, source, mask, output.format, given: last.from)
        work.isExact = true
        work.ends.target = .host(output)
        work.ends.kept = (last.from, target)
        try executor.perform { (pipeline, gl) throws(GPUError) in _ = try pipeline.draw(work, in: gl) }
    }

    /// Gives the texture back.
    package func drop() {
        if let target { executor.giveBack(target) }
        target = nil
    }
}
