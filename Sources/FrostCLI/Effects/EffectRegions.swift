import Frost

/// Where an effect shows: `--rect` and `--corner-radius`. All other pixels keep their bytes.
struct EffectRegions {
    private let rects: [Rect]
    /// The same with their corners; empty where those are square, and pixels covered in full or not at all.
    private let clip: [RoundedRect]

    init(_ arguments: Arguments) throws(CommandError) {
        let rects = try arguments.rects()
        self.rects = rects
        guard let radius = try arguments.number(.cornerRadius, in: 0...Double(1 << 29)) else {
            clip = []
            return
        }
        guard !rects.isEmpty else { throw .usage("--corner-radius rounds the corners of --rect, which is not given") }
        do throws(ParameterError) {
            clip =
                try radius == 0
                ? [] : rects.map { (rect) throws(ParameterError) in try RoundedRect(rect, radius: radius) }
        } catch {
            throw .usage("--corner-radius: \(error)")
        }
    }

    /// The whole picture, or the rectangles put into it.
    func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> (PixelBuffer, RenderReport) {
        guard !rects.isEmpty else {
            let rendered = try renderer.render(image, effect, mask: mask)
            return (rendered.image, rendered.report)
        }
        var effect = effect
        effect.finish.clip = clip
        var result = try unchanged(image, in: effect.outputFormat(for: image.format), with: renderer)
        var total: RenderReport?
        for rect in rects {
            guard let inside = rect.intersection(image.layout.extent) else {
                throw .parameter(.outsideImage(rect, image: image.layout.extent))
            }
            let rendered = try renderer.render(image, effect, mask: mask, region: inside)
            do throws(PixelError) { try result.paste(rendered.image, at: inside) } catch { throw .pixels(error) }
            var report = rendered.report
            if inside != rect { report.warn("the rectangle \(rect) was cut to the picture: \(inside)") }
            report.add(total)
            total = report
        }
        guard let total else { throw .cancelled }
        return (result, total)
    }

    /// The picture with the channels that the effect adds: alpha for transparent edges, colour for a tinted grey.
    private func unchanged(
        _ image: PixelBuffer, in format: PixelFormat, with renderer: Renderer
    ) throws(FrostError) -> PixelBuffer {
        guard image.format.channels.isGrey, !format.channels.isGrey else {
            return try renderer.copy(image, format: format)
        }
        let colored: PixelBuffer
        do throws(PixelError) { colored = try image.colored() } catch { throw .pixels(error) }
        return try renderer.copy(colored, format: format)
    }
}

extension PixelBuffer {
    /// Grey as red, green and blue alike.
    fileprivate func colored() throws(PixelError) -> PixelBuffer {
        let (size, count) = (format.sample.size, format.bytesPerPixel)
        var format = format
        format.channels = format.channels.addingColor
        let layout = try PixelLayout(width: width, height: height, format: format)
        var out: [UInt8] = []
        out.reserveCapacity(layout.byteCount)
        for y in 0..<height {
            for x in 0..<width {
                let at = y * self.layout.bytesPerRow + x * count
                for _ in 0..<3 { out += bytes[at..<at + size] }
                out += bytes[at + size..<at + count]
            }
        }
        return try PixelBuffer(layout: layout, bytes: out)
    }
}

extension RenderReport {
    fileprivate mutating func add(_ other: RenderReport?) {
        guard let other else { return }
        uploadMilliseconds += other.uploadMilliseconds
        blurMilliseconds += other.blurMilliseconds
        readbackMilliseconds += other.readbackMilliseconds
        gpuMilliseconds = gpuMilliseconds.flatMap { sum in other.gpuMilliseconds.map { sum + $0 } }
        errorBound = max(errorBound, other.errorBound)
        if backend != other.backend { warn("some rectangles ran on the \(other.backend.rawValue): \(other.reason)") }
        if let text = other.warning { warn(text) }
    }

    fileprivate mutating func warn(_ text: String) {
        guard warning?.contains(text) != true else { return }
        warning = warning.map { "\(text); \($0)" } ?? text
    }
}
