package import FrostCore

/// The image between the two halves of a ``LayeredPlan``, kept from one frame to the next, and the ways into it and out of it.
///
/// What is made of it is what ``CPUExecutor/execute(_:source:mask:target:cancellation:)`` makes, to the bit, whatever parts it
/// was computed and used in.
///
/// Not thread-safe.
package final class KeptLevel {
    package let layers: LayeredPlan
    private let arithmetic: Arithmetic
    private let reader: RowConversion
    private let writer: RowConversion
    private let place: Place
    private let plane: RowPlane

    /// Its cells are not computed yet.
    ///
    /// - Parameter plan: of a result, for the whole extent; nil is returned where there is nothing worth keeping.
    package init?(_ plan: Plan, source: PixelFormat, target: PixelFormat) {
        reader = RowConversion(format: source, addingAlpha: target.channels.hasAlpha)
        writer = RowConversion(format: target)
        arithmetic = Arithmetic(plan, reader: reader, writer: writer)
        layers = LayeredPlan(plan, cut: Self.cut(plan, arithmetic))
        guard let place = layers.place else { return nil }
        self.place = place
        plane = RowPlane(
            window: layers.window, channels: arithmetic.channels, kind: arithmetic.kind(place, of: plan))
    }

    /// Before the last doubling along each axis, which is done in one step: the level has a quarter of the pixels, and what is
    /// left costs little more than to copy them. Before the last two where the cells there are coloured. 0 for plans that do not
    /// end so: what lies between their passes is as large as the image.
    private static func cut(_ plan: Plan, _ arithmetic: Arithmetic) -> Int {
        var cut = plan.passes.count
        for _ in 0..<(arithmetic.coloring(of: plan) != nil ? 2 : 1) {
            var next = cut
            var axes: Set<Axis> = []
            while next > 0, case .interpolate = plan.passes[next - 1].operation,
                axes.insert(plan.passes[next - 1].axis).inserted
            {
                next -= 1
            }
            if axes.count < 2, cut < plan.passes.count { break }
            cut = next
        }
        return cut == plan.passes.count ? 0 : cut
    }

    /// Whether a result's plan is made of these cells: whatever its region, and its finish but for where that begins.
    package func serves(_ plan: Plan) -> Bool {
        let other = Arithmetic(plan, reader: reader, writer: writer)
        return layers.serves(plan) && arithmetic.makesSame(as: other) && Self.cut(plan, other) == layers.cut
    }

    /// Computes a rectangle of cells.
    ///
    /// - Parameters:
    ///   - source: sized as the plan's extent, in the format that was given.
    ///   - cells: within the level's window.
    /// - Throws: ``CPUError/cancelled``; the rectangle is then undefined.
    package func update(
        _ cells: Rect, source: PixelSource, threads: Int, cancellation: Cancellation?
    ) throws(CPUError) {
        let memory = unsafe CallerMemory(
            source: source, target: nil, originals: .source(source, extent: layers.plan.extent),
            cancellation: cancellation)
        let parts = parts(
            layers.first(cells), { _ in 0..<layers.cut }, isWhole: PlanPart.bands(cells, threads: threads) == 1,
            made: plane, threads: threads)
        for part in parts { try part.run(memory) }
    }

    /// Makes a result of the cells, which have to be computed as far as it reads them.
    ///
    /// - Parameters:
    ///   - plan: one that is served, for any region within the extent.
    ///   - source: where the plan's finish reads the original.
    ///   - mask: where the plan's finish has one that is an image.
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
    private func parts(
        _ plan: Plan, _ range: (Passes) -> Range<Int>, isWhole: Bool, read: RowPlane? = nil, made: RowPlane? = nil,
        mask: MaskImage? = nil, threads: Int
    ) -> [PlanPart] {
        switch plan.work {
        case .passes(let passes):
            PlanPart.chain(
                CPUPlan(plan, source: reader.format, target: writer.format, mask: mask), passes, range(passes),
                isWhole: isWhole, read: read, made: made, threads: threads)
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
