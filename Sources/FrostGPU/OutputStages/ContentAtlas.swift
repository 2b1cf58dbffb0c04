import FrostCore

/// The layers of content one below the other, at the size and place where they are drawn.
struct ContentAtlas {
    /// The pixels that each covers, absolute, and its first row in the texture.
    let windows: [Rect]
    let tops: [Int]
    /// In pixels; the texture is twice as wide.
    let width: Int
    let height: Int
    private let layers: [ContentLayer]
    private let extent: Rect
    private let region: Rect

    init(_ outputStages: PreparedOutputStages) {
        layers = outputStages.content
        extent = outputStages.extent
        region = outputStages.region
        windows = layers.compactMap { [extent, region] in $0.window(extent: extent, region: region) }
        var top = 0
        tops = windows.map { window in
            defer { top += window.height }
            return top
        }
        width = windows.map(\.width).max() ?? 0
        height = top
    }

    /// Whether it is that of these output stages. Comparing the same arrays of pixels takes no time.
    func isOf(_ outputStages: PreparedOutputStages) -> Bool {
        extent == outputStages.extent && region == outputStages.region && layers == outputStages.content
    }

    /// 16 bits a value, since every device has textures of bytes: the upper bytes on the left, the lower on the right.
    func bytes() -> [UInt8] {
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
        return bytes
    }
}
