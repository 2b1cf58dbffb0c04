import FrostCore

/// Places all layers of content below each other in one texture, each at the size at which it is drawn. A layer that stands
/// for a texture is the only one, and lies in its texture as a whole. The image of a clip lies below all layers: its alpha is
/// the part of a pixel that the clip contains, and its red the part of the shadow.
package struct ContentAtlas {
    /// The pixels that each layer covers, in absolute coordinates; the last element is for the clip's image, if there is one.
    /// Those of a texture may lie outside the region.
    let windows: [Rect]
    /// The first row of each layer in the texture.
    let tops: [Int]
    /// The width of the widest layer in pixels. The texture is twice as wide, because it stores each value in two halves.
    package let width: Int
    /// The sum of the layers' heights in pixels, which is the height of the texture.
    package let height: Int
    /// The layers of ``PreparedOutputStages``. Each has a window, because prepared layers intersect the region.
    private let layers: [ContentLayer]
    /// The rectangles of the clip's image.
    private let clip: [RoundedRect]
    private let clipRule: ClipRule
    private let join: Double
    private let shadow: DropShadow?
    private let opacity: Double
    private let extent: Rect
    private let region: Rect

    package init(_ outputStages: PreparedOutputStages) {
        layers = outputStages.content
        extent = outputStages.extent
        region = outputStages.region
        clip = outputStages.clipsByImage ? outputStages.clip ?? [] : []
        clipRule = outputStages.clipRule
        (join, shadow, opacity) = (outputStages.join, outputStages.shadow, outputStages.opacity)
        windows =
            layers.compactMap { [extent, region] in
                $0.image.texture == nil ? $0.window(extent: extent, region: region) : $0.bounds
            } + [outputStages.clipWindow].compactMap { $0 }
        var top = 0
        tops = windows.map { window in
            defer { top += window.height }
            return top
        }
        width = windows.map(\.width).max() ?? 0
        height = top
    }

    /// Whether this atlas was made for the same layers, extent and region. The comparison is fast: an array of pixels that
    /// is compared with itself is known to be equal without reading the pixels.
    package func isOf(_ outputStages: PreparedOutputStages) -> Bool {
        extent == outputStages.extent && region == outputStages.region && layers == outputStages.content
            && clip == (outputStages.clipsByImage ? outputStages.clip : [])
            && clipRule == outputStages.clipRule && join == outputStages.join && shadow == outputStages.shadow
            && opacity == outputStages.opacity
    }

    /// Returns the texture's bytes. Each value has 16 bits, stored in two bytes because every device has 8-bit textures. The
    /// left half of the texture holds the upper bytes, and the right half the lower bytes.
    package func bytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 8 * width * height)
        for (layer, top) in zip(layers, tops) {
            guard let content = PlacedContent(layer, extent: extent, region: region) else { continue }
            for (row, y) in content.window.rows.enumerated() {
                let from = 8 * width * (top + row)
                for (x, pixel) in content.row(y).enumerated() {
                    for c in 0..<4 {
                        let value = UInt16((pixel[c] * 65535).rounded())
                        bytes[from + 4 * x + c] = UInt8(value >> 8)
                        bytes[from + 4 * (width + x) + c] = UInt8(value & 255)
                    }
                }
            }
        }
        if !clip.isEmpty { drawClip(into: &bytes) }
        return bytes
    }

    private func drawClip(into bytes: inout [UInt8]) {
        guard let window = windows.last, let top = tops.last else { return }
        let area = ClipArea(clip, join: join, rule: clipRule)
        let field = shadow.flatMap { ShadowField($0, of: clip, under: area, opacity: opacity, in: window) }
        for y in window.rows {
            let from = 8 * width * (top + y - window.y)
            func set(_ part: Double, _ x: Int, _ channel: Int) {
                let value = UInt16((part * 65535).rounded())
                bytes[from + 4 * (x - window.x) + channel] = UInt8(value >> 8)
                bytes[from + 4 * (width + x - window.x) + channel] = UInt8(value & 255)
            }
            area.forEachPart(window.columns, row: y) { columns, part in
                for x in columns { set(part, x, 3) }
            }
            guard let field else { continue }
            for (x, part) in zip(window.columns, field.parts(y, window.columns)) { set(part, x, 0) }
        }
    }
}
