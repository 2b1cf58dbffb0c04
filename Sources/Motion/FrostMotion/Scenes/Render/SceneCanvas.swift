import Frost
import FrostCore

/// The frame's format, and the operations on its pixels. All mix premultiplied colours as 32-bit floats, and round once.
struct SceneCanvas {
    let layout: PixelLayout
    private let background: Color
    private let conversion: RowConversion

    init(width: Int, height: Int, sample: SampleType, background: Color) throws(SceneError) {
        layout = try rethrow(
            PixelLayout(
                width: width, height: height, format: PixelFormat(.rgba, sample, alpha: .straight)),
            as: { SceneError.rendering(.pixels($0)) })
        self.background = background
        conversion = RowConversion(format: layout.format)
    }

    /// Returns a surface of one colour over the background.
    func filled(_ color: Color) -> PixelBuffer {
        let top = SIMD4<Float>(color.premultiplied)
        let row = [SIMD4<Float>](repeating: over(top), count: layout.width)
        return rows { _ in row }
    }

    /// Returns a picture that is placed over the background.
    ///
    /// - Parameter scale: the factor from the scene's pixels to those of the frame. Modes that do not scale a picture show
    ///   it at this factor.
    func placed(_ picture: PixelBuffer, _ mode: ContentMode, scale: Double) -> PixelBuffer {
        let frame = Placement(x: 0, y: 0, width: Double(layout.width), height: Double(layout.height))
        if grid(picture.layout, mode, scale: scale).place == frame, let same = unscaled(picture) { return same }
        let layer = ContentLayer(ContentImage(picture), mode: mode, bounds: layout.extent).scaled(
            by: scale, in: layout.extent)
        let content = PlacedContent(layer, extent: layout.extent, region: layout.extent)
        let empty = [SIMD4<Float>](repeating: over(.zero), count: layout.width)
        return rows { y in
            var row = empty
            if let content, content.window.rows.contains(y) {
                let pixels = content.row(y)
                for (index, pixel) in pixels.enumerated() { row[content.window.x + index] = over(pixel) }
            }
            return row
        }
    }

    /// Returns how the pixels of a picture lie in the frame after ``placed(_:_:scale:)``.
    func grid(_ picture: PixelLayout, _ mode: ContentMode, scale: Double) -> SceneGrid {
        let (width, height) = (picture.width, picture.height)
        let box = mode.scaledBox(width: width, height: height, by: scale, in: layout.extent)
        let place =
            box.map { ContentMode.scaleToFill.place(width: width, height: height, in: $0) }
            ?? mode.place(width: width, height: height, in: layout.extent)
        return SceneGrid(place: place, width: width, height: height)
    }

    /// Returns a picture in the canvas's format, at its own size.
    func converted(_ picture: PixelBuffer) throws(SceneError) -> PixelBuffer {
        let own = try SceneCanvas(
            width: picture.width, height: picture.height, sample: layout.format.sample, background: .clear)
        return own.placed(picture, .topLeft, scale: 1)
    }

    /// Returns a colour picture of the canvas's size and sample type over the background; nil for any other picture. This
    /// is the usual case of a video, and needs no resampling.
    private func unscaled(_ picture: PixelBuffer) -> PixelBuffer? {
        guard picture.width == layout.width, picture.height == layout.height,
            picture.format.sample == layout.format.sample, !picture.format.channels.isGrey
        else { return nil }
        let (width, from) = (layout.width, RowConversion(format: picture.format, addingAlpha: true))
        let maximum = Float(layout.format.sample.maximum)
        let (color, step) = (SIMD4<Float>(background.premultiplied), picture.layout.bytesPerRow)
        var result = PixelBuffer(layout: layout)
        var y = 0
        // SAFETY: both buffers have the canvas's width and height, and the row has four floats for each pixel.
        unsafe picture.withUnsafeBytes { pixels in
            guard let pixels = pixels.baseAddress else { return }
            unsafe edit(&result, layout.extent) { row in
                unsafe from.load(pixels + y * step, count: width, into: row)
                for x in 0..<width {
                    let light = unsafe maximum - row[4 * x + 3]
                    guard light > 0 else { continue }
                    for channel in 0..<4 { unsafe row[4 * x + channel] += color[channel] * light }
                }
                y += 1
            }
        }
        return result
    }

    /// Draws black with an alpha over all pixels.
    func darken(_ picture: inout PixelBuffer, alpha: Double) {
        let (light, width) = (Float(1 - alpha), layout.width)
        let cover = Float(alpha * layout.format.sample.maximum)
        unsafe edit(&picture, layout.extent) { row in
            for x in 0..<width {
                for channel in 0..<3 { unsafe row[4 * x + channel] *= light }
                unsafe row[4 * x + 3] = row[4 * x + 3] * light + cover
            }
        }
    }

    /// Draws a shadow over a part of a picture.
    ///
    /// - Parameter rect: pixels of the shadow's window.
    func shade(_ picture: inout PixelBuffer, _ shadow: SceneShadows.Shadow, _ alpha: Double, within rect: Rect) {
        let (color, maximum) = (SIMD4<Float>(shadow.color), Float(layout.format.sample.maximum))
        let (alpha, width) = (Float(alpha), shadow.window.width)
        var y = rect.y - shadow.window.y
        unsafe edit(&picture, rect) { row in
            for x in 0..<rect.width {
                let part = shadow.share(y * width + rect.x - shadow.window.x + x, alpha: alpha)
                let light = 1 - part * color[3]
                for c in 0..<4 { unsafe row[4 * x + c] = row[4 * x + c] * light + color[c] * part * maximum }
            }
            y += 1
        }
    }

    /// Mixes the pixels of another picture into a rectangle: 0 keeps the picture, 1 copies the other.
    ///
    /// - Parameter outline: the outline within which pixels are mixed; nil for the whole rectangle.
    func mix(
        _ other: PixelBuffer, _ share: Double, within outline: RoundedRect?, into picture: inout PixelBuffer,
        _ rect: Rect
    ) {
        guard let outline else { return mix(other, share, into: &picture, rect) }
        for y in rect.rows {
            let whole = outline.wholeColumns(y).clamped(to: rect.columns)
            if !whole.isEmpty { mix(other, share, into: &picture, Rect(columns: whole, rows: y..<y + 1)) }
            for x in outline.touchedColumns(y).clamped(to: rect.columns) where !whole.contains(x) {
                let part = outline.coverage(x, y)
                guard part > 0 else { continue }
                mix(other, share * part, into: &picture, Rect(x: x, y: y, width: 1, height: 1))
            }
        }
    }

    private func mix(_ other: PixelBuffer, _ share: Double, into picture: inout PixelBuffer, _ rect: Rect) {
        guard share < 1 else { return copy(other, into: &picture, rect) }
        let (share, count) = (Float(share), 4 * rect.width)
        let offset = rect.x * layout.format.bytesPerPixel
        var y = rect.y
        let (from, bytesPerRow) = (conversion, layout.bytesPerRow)
        // SAFETY: both buffers have the canvas's layout, in which the rectangle lies. The temporary row has four floats for
        // each of its pixels.
        unsafe other.withUnsafeBytes { pixels in
            unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { top in
                guard let pixels = pixels.baseAddress, let top = top.baseAddress else { return }
                unsafe edit(&picture, rect) { row in
                    unsafe from.load(pixels + y * bytesPerRow + offset, count: rect.width, into: top)
                    for i in 0..<count { unsafe row[i] += (top[i] - row[i]) * share }
                    y += 1
                }
            }
        }
    }

    /// Copies the pixels of a rectangle.
    func copy(_ other: PixelBuffer, into picture: inout PixelBuffer, _ rect: Rect) {
        let (size, bytesPerRow) = (layout.format.bytesPerPixel, layout.bytesPerRow)
        // SAFETY: both buffers have the canvas's layout, in which the rectangle lies.
        unsafe picture.withUnsafeMutableBytes { out in
            unsafe other.withUnsafeBytes { pixels in
                guard let out = out.baseAddress, let pixels = pixels.baseAddress else { return }
                for y in rect.rows {
                    let at = y * bytesPerRow + rect.x * size
                    unsafe (out + at).copyMemory(from: pixels + at, byteCount: rect.width * size)
                }
            }
        }
    }

    /// Changes the premultiplied numbers of a rectangle, row by row from the top.
    ///
    /// SAFETY: `body` may use four floats for each of the rectangle's columns.
    private func edit(_ picture: inout PixelBuffer, _ rect: Rect, _ body: (UnsafeMutablePointer<Float>) -> Void) {
        let (size, bytesPerRow, conversion) = (layout.format.bytesPerPixel, layout.bytesPerRow, conversion)
        // SAFETY: the buffer has the canvas's layout, in which the rectangle lies. The temporary row has four floats for
        // each of its pixels.
        unsafe picture.withUnsafeMutableBytes { out in
            unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * rect.width) { row in
                guard let out = out.baseAddress, let row = row.baseAddress else { return }
                for y in rect.rows {
                    let at = unsafe out + y * bytesPerRow + rect.x * size
                    unsafe conversion.load(UnsafeRawPointer(at), count: rect.width, into: row)
                    unsafe body(row)
                    unsafe conversion.store(row, count: rect.width, into: at)
                }
            }
        }
    }

    /// Makes a picture of rows of premultiplied pixels in 0...1.
    private func rows(_ row: (Int) -> [SIMD4<Float>]) -> PixelBuffer {
        var result = PixelBuffer(layout: layout)
        let maximum = Float(layout.format.sample.maximum)
        var y = 0
        unsafe edit(&result, layout.extent) { out in
            for (x, pixel) in row(y).enumerated() {
                for channel in 0..<4 { unsafe out[4 * x + channel] = pixel[channel] * maximum }
            }
            y += 1
        }
        return result
    }

    private func over(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        pixel + SIMD4<Float>(background.premultiplied) * (1 - pixel[3])
    }
}

extension Color {
    fileprivate static let clear = Color(named: "transparent") ?? { preconditionFailure("a CSS colour") }()
}

extension ContentLayer {
    /// Returns the layer for a frame that is larger than the scene by a factor. Modes that do not scale the image would
    /// keep its size, so the layer gets the bounds at which the image has the scaled size.
    ///
    /// - Parameter extent: the rectangle for a layer without bounds, in the frame's pixels.
    func scaled(by scale: Double, in extent: Rect) -> ContentLayer {
        guard let box = mode.scaledBox(width: image.width, height: image.height, by: scale, in: bounds ?? extent) else {
            return self
        }
        var layer = self
        (layer.bounds, layer.mode) = (box, .scaleToFill)
        return layer
    }
}

extension ContentMode {
    /// Returns the rectangle that an image fills in a frame that is larger than the scene by a factor; nil for modes that scale the
    /// image anyway, and for the factor 1.
    ///
    /// - Parameter box: the bounds of the layer, in the frame's pixels.
    fileprivate func scaledBox(width: Int, height: Int, by scale: Double, in box: Rect) -> Rect? {
        switch self {
        case .scaleToFill, .aspectFit, .aspectFill: return nil
        case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight: break
        }
        guard scale != 1 else { return nil }
        let unscaled = Rect(
            nearest: Placement(
                x: Double(box.x) / scale, y: Double(box.y) / scale, width: max(1, Double(box.width) / scale),
                height: max(1, Double(box.height) / scale)))
        let filled = Rect(nearest: place(width: width, height: height, in: unscaled).scaled(by: scale))
        return filled.isEmpty
            ? Rect(x: filled.x, y: filled.y, width: max(1, filled.width), height: max(1, filled.height)) : filled
    }
}
