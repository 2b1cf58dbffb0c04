package import FrostCore

/// Keeps the image between the two halves of a ``LayeredPlan`` (the *level*) from one frame to the next. Rectangles of
/// the level are computed from the source, and results are computed from the level.
///
/// A changed pixel changes the level as far as the blur reaches. To compute these samples, one would have to read the source
/// twice as far. So the object also keeps the *decimated* image, if the plan has one, which changes only around the pixel.
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
    private let decimated: Decimated?

    /// The image that the first decimations of the plan compute.
    private final class Decimated {
        /// The number of these decimations, and the place that they write.
        let cut: Int
        let place: Place
        let plane: RowPlane
        /// The samples that do not match the current source.
        var stale: Region

        init?(_ plan: CPUPlan, before end: Int) throws(CPUError) {
            let first = Passes(plan.plan.passes, slots: plan.plan.slots).bandedParts[0]
            guard first.upperBound < end else { return nil }
            cut = first.upperBound
            place = plan.place(after: first)
            plane = try plan.plane(at: place)
            stale = Region(plane.window)
        }
    }

    /// Creates a level without computing its samples. Returns nil if the plan has no level that is worth keeping.
    ///
    /// - Parameter plan: the plan of a result, for the whole extent.
    /// - Throws: ``CPUError/outOfMemory(bytes:)``.
    package init?(_ plan: Plan, source: PixelFormat, target: PixelFormat) throws(CPUError) {
        let cpu = CPUPlan(plan, source: source, target: target)
        format = (source, target)
        arithmetic = cpu.arithmetic
        layers = LayeredPlan(plan, cut: Self.cut(cpu))
        guard let place = layers.place else { return nil }
        let whole = CPUPlan(layers.plan, source: source, target: target, arithmetic: arithmetic)
        plane = try whole.plane(at: place)
        decimated = try Decimated(whole, before: layers.cut)
    }

    /// Takes note that a rectangle of the source has changed. The samples of the level that depend on it must be computed
    /// again by ``update(_:source:threads:cancellation:)``.
    package func invalidate(_ damage: Rect) {
        guard let decimated else { return }
        decimated.stale.formUnion(layers.plan.affected(by: damage, at: decimated.place))
    }

    /// Returns the number of passes that compute the level. The remaining passes compute the result from the level:
    /// they are the last interpolation along each axis. The level then has at most a quarter of the result's pixels, and the
    /// remaining passes cost little more than a copy.
    ///
    /// The number is 0 for plans that do not end with interpolations, because the images between the passes of such a
    /// plan are as large as the result.
    private static func cut(_ plan: CPUPlan) -> Int {
        let list = plan.plan.passes
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
    /// - Throws: ``CPUError/cancelled`` or ``CPUError/outOfMemory(bytes:)``; the rectangle is then undefined.
    package func update(
        _ samples: Rect, source: PixelSource, threads: Int, cancellation: Cancellation?
    ) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: nil, originals: .source(source, extent: layers.plan.extent),
            cancellation: cancellation)
        let plan = layers.first(samples)
        var first = 0
        if let decimated {
            let needed = Region(plan.window(of: decimated.place))
            for rect in decimated.stale.intersection(needed).cover() {
                try compute(
                    rect, layers.plan.restricted(to: rect, at: decimated.place), 0..<decimated.cut,
                    output: decimated.plane, memory, threads: threads)
                decimated.stale.subtract(Region(rect))
            }
            first = decimated.cut
        }
        try compute(
            samples, plan, first..<layers.cut, read: decimated?.plane, output: self.plane, memory, threads: threads)
    }

    /// Computes a rectangle of a kept image from the other one, or from the source if `read` is nil.
    private func compute(
        _ rect: Rect, _ plan: Plan, _ range: Range<Int>, read: RowPlane? = nil, output: RowPlane,
        _ memory: CallerMemory, threads: Int
    ) throws(CPUError) {
        let parts = try parts(
            plan, range, isWhole: PlanPart.bands(rect, threads: threads) == 1, read: read, output: output,
            arithmetic: arithmetic, threads: threads)
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
    /// - Throws: ``CPUError/cancelled`` or ``CPUError/outOfMemory(bytes:)``; the target is then undefined.
    package func draw(
        _ plan: Plan, source: PixelSource, mask: MaskImage?, target: PixelTarget, threads: Int,
        cancellation: Cancellation?
    ) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: TargetRows(target, region: plan.region),
            originals: .source(source, extent: plan.extent), cancellation: cancellation)
        let parts = try parts(
            plan, layers.cut..<plan.passes.count, isWhole: true, read: plane, mask: mask, threads: threads)
        for part in parts { try part.run(memory) }
    }

    /// Divides some passes of a plan into parts that can be run.
    ///
    /// - Parameter arithmetic: the arithmetic to use; nil for the arithmetic that suits `plan`. The plan that computes only
    ///   the level has no output stages, and another arithmetic might suit it. So the caller then passes the arithmetic of
    ///   the plan that computes the result.
    private func parts(
        _ plan: Plan, _ range: Range<Int>, isWhole: Bool, read: RowPlane? = nil, output: RowPlane? = nil,
        mask: MaskImage? = nil, arithmetic: Arithmetic? = nil, threads: Int
    ) throws(CPUError) -> [PlanPart] {
        let passes = Passes(plan.passes, slots: plan.slots)
        let plan = CPUPlan(plan, source: format.source, target: format.target, mask: mask, arithmetic: arithmetic)
        let cuts = isWhole ? [range] : passes.bandedParts.map { $0.clamped(to: range) }.filter { !$0.isEmpty }
        var read = read
        return try cuts.map { (cut) throws(CPUError) in
            let place = plan.place(after: cut)
            let (input, plane) = try (read, cut.upperBound == range.upperBound ? output : plan.plane(at: place))
            read = plane
            return PlanPart(plan.plan.window(of: place), threads: threads, keepsDrivers: false) {
                (rows, memory) throws(CPUError) in
                try PassDriver(
                    plan, passes: cut, rows: rows, read: input, output: plan.output(to: plane),
                    memory)
            }
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
