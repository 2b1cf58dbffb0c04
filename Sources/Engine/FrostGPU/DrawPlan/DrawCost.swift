import FrostCore

/// What one draw of a plan costs on a GPU: texel fetches and bytes for each pixel of the result, so that the numbers of
/// draws at different resolutions can be added.
///
/// The picture and the result have 4 bytes a texel (RGBA of 8 bits), and images between draws have 8 (16 bits per
/// channel). Each texel of an input counts once in the bytes, because neighbouring fragments find it in a cache. Strips
/// along the borders, masks and content are not counted.
package struct DrawCost: Sendable {
    /// What the draw computes, for example "decimate x by 4".
    package let name: String
    /// The size of the draw's output in texels.
    package let width, height: Int
    package let fetches, bytesRead, bytesWritten: Double
}

extension Plan {
    /// Returns the costs of the draws that compute the plan, in order. A level of a blend is one entry. The list is
    /// empty if the plan copies its image, because the CPU makes copies. The size of the device's textures is not
    /// considered.
    ///
    /// - Throws: ``GPUError`` if no GPU can draw the plan: it has too many output stages, or its coordinates exceed 32
    ///   bits.
    package func drawCosts() throws(GPUError) -> [DrawCost] {
        if isCopy { return [] }
        let plan = try DrawPlan(self, limits: .unlimited)
        let original = plan.outputStages?.original.map { $0.area / region.area } ?? 0
        switch (plan.work, work) {
        case (.passes(let passes), .passes(let list)):
            return costs(passes, list, original: original, pixels: region.area)
        case (.kernel2D(let draw), _):
            return costs([draw], ["2-D kernel"], original: original, pixels: region.area)
        case (.blend(let draws), .blend(let blend)):
            var costs: [DrawCost] = []
            for (level, passes) in zip(blend.levels, draws.levels) {
                let parts = level.plan.standalone(in: self).costs(
                    passes, level.plan.passes, original: 0, pixels: region.area, resultBytes: .intermediate)
                costs.append(DrawCost(sum: parts, name: "level of sigma \(numberText(level.sigma, decimals: 3))"))
            }
            return costs + blend.spans.map { DrawCost($0, original: original, pixels: region.area) }
        case (.passes, _), (.blend, _): throw .invalidPlan("its draws are of another kind than its work")
        }
    }

    private func costs(
        _ passes: PassDraws, _ list: Passes, original: Double, pixels: Double, resultBytes: TexelBytes = .picture
    ) -> [DrawCost] {
        costs(
            passes.draws, list.runs(of: self).map(\.name), original: original, pixels: pixels, resultBytes: resultBytes)
    }

    private func costs(
        _ draws: [any PlaceDraw], _ names: [String], original: Double, pixels: Double,
        resultBytes: TexelBytes = .picture
    ) -> [DrawCost] {
        var stored: [Place: Double] = [.source: sourceRead.area]
        return zip(draws, names).map { draw, name in
            let area = draw.window.area
            let isLast = draw.to == .output
            defer { stored[draw.to] = area }
            let read = (stored[draw.from] ?? 0) / pixels * TexelBytes.of(draw.from).rawValue
            return DrawCost(
                name: name, width: draw.window.width, height: draw.window.height,
                fetches: draw.readCount * area / pixels + (isLast ? original : 0),
                bytesRead: read + (isLast ? original * TexelBytes.picture.rawValue : 0),
                bytesWritten: area / pixels * (isLast ? resultBytes : .intermediate).rawValue)
        }
    }
}

/// The number of bytes of a texel.
private enum TexelBytes: Double {
    case picture = 4
    case intermediate = 8

    static func of(_ place: Place) -> TexelBytes {
        switch place {
        case .source, .output: .picture
        case .slot: .intermediate
        }
    }
}

extension DrawCost {
    /// The sum of draws whose last draw writes the result.
    package init(sum costs: [DrawCost], name: String = "sum") {
        self.init(
            name: name, width: costs.last?.width ?? 0, height: costs.last?.height ?? 0,
            fetches: costs.reduce(0) { $0 + $1.fetches }, bytesRead: costs.reduce(0) { $0 + $1.bytesRead },
            bytesWritten: costs.reduce(0) { $0 + $1.bytesWritten })
    }

    /// A draw that mixes two levels of a blend.
    fileprivate init(_ span: Blend.Span, original: Double, pixels: Double) {
        let share = span.window.area / pixels
        let levels = span.lower == span.upper ? 1.0 : 2.0
        self.init(
            name: "mix of levels \(span.lower + 1) and \(span.upper + 1)", width: span.window.width,
            height: span.window.height, fetches: share * (levels + original),
            bytesRead: share * (levels * TexelBytes.intermediate.rawValue + original * TexelBytes.picture.rawValue),
            bytesWritten: share * TexelBytes.picture.rawValue)
    }
}

extension PassRun {
    fileprivate var name: String {
        switch kind {
        case .convolution: "convolve \(axis.rawValue)"
        case .decimation(let filters): "decimate \(axis.rawValue) by \(1 << filters.count)"
        case .interpolation(let filters): "interpolate \(axis.rawValue) by \(1 << filters.count)"
        }
    }
}

extension DrawLimits {
    fileprivate static let unlimited = DrawLimits(textureSize: .max, weights: .max, weightAlignment: 4)
}
