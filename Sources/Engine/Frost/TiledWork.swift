import FrostCore
import FrostGPU

/// A plan divided into plans for tiles that fit on a GPU.
///
/// Each tile is planned separately, from the same effect and extent. All tiles use one grid of low-resolution samples, whose
/// origin is that of the image. Adjacent tiles therefore compute the same samples along their border, and no seam is
/// visible.
struct TiledWork {
    let plans: [Plan]

    /// Divides a plan into tiles.
    ///
    /// - Parameters:
    ///   - mask: the effect's mask image, if it has one.
    ///   - side: the maximum side of a texture, in texels. Tiles are divided until every texture that they need fits. If
    ///     that is impossible, the plan stays whole, and the GPU refuses it. This happens with a kernel that is wider than a
    ///     texture, and with an edge mode that reads the opposite side of the image.
    init(_ effect: Effect, _ plan: Plan, mask: MaskImage? = nil, accuracy: Accuracy, side: Int) throws(GPUError) {
        var tile = max(plan.region.width, plan.region.height)
        var plans = [plan]
        while !plans.allSatisfy({ $0.longestSide(mask) <= side }) {
            tile = (min(tile, 2 * side) + 1) / 2
            guard tile >= 64 || tile * 8 >= side else {
                self.plans = [plan]
                return
            }
            do throws(ParameterError) {
                plans = try plan.region.tiles(side: tile).map { (tile) throws(ParameterError) in
                    try effect.plan(extent: plan.extent, region: tile, accuracy: accuracy, mask: mask)
                }
            } catch {
                throw .invalidPlan(error.description)
            }
        }
        self.plans = plans
    }

    /// Computes all tiles.
    ///
    /// A tile reads pixels outside its own rectangle. Therefore, if source and target share memory, the tiles read a copy of
    /// the source.
    ///
    /// - Parameter overlaps: whether images of other threads may be uploaded and read back at the same time.
    func execute(
        on executor: GPUExecutor, source: PixelSource, mask: MaskImage?, target: PixelTarget, overlaps: Bool,
        cancellation: Cancellation?
    ) throws(GPUError) -> GPUReport {
        guard plans.count > 1 else {
            guard overlaps,
                let ticket = try unsafe executor.submitted(
                    plans[0], source: source, mask: mask, target: target, cancellation: cancellation)
            else {
                return try unsafe executor.execute(
                    plans[0], source: source, mask: mask, target: target, cancellation: cancellation)
            }
            return try unsafe executor.collect(ticket, into: target, cancellation: cancellation)
        }
        var total = GPUReport()
        let copy = try unsafe target.overlaps(source) ? rethrow(PixelCopy(source), as: GPUError.memory) : nil
        defer { withExtendedLifetime(copy) {} }
        let source = unsafe copy?.source ?? source
        let region = plans.dropFirst().reduce(plans[0].region) { $0.hull($1.region) }
        for plan in plans {
            let report = try unsafe executor.execute(
                plan, source: source, mask: mask, target: target.tile(plan.region, of: region),
                cancellation: cancellation)
            total.add(report)
        }
        return total
    }
}

extension GPUExecutor {
    /// Submits a plan to the GPU; returns nil if too many images are in flight.
    fileprivate func submitted(
        _ plan: Plan, source: PixelSource, mask: MaskImage?, target: PixelTarget, cancellation: Cancellation?
    ) throws(GPUError) -> GPUTicket? {
        do throws(GPUError) {
            return try unsafe submit(
                plan, source: source, mask: mask, format: target.layout.format, target: target,
                cancellation: cancellation)
        } catch {
            guard case .queueFull = error else { throw error }
            return nil
        }
    }
}

extension Plan {
    /// Returns the maximum side, in texels, of all textures that the plan needs.
    fileprivate func longestSide(_ mask: MaskImage?) -> Int {
        var sides = [region.width, region.height]
        for axis in Axis.allCases {
            let under = edge(along: axis).window(of: region[axis], in: extent[axis])
            sides += work.kind.imageSides(along: axis, in: self)
            var read = work.kind.sourceReads(along: axis, in: self)
            // With a mask or a clip, the plan also reads the source pixels at the positions of the region. A single upload
            // covers these pixels, the other pixels that the plan reads, and everything between them.
            if outputStages.readsOriginal { read.append(under) }
            let (low, high) = (read.map(\.lowerBound).min() ?? 0, read.map(\.upperBound).max() ?? 0)
            sides.append(high - low)
        }
        if let mask {
            for (axis, count) in [(Axis.x, mask.width), (.y, mask.height)] {
                sides.append(min(count, count * region[axis].count / maskExtent[axis].count + 5))
            }
        }
        let content = outputStages.content.compactMap { $0.window(extent: extent, region: region) }
        sides += content.map { 2 * $0.width } + [content.reduce(0) { $0 + $1.height }]
        return sides.max() ?? 0
    }
}
