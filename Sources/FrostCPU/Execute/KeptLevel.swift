package import FrostCore

/// Keeps the image between the two halves of a ``LayeredPlan`` (the *level*) from one frame to the next. Rectangles of
/// the level are computed from the source, and results are computed from the level.
///
/// A result has the same bits as a result of ``CPUExecutor/execute(_:source:mask:target:cancellation:)``. It does not
/// depend on the rectangles into which the work was divided.
///
/// Not thread-safe.
package final class KeptLevel {
    package let layers: LayeredPlan
    private let format: (source: PixelFormat, target: PixelFormat)
    private let arithmetic: Arithmetic
    private let plane: RowPlane

    /// Creates a level without computing its samples. Returns nil if the plan has no level that is worth keeping.
    ///
    /// - Parameter plan: the plan of a result, for the whole extent.
    package init?(_ plan: Plan, source: PixelFormat, target: PixelFormat) {
        let cpu = CPUPlan(plan, source: source, target: target)
        format = (source, target)
        arithmetic = cpu.arithmetic
        layers = LayeredPlan(plan, cut: Self.cut(cpu))
        guard let place = layers.place else { return nil }
        plane = CPUPlan(layers.plan, source: source, target: target, arithmetic: arithmetic).plane(at: place)
    }

    /// Returns the number of passes that compute the level. The remaining passes compute the result from the level:
    /// they are the last interpolation along each axis, or the passes of the step into which these interpolations are
    /// fused. The level then has at most a quarter of the result's pixels, and the remaining passes cost little more
    /// than a copy.
    ///
    /// The number is 0 for plans that do not end with interpolations, because the images between the passes of such a
    /// plan are as large as the result.
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

    /// Whether the result of a plan can be computed from this level. The plan may have any region. It may also have
    /// other output stages, unless these change the place at which the plan is cut into its two halves.
    package func serves(_ plan: Plan) -> Bool {
        let other = CPUPlan(plan, source: format.source, target: format.target)
        return layers.serves(plan) && arithmetic.makesSame(as: other.arithmetic) && Self.cut(other) == layers.cut
    }

    /// Computes a rectangle of the level's samples.
    ///
    /// - Parameters:
    ///   - samples: a rectangle within the level's window.
    ///   - source: an image of the size of the plan's extent, in the format that was given to `init`.
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

    /// Computes a result from the level. The samples that the result reads must have been computed before.
    ///
    /// - Parameters:
    ///   - plan: a plan for which ``serves(_:)`` is true, for any region within the extent.
    ///   - source: the source image, for output stages that show the original.
    ///   - mask: the mask image, if the output stages have a mask that is an image.
    ///   - target: an image of the region's size, in the format that was given to `init`. The target must not share
    ///     memory with the source.
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

    /// Divides some passes of a plan into parts that can be run.
    ///
    /// - Parameter arithmetic: the arithmetic to use; nil for the arithmetic that suits `plan`. The plan that computes only
    ///   the level has no output stages, and another arithmetic might suit it. So the caller then passes the arithmetic of
    ///   the plan that computes the result.
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
        case .copy, .kernel2D, .blend: preconditionFailure("the plan of the level has no passes")
        }
    }
}

extension Arithmetic {
    /// Whether passes compute the same bits with both arithmetics.
    fileprivate func makesSame(as other: Arithmetic) -> Bool {
        channels == other.channels && fixedLevel == other.fixedLevel && convolvesFixed == other.convolvesFixed
            && arriving == other.arriving
    }
}
