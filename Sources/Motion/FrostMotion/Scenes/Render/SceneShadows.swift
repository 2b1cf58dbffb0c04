import Frost
import FrostCore

/// The shadows of a frame's panels. A shadow is computed again when its panel's outline changes.
final class SceneShadows {
    /// A shadow as parts of its colour.
    struct Shadow {
        /// The pixels that it can darken.
        let window: Rect
        /// The premultiplied colour, with its alpha.
        let color: SIMD4<Double>
        /// For each pixel of the window, row by row, the blurred outline, and the part of the pixel that is inside the panel's.
        let parts: [Float], covers: [Float]

        /// Returns the part of the colour that is drawn over a pixel before its panel is drawn with the opacity `alpha`.
        ///
        /// The shadow of part p belongs to the 1 - c of the pixel outside the panel: `alpha` p (1 - c) of the finished pixel.
        /// The panel leaves 1 - `alpha` c of what was drawn before.
        func share(_ index: Int, alpha: Float) -> Float {
            let left = 1 - alpha * covers[index]
            return left > 0 ? alpha * parts[index] * (1 - covers[index]) / left : 0
        }
    }

    private struct Key: Hashable {
        let outline: RoundedRect
        let shadow: SceneShadow
    }

    private let extent: Rect
    private let threads: Int?
    /// Shadows are blurred as floats, which not every GPU can draw.
    private var renderer: Renderer?
    private var known: [Key: Shadow] = [:]

    init(extent: Rect, threads: Int?) {
        self.extent = extent
        self.threads = threads
    }

    /// Makes the shadows of a frame, and forgets others.
    func update(_ panels: [SceneState.Panel]) throws(SceneError) {
        var next: [Key: Shadow] = [:]
        for panel in panels {
            guard let key = Self.key(panel) else { continue }
            if let shadow = known[key] {
                next[key] = shadow
            } else {
                next[key] = try make(key)
            }
        }
        known = next
    }

    subscript(panel: SceneState.Panel) -> Shadow? { Self.key(panel).flatMap { known[$0] } }

    private static func key(_ panel: SceneState.Panel) -> Key? {
        panel.shadow.map { Key(outline: panel.outline, shadow: $0) }
    }

    private func sharedRenderer() throws(FrostError) -> Renderer {
        if let renderer { return renderer }
        let made = try Renderer(backend: .cpu, threads: threads)
        renderer = made
        return made
    }

    /// Blurs the part of each pixel that the moved outline covers.
    private func make(_ key: Key) throws(SceneError) -> Shadow? {
        let (outline, shadow) = (key.outline, key.shadow)
        guard let window = shadow.reach(around: outline.bounds).intersection(extent) else { return nil }
        do throws(FrostError) {
            let renderer = try sharedRenderer()
            let blur = try rethrow(GaussianBlur(sigma: shadow.sigma), as: FrostError.parameter)
            let moved = try rethrow(outline.moved(by: shadow.offset), as: FrostError.parameter)
            // Only what is at most a margin away from the window can reach it. Around the outline lies a line of zeros, which
            // the edge mode continues.
            let near = window.grown(by: shadow.margin)
            let reach = moved.bounds.grown(by: 1).intersection(near) ?? Rect(x: near.x, y: near.y, width: 1, height: 1)
            let layout = try rethrow(
                PixelLayout(width: reach.width, height: reach.height, format: PixelFormat(.grey, .f32)),
                as: FrostError.pixels)
            let bytes = unsafe moved.coverages(in: reach).withUnsafeBytes { unsafe Array($0) }
            let picture = try rethrow(PixelBuffer(layout: layout, bytes: bytes), as: FrostError.pixels)
            let blurred = try renderer.render(
                picture, Effect(blur), region: window.moved(x: -reach.x, y: -reach.y)
            ).image
            // SAFETY: the result has a float for each pixel, in rows without padding.
            let parts = unsafe blurred.withUnsafeBytes { unsafe Array($0.assumingMemoryBound(to: Float.self)) }
            return Shadow(
                window: window, color: shadow.color.premultiplied, parts: parts, covers: outline.coverages(in: window))
        } catch {
            throw .rendering(error)
        }
    }
}

extension Rect {
    fileprivate func grown(by margin: Int) -> Rect {
        Rect(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }
}

extension RoundedRect {
    /// Returns the part of each pixel that is inside, row by row.
    fileprivate func coverages(in rect: Rect) -> [Float] {
        var values = [Float](repeating: 0, count: rect.width * rect.height)
        for y in rect.rows {
            let (from, whole) = ((y - rect.y) * rect.width - rect.x, wholeColumns(y))
            for x in touchedColumns(y).clamped(to: rect.columns) {
                values[from + x] = whole.contains(x) ? 1 : Float(coverage(x, y))
            }
        }
        return values
    }

    /// Returns the outline at another place.
    fileprivate func moved(by offset: SIMD2<Double>) throws(ParameterError) -> RoundedRect {
        try RoundedRect(
            x: x + offset.x, y: y + offset.y, width: width, height: height, radius: radius, corners: corners
        ).turned(by: rotation)
    }
}
