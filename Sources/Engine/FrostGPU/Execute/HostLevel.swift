package import FrostCore
import FrostDrawing
import FrostGLES

/// A ``LayeredPlan`` splits a plan into two parts, with an intermediate image between the parts. This object keeps the
/// intermediate image in a texture, from one frame to the next. Results that are drawn from this texture equal, bit for
/// bit, the results of ``HostExecutor/execute(_:source:mask:target:cancellation:)``. The results do not depend on the rectangles in which the texture was computed, or on the rectangles in which results are
/// drawn.
///
/// The texture has the resolution below the last interpolations, which a panel computes in two draws over its area. A
/// plan without interpolations keeps the image before the last pass.
///
/// Not thread-safe: use it only while the host's context is current.
package final class HostLevel {
    /// The split of the plan into passes that compute the texture and passes that read it.
    package let layers: LayeredPlan
    private let executor: HostExecutor
    private let slot: Slot
    private let wantsFloats: Bool
    private let source: ColorEncoding
    private let output: HostTarget
    private let colors: ColorRoute.Level
    /// The texture, which is created when its first texels are computed.
    private var target: Target?
    /// The executor's generation in which the texture was created.
    private var generation = 0

    /// Creates a level without computing any texels. Returns nil if the plan has nothing worth keeping.
    ///
    /// - Parameters:
    ///   - plan: the plan of a result, for the whole extent.
    ///   - source: a description of the sources. Their textures may differ, but not their formats and encodings.
    ///   - target: a description of the targets, with the same rule.
    package init?(_ plan: Plan, from source: HostImage, to target: HostTarget, on executor: HostExecutor) {
        let passes = Passes(plan.passes, slots: plan.slots)
        let cut = passes.lastGroup
        guard cut > 0, case .slot(let index) = passes.list[cut - 1].to else { return nil }
        layers = LayeredPlan(plan, cut: cut)
        slot = passes.slots[index]
        let route = ColorRoute(plan, source: source.encoding, target: target.colors)
        colors = route.level
        wantsFloats = Self.wantsFloats(route.plan)
        self.source = source.encoding
        output = target
        self.executor = executor
    }

    /// Whether a plan can be drawn from the texels of this level. The plan's region and output stages may differ from
    /// those of the plan with which the level was created.
    package func serves(_ plan: Plan) -> Bool {
        let route = ColorRoute(plan, source: source, target: output.colors)
        return layers.serves(plan) && wantsFloats == Self.wantsFloats(route.plan) && colors == route.level
    }

    private static func wantsFloats(_ plan: Plan) -> Bool {
        !plan.outputStages.isEmpty
            && FormatChoice.wantsFloats(
                intermediates: plan.passes.count - 1, plan.outputStages.amplification)
    }

    /// Whether the texels that were computed still exist. They are given up if the GL refuses a call.
    package var isValid: Bool { target == nil || generation == executor.generation }

    /// Computes a rectangle of the level's texels.
    ///
    /// - Parameter cells: the rectangle, within the level's window.
    /// - Returns: the number of passes drawn.
    package func update(_ cells: Rect, source: HostImage) throws(GPUError) -> Int {
        var execution = try updating(cells, source: source)
        return try executor.perform { (pipeline, gl) throws(GPUError) in
            let target = try self.target(execution, pipeline, gl)
            execution.ends.target = .part(target, x: cells.x - layers.window.x, y: cells.y - layers.window.y)
            return try pipeline.draw(execution, in: gl).passes
        }
    }

    /// Loads or compiles the programs with which the level is computed and a result is drawn, without drawing. The
    /// textures and surfaces need not exist.
    package func prepare(
        _ plan: Plan, source: HostImage, mask: MaskImage?, target output: HostTarget
    ) throws(GPUError) {
        let update = try updating(layers.window, source: source)
        let draw = try drawing(plan, source: source, mask: mask, target: output).execution
        try executor.perform { (pipeline, gl) throws(GPUError) in
            try pipeline.prepare(update, in: gl)
            try pipeline.prepare(draw, in: gl)
        }
    }

    /// Returns the execution that computes a rectangle of the level's texels, without its target.
    private func updating(_ cells: Rect, source: HostImage) throws(GPUError) -> Execution {
        var plan = layers.first(cells)
        var passes = Passes(plan.passes, slots: plan.slots)
        passes.list.removeSubrange(layers.cut...)
        passes.list[layers.cut - 1].to = .output
        plan.work = .passes(passes)
        plan.region = cells
        plan.outputStages = OutputStages()
        if colors.blurred != nil { plan.decoding = nil }
        var execution = try Execution(
            plan, source: source, input: Execution.InputConversion(source, blurred: colors.blurred), mask: nil,
            target: colors.format, limits: executor.drawLimits, patience: executor.options.patience(nil))
        execution.output = .level
        execution.wantsFloats = wantsFloats
        return execution
    }

    private func target(
        _ execution: Execution, _ pipeline: Pipeline, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        if let target, isValid { return target }
        let format = try execution.choice(of: pipeline.formats).intermediate(isSigned: slot.isSigned)
        var key = layers.window.size(format.format)
        key.isKept = true
        let target = try pipeline.take(key, in: gl)
        self.target = target
        generation = pipeline.generation
        return target
    }

    /// Draws a result from the level's texels. All texels that the result reads must have been computed.
    ///
    /// - Parameters:
    ///   - plan: a plan for which ``serves(_:)`` is true, for any region within the extent.
    ///   - window: the texture that the plan's content stands for, if it stands for one.
    ///   - target: the surface that receives the region.
    package func draw(
        _ plan: Plan, source: HostImage, mask: MaskImage?, window: HostWindow? = nil, target output: HostTarget
    ) throws(GPUError) {
        guard let target, isValid else { throw .invalidPlan("the level has no texels") }
        var (execution, place) = try drawing(plan, source: source, mask: mask, target: output)
        execution.ends.kept = (place, target)
        execution.ends.content = try window?.content
        try executor.perform { (pipeline, gl) throws(GPUError) in _ = try pipeline.draw(execution, in: gl) }
    }

    /// Returns the execution that draws a result, without the level's texture, and the place of the plan that this texture
    /// takes.
    func drawing(
        _ plan: Plan, source: HostImage, mask: MaskImage?, target output: HostTarget
    ) throws(GPUError) -> (execution: Execution, place: Place) {
        var plan = plan
        var passes = Passes(plan.passes, slots: plan.slots)
        passes.list.removeSubrange(..<layers.cut)
        guard case .slot(let index)? = passes.list.first?.from else {
            throw .invalidPlan("the passes after the level do not read a slot")
        }
        passes.slots[index].window = layers.window
        plan.work = plan.work.kind.replacing(passes)
        var execution = try Execution(
            plan, source: source, mask: mask, target: output, given: .slot(index), limits: executor.drawLimits,
            patience: executor.options.patience(nil))
        // The formats of the whole plan, which has more intermediates than the passes after the level.
        execution.wantsFloats = wantsFloats
        return (execution, .slot(index))
    }

    /// Gives the texture back to the pool.
    package func drop() {
        if let target { executor.giveBack(target) }
        target = nil
    }
}
