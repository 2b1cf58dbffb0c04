package import FrostCore

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
    /// - Throws: ``DrawingError`` if no GPU can draw the plan: it has too many output stages, or its coordinates exceed 32
    ///   bits.
    package func drawCosts() throws(DrawingError) -> [DrawCost] {
        if isCopy { return [] }
        let plan = try DrawPlan(self, limits: DrawLimits(textureSize: .max, weights: .max, weightAlignment: 4))
        let original = plan.outputStages?.original.map { $0.area / region.area } ?? 0
        let pixels = region.area
        if plan.mixes.isEmpty {
            return plan.lists.flatMap { $0.costs(pixels: pixels, original: original, resultBytes: .picture) }
        }
        let levels = plan.lists.map { list in
            DrawCost(sum: list.costs(pixels: pixels, original: 0, resultBytes: .intermediate), name: list.name)
        }
        return levels + plan.mixes.map { DrawCost($0, original: original, pixels: pixels) }
    }
}

extension DrawList {
    /// Returns the costs of the draws.
    ///
    /// - Parameter original: the number of the original's texels that the last draw reads for each pixel.
    fileprivate func costs(pixels: Double, original: Double, resultBytes: TexelBytes) -> [DrawCost] {
        var stored: [Place: Double] = [.source: sourceRead.area]
        return draws.map { draw in
            let area = draw.window.area
            let isLast = draw.to == .output
            defer { stored[draw.to] = area }
            let read = (stored[draw.from] ?? 0) / pixels * TexelBytes.of(draw.from).rawValue
            return DrawCost(
                name: draw.name, width: draw.window.width, height: draw.window.height,
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
    fileprivate init(_ mix: MixDraw, original: Double, pixels: Double) {
        let share = mix.window.area / pixels
        let levels = mix.lower == mix.upper ? 1.0 : 2.0
        self.init(
            name: mix.name, width: mix.window.width, height: mix.window.height, fetches: share * (levels + original),
            bytesRead: share * (levels * TexelBytes.intermediate.rawValue + original * TexelBytes.picture.rawValue),
            bytesWritten: share * TexelBytes.picture.rawValue)
    }
}
