package import FrostCore

/// The image between the two halves of a ``LayeredPlan``, kept from one frame to the next, and the ways into it and out of it.
///
/// What is made of it is what ``CPUExecutor/execute(_:source:mask:target:cancellation:)`` makes, to the bit, whatever parts it
/// was computed and used in.
///
/// Not thread-safe.
package final class KeptLevel {
    package let layers: LayeredPlan
    private let format: (source: PixelFormat, target: PixelFormat)
    private let arithmetic: Arithmetic
    private let plane: RowPlane

    /// Its samples are not computed yet.
    ///
    /// - Parameter plan: of a result, for the whole extent. Nil is returned if there is nothing worth keeping.
    package init?(_ plan: Plan, source: PixelFormat, target: PixelFormat) {
        let cpu = CPUPlan(plan, source: source, target: target)
        format = (source, target)
        arithmetic = cpu.arithmetic
        layers = LayeredPlan(plan, cut: Self.cut(cpu))
        guard let place = layers.place else { return nil }
        plane = CPUPlan(layers.plan, source: source, target: target, arithmetic: arithmetic).plane(at: place)
    }

    /// Before the last interpolation along each axis, or before what is fused with it: the level has a quarter of the
    /// pixels, and the rest costs little more than a copy. 0 for plans that do not end with interpolations: the images
    /// between their passes are as large as the result.
    private static func cut(_ plan: CPUPlan) -> Int {
        guard case .passes(let passes) = plan.plan.work else { return 0 }
        let list = passes.list
        if case .colored? = plan.steps(list.indices).last { return list.count - ColoredInterpolations.passCount }
        var next = list.count
        var axes: Set<Axis> = []
        while next > 0, case .interpolate = list[next - 1].operation, axes.insert(list[next - 1].axis).inserted {
            next -= 1
        }
        return next == list.count ? 0 : next
    }

    /// Whether a result's plan is made from these samples: whatever its region, and its output stages except for where that
    /// begins.
    package func serves(_ plan: Plan) -> Bool {
        let other = CPUPlan(plan, source: format.source, target: format.target)
        return layers.serves(plan) && arithmetic.makesSame(as: other.arithmetic) && Self.cut(other) == layers.cut
    }

    /// Computes a rectangle of samples.
    ///
    /// - Parameters:
    ///   - source: sized as the plan's extent, in the format that was given.
    ///   - samples: within the level's window.
    /// - Throws: ``CPUError/cancelled``; the rectangle is then undefined.
    package func update(
        _ samples: Rect, source: PixelSource, threads: Int, cancellation: Cancellation?
    ) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: nil, originals: .source(source, extent: layers.plan.extent),
            cancellation: cancellation)
        let parts = parts(
            layers.first(samples), { _ in 0..<layers.cut }, isWhole: PlanPart.bands(samples, threads: threads) == 1,
            made: plane, arithmetic: arithmetic, threads: threads)
        for part in parts { try part.run(memory) }
    }

    /// Makes a result from the samples, which have to be computed as far as it reads them.
    ///
    /// - Parameters:
    ///   - plan: one that is served, for any region within the extent.
    ///   - source: for output stages that show the original.
    ///   - mask: for output stages with a mask that is an image.
    ///   - target: sized as the region, in the format that was given. Not the source's memory.
    /// - Throws: ``CPUError/cancelled``; the target is then undefined.
    package func draw(
        _ plan: Plan, source: PixelSource, mask: MaskImage?, target: PixelTarget, threads: Int,
        cancellation: Cancellation?
    ) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: TargetRows(target, region: plan.region),
            originals: .source(source, extent: plan.extent), cancellation: cancellation)
        let parts = parts(
            plan, { layers.cut..<$0.list.count }, isWhole: true, read: plane, mask: mask, threads: threads)
        for part in parts { try part.run(memory) }
    }

    /// Some passes of a plan.
    ///
    /// - Parameter arithmetic: for the level, whose plan has no output stages, that of the result's plan.
    private func parts(
        _ plan: Plan, _ range: (Passes) -> Range<Int>, isWhole: Bool, read: RowPlane? = nil, made: RowPlane? = nil,
        mask: MaskImage? = nil, arithmetic: Arithmetic? = nil, threads: Int
    ) -> [PlanPart] {
        switch plan.work {
        case .passes(let passes):
            PlanPart.chain(
                CPUPlan(
                    plan, source: format.source, target: format.target, mask: mask, arithmetic: arithmetic), passes,
                range(passes), isWhole: isWhole, read: read, made: made, threads: threads)
        case .copy, .kernel2D, .blend: preconditionFailure("a level of a plan without passes")
        }
    }
}

extension Arithmetic {
    /// Whether passes make the same numbers, to the bit.
    fileprivate func makesSame(as other: Arithmetic) -> Bool {
        channels == other.channels && fixedLevel == other.fixedLevel && convolvesFixed == other.convolvesFixed
            && arriving == other.arriving
    }
}
