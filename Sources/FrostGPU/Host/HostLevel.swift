package import FrostCore
import FrostGLES

/// The image between the two halves of a ``LayeredPlan``, kept in a texture from one frame to the next, and the ways into it and
/// out of it: what comes out is what ``HostExecutor/execute(_:source:mask:target:cancellation:)`` draws texel by texel, to the
/// bit, whatever parts it was computed and used in.
///
/// The last pass alone is made of it, so that a panel costs one draw over its own area.
///
/// Not thread-safe: lives where the host's context is current.
package final class HostLevel {
    package let layers: LayeredPlan
    private let executor: HostExecutor
    private let slot: Slot
    private let wantsFloats: Bool
    /// Made with the first cells.
    private var target: Target?

    /// Its cells are not computed yet.
    ///
    /// - Parameter plan: of a result, for the whole extent; nil is returned where there is nothing worth keeping.
    package init?(_ plan: Plan, on executor: HostExecutor) {
        guard plan.passes.count > 1, case .slot(let index) = plan.passes[plan.passes.count - 2].to else { return nil }
        layers = LayeredPlan(plan, cut: plan.passes.count - 1)
        slot = plan.slots[index]
        wantsFloats = Self.wantsFloats(plan)
        self.executor = executor
    }

    /// Whether a result's plan is made of these cells: whatever its region and finish.
    package func serves(_ plan: Plan) -> Bool { layers.serves(plan) && wantsFloats == Self.wantsFloats(plan) }

    private static func wantsFloats(_ plan: Plan) -> Bool {
        !plan.outputStages.isEmpty
            && FormatChoice.wantsFloats(intermediates: plan.passes.count - 1, plan.outputStages.amplification)
    }

    /// Computes a rectangle of cells.
    ///
    /// - Parameter cells: within the level's window.
    /// - Returns: the number of passes drawn.
    package func update(_ cells: Rect, source: HostImage) throws(GPUError) -> Int {
        var plan = layers.first(cells)
        plan.passes.removeSubrange(layers.cut...)
        plan.passes[layers.cut - 1].to = .output
        plan.region = cells
        plan.outputStages = OutputStages()
        let work = try executor.work(plan, source, nil, source.format)
        return try executor.perform { (pipeline, gl) throws(GPUError) in
            try pipeline.check(work.ends, in: gl)
            let target = try self.target(work, pipeline, gl)
            let part = DrawTarget.part(target, x: cells.x - layers.window.x, y: cells.y - layers.window.y)
            return try pipeline.drawLevel(work, wantsFloats: wantsFloats, into: part, in: gl)
        }
    }

    private func target(
        _ work: Work, _ pipeline: Pipeline, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Target {
        if let target { return target }
        let format = try work.choice(of: pipeline.formats, wantsFloats: wantsFloats)
            .intermediate(isSigned: slot.isSigned)
        let made = try pipeline.take(layers.window.size(format.format), in: gl)
        target = made
        return made
    }

    /// Draws a result that is made of the cells, which have to be computed as far as it reads them.
    ///
    /// - Parameters:
    ///   - plan: one that is served, for any region within the extent.
    ///   - target: receives the region.
    package func draw(
        _ plan: Plan, source: HostImage, mask: MaskImage?, target output: HostTarget
    ) throws(GPUError) {
        guard let target else { throw .invalidPlan("a level without cells") }
        guard let last = plan.passes.last else { throw .invalidPlan("a plan without passes") }
        var plan = plan
        plan.passes = [last]
        if case .slot(let index) = last.from { plan.slots[index].window = layers.window }
        var work = try executor.work(plan, source, mask, output.format, given: last.from)
        work.ends.target = output
        try executor.perform { (pipeline, gl) throws(GPUError) in
            try pipeline.check(work.ends, in: gl)
            try pipeline.drawLast(work, from: target, into: output, in: gl)
        }
    }

    /// Gives the texture back.
    package func drop() {
        if let target { executor.giveBack(target) }
        target = nil
    }
}

extension Pipeline {
    /// Draws the passes that make a level.
    fileprivate func drawLevel(
        _ work: Work, wantsFloats: Bool, into level: DrawTarget, in gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        let schedule = work.schedule
        let list = DrawList(exact: schedule)
        let choice = work.choice(of: formats, wantsFloats: wantsFloats)
        let submission = Submission(list: list, schedule: schedule, weightsAt: 0, isLevel: true)
        try prepareWeights(list.weights, in: gl)
        var places: [Place: Target] = [:]
        defer { for target in places.values { pool.giveBack(target) } }
        try check(work.ends, in: gl)
        guard let source = work.ends.source.map({ DrawInput.host($0) }) else { throw .invalidPlan("no source") }
        for (index, item) in list.items.enumerated() {
            guard let input = item.from == .source ? source : places[item.from].map({ .target($0) }) else {
                throw .invalidPlan("draw \(index) reads what is gone")
            }
            var output = level
            if index < list.items.count - 1 {
                let format = try format(of: item.to, schedule, choice).format
                let target = try take(item.window.roomySize(format, limit: limits.textureSize), in: gl)
                places[item.to] = target
                output = .own(target)
            }
            try draw(
                item, of: submission, work, from: input, into: output, store: .value, outputStages: nil, source: nil,
                in: gl)
            if list.isLastUse(of: item.from, at: index), let done = places.removeValue(forKey: item.from) {
                pool.giveBack(done)
            }
        }
        try fromGL { () throws(GLError) in try gl.checkErrors(after: "drawing a level") }
        return list.items.count
    }

    /// Draws what is made of a level.
    fileprivate func drawLast(
        _ work: Work, from level: Target, into target: HostTarget, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        let schedule = work.schedule
        let list = DrawList(exact: schedule)
        try prepareWeights(list.weights, in: gl)
        if let outputStages = schedule.outputStages { try prepareOutputStages(outputStages, work, in: gl) }
        defer { hostFramebuffer?.release(in: gl) }
        try check(work.ends, in: gl)
        let submission = Submission(list: list, schedule: schedule, weightsAt: 0, isLevel: false)
        for item in list.items {
            try draw(
                item, of: submission, work, from: .target(level), into: .host(target), store: Store(work.target),
                outputStages: schedule.outputStages, source: work.ends.source.map { .host($0) }, in: gl)
        }
        try fromGL { () throws(GLError) in try gl.checkErrors(after: "drawing") }
    }
}

extension Rect {
    /// A size that holds it, of few: so that parts of any size find a texture in the pool after some frames.
    fileprivate func roomySize(_ format: TextureFormat, limit: Int) -> TargetKey {
        func roomy(_ count: Int) -> Int {
            var size = 64
            while size < count { size *= 2 }
            // Three quarters of it, if that is enough.
            return min(count <= size / 4 * 3 ? size / 4 * 3 : size, limit)
        }
        return TargetKey(format: format, width: roomy(width), height: roomy(height))
    }
}
