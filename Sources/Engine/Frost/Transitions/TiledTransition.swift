import FrostCore
import FrostGPU

/// A frame of a transition divided into frames for tiles that fit on a GPU.
///
/// All positions are absolute pixels. So a tile has the bits of the whole frame, and no seam is visible.
struct TiledTransition {
    let plans: [TransitionPlan]
    private let region: Rect

    /// Divides a frame into tiles.
    ///
    /// - Parameters:
    ///   - plan: a plan that draws.
    ///   - side: the maximum side of a texture, in texels. Tiles are divided until every texture that they need fits. If
    ///     that is impossible, the frame stays whole, and the GPU refuses it. This happens with a shading image that is
    ///     larger than a texture, because every tile may need all of it.
    @unsafe init(_ plan: TransitionPlan, images: TransitionImages, side: Int) {
        region = plan.region
        let (backside, shading) = unsafe (images.backside?.layout.extent, images.shading?.layout.extent)
        let isDivisible = shading.map { max($0.width, $0.height) <= side } ?? true
        let tiles = isDivisible ? Self.tiles(of: plan, backside: backside, side: side) : nil
        plans = tiles?.map { plan.part($0) } ?? [plan]
    }

    /// Returns tiles, each as large as its textures allow; nil if not even a tile of one pixel fits.
    ///
    /// - Parameter backside: the backside image's rectangle, or nil.
    static func tiles(of plan: TransitionPlan, backside: Rect?, side: Int) -> [Rect]? {
        TileDivision(plan: plan, backside: backside, side: side).tiles
    }

    /// Computes all tiles.
    ///
    /// - Parameter layers: the layers of the whole frame, if the kind of transition needs layers.
    @unsafe func execute(
        on executor: GPUExecutor, images: TransitionImages, layers: TransitionLayers?, target: PixelTarget,
        cancellation: Cancellation?
    ) throws(GPUError) -> GPUReport {
        var total = GPUReport()
        for plan in plans {
            let part = try unsafe plans.count > 1 ? target.tile(plan.region, of: region) : target
            let report = try unsafe executor.execute(
                plan, images: images, layers: layers, target: part, cancellation: cancellation)
            total.add(report)
        }
        return total
    }
}

/// The division of a frame into tiles.
private struct TileDivision {
    let plan: TransitionPlan
    let backside: Rect?
    let side: Int

    var tiles: [Rect]? {
        if fits(plan.region) { return [plan.region] }
        var tiles: [Rect] = []
        // The last tile is divided next.
        var rest: [Rect] = plan.region.tiles(side: side).reversed()
        while let tile = rest.popLast() {
            if fits(tile) {
                tiles.append(tile)
            } else {
                let halves = Axis.allCases.filter { tile[$0].count > 1 }.map { Self.halves(of: tile, along: $0) }
                // Halves that read less are divided less often.
                guard let best = halves.min(by: { need(of: $0) < need(of: $1) }) else { return nil }
                rest += best.reversed()
            }
        }
        return tiles
    }

    private static func halves(of tile: Rect, along axis: Axis) -> [Rect] {
        let middle = tile[axis].lowerBound + tile[axis].count / 2
        return [tile[axis].lowerBound..<middle, middle..<tile[axis].upperBound].map { range in
            var half = tile
            half[axis] = range
            return half
        }
    }

    private func fits(_ tile: Rect) -> Bool { longestSide(tile) <= side }

    /// Returns the longest side that halves of a tile need, and then their own longest side.
    private func need(of halves: [Rect]) -> (Int, Int) {
        (
            halves.map(longestSide).max() ?? 0, halves.map { max($0.width, $0.height) }.max() ?? 0
        )
    }

    /// Returns the maximum side of the textures that a tile needs.
    private func longestSide(_ tile: Rect) -> Int {
        max(tile.width, tile.height, plan.part(tile).windows(backside: backside).longestSide)
    }
}
