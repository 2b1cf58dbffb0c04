public import FrostCore

/// The rectangle in which masks lie. A mask image is stretched over it. The numbers of gradients, bands and circles are fractions
/// of it.
public enum MaskPlacement: String, Sendable, Hashable, CaseIterable {
    /// Each rectangle to which the effect is applied, as in a panel. Without rectangles, it is the whole picture.
    case rect
    /// The whole picture.
    case picture
}

extension Renderer {
    /// Applies an effect within rectangles. All other pixels keep their bytes, and Frost computes only the rectangles.
    ///
    /// - Parameters:
    ///   - image: the image to read.
    ///   - effect: the effect; its content is drawn in each of the rectangles.
    ///   - rects: the rectangles, in the image's pixels. Parts of a rectangle outside the image are cut off; the report then
    ///     contains a warning.
    ///   - isBounded: whether only pixels inside a rectangle contribute to its result. If true, the effect treats each
    ///     rectangle as the whole image: the edge mode applies outside the rectangle, and masks and proportions refer to the
    ///     rectangle. Bounded rectangles are panels on top of each other: a later panel reads the results of earlier panels.
    ///     If false, all rectangles show the same effect on the whole image; where rectangles overlap, their coverage adds
    ///     up.
    ///   - mask: the mask image, for effects whose mask is an image.
    ///   - maskPlacement: where masks lie. If `isBounded` is true, they lie in each rectangle anyway.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Returns: an image of the same size, in the format of ``Effect/outputFormat(for:)``, and a report that sums up all
    ///   parts.
    /// - Throws: ``FrostError``; in particular ``ParameterError/outsideImage(_:image:)`` if a rectangle covers no pixel of
    ///   the image.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, within rects: [RoundedRect], isBounded: Bool = false,
        mask: MaskImage? = nil, maskPlacement: MaskPlacement = .rect, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        let extent = image.layout.extent
        var result = try unchanged(image, in: effect.outputFormat(for: image.format))
        let original = result
        var total: RenderReport?
        // All rectangles have content of the same colour.
        let effect = try effect.decidingContent(of: image, within: rects.map(\.bounds))
        for rect in rects {
            guard let inside = rect.bounds.intersection(extent) else {
                throw .parameter(.outsideImage(rect.bounds, image: extent))
            }
            // The cells of two rectangles have the same numbers. With one key, they could be compared.
            let panel = effect.panel(rect, of: isBounded ? [rect] : rects, maskPlacement)
                .keyed(by: secretKey, for: .pictures).keyed(at: rect.bounds)
            let (source, whole) = isBounded ? (result, inside) : (image, extent)
            for part in panel.parts(of: inside) {
                let rendered = try render(
                    source, part.moved(panel), mask: mask, from: whole, extent: part.moved(whole),
                    region: part.moved(part.region), in: result.format, accuracy: accuracy, cancellation: cancellation)
                try rethrow(result.paste(rendered.image, at: part.place), as: FrostError.pixels)
                var report = rendered.report
                report.contrast?.move(
                    x: part.origin.x + part.place.x - part.region.x, y: part.origin.y + part.place.y - part.region.y)
                if inside != rect.bounds {
                    report.warn("the rectangle \(rect.bounds) was cropped to the picture: \(inside)")
                }
                report.add(total)
                total = report
            }
            if isBounded {
                total = try drawBeside(
                    [rect], effect, mask, maskPlacement, from: result, into: &result, accuracy, cancellation,
                    adding: total)
            }
        }
        if !isBounded {
            total = try drawBeside(
                rects, effect, mask, maskPlacement, from: original, into: &result, accuracy, cancellation, adding: total
            )
        }
        guard let total else {
            return Rendered(
                image: result, report: RenderReport(backend: .cpu, reason: "nothing to blur", errorBound: 0))
        }
        return Rendered(image: result, report: total)
    }

    /// Draws what an effect changes beside the bounds of shapes: where they flow together, and their shadow.
    ///
    /// - Parameter total: the report of the other parts, to which this one is added.
    private func drawBeside(
        _ shapes: [RoundedRect], _ effect: Effect, _ mask: MaskImage?, _ maskPlacement: MaskPlacement,
        from image: PixelBuffer, into result: inout PixelBuffer, _ accuracy: Accuracy?, _ cancellation: Cancellation?,
        adding total: RenderReport?
    ) throws(FrostError) -> RenderReport? {
        let extent = image.layout.extent
        var total = total
        for (rect, effect) in effect.partsBeside(shapes, in: extent, maskPlacement) {
            let rendered = try render(
                image, effect.keyed(by: secretKey, for: .pictures), mask: effect.mask == nil ? nil : mask, from: extent,
                extent: extent, region: rect, in: result.format, accuracy: accuracy, cancellation: cancellation)
            try rethrow(result.paste(rendered.image, at: rect), as: FrostError.pixels)
            var report = rendered.report
            // The passes are those of the effect.
            report.passes = 0
            report.add(total)
            total = report
        }
        return total
    }

    /// Converts the picture to a format with the channels that an effect adds: alpha for transparent edges, or colour if the
    /// effect tints a grey picture. This function does not apply the effect itself.
    func unchanged(_ image: PixelBuffer, in format: PixelFormat) throws(FrostError) -> PixelBuffer {
        guard image.format.channels.isGrey, !format.channels.isGrey else { return try copy(image, format: format) }
        let colored = try rethrow(image.colored(), as: FrostError.pixels)
        return try copy(colored, format: format)
    }
}

extension Effect {
    /// Returns the parts of a region beside the bounds of shapes that the effect changes, each with the effect that does.
    func partsBeside(
        _ shapes: [RoundedRect], in region: Rect, _ maskPlacement: MaskPlacement
    ) -> [(rect: Rect, effect: Effect)] {
        var parts: [(rect: Rect, effect: Effect)] = []
        if outputStages.join > 0, shapes.count > 1 {
            var joined = panel(shapes[0], of: shapes, maskPlacement)
            joined.outputStages.content = []
            let covered = shapes.compactMap { outputStages.bounds(of: $0).intersection(region) }
            parts = Region(covered).subtracting(Region(shapes.map(\.bounds))).cover().map { ($0, joined) }
        }
        return parts + shadowParts(of: shapes, in: region)
    }

    /// Returns the effect for one of several rectangles: clipped to all rectangles, with its content placed in `rect`.
    func panel(_ rect: RoundedRect, of rects: [RoundedRect], _ maskPlacement: MaskPlacement) -> Effect {
        var effect = self
        switch maskPlacement {
        case .rect: effect.maskBounds = rect.bounds
        case .picture: break
        }
        // A shadow is seen only beside rectangles of whole pixels.
        let isJoined = outputStages.join > 0 && rects.count > 1
        effect.outputStages.clip = rects.allSatisfy(\.isWholePixels) && !isJoined ? [] : rects
        if outputStages.followsShapes { effect.outputStages.shapes = rects }
        // Content is placed in the whole rectangle, even if the image's border cuts off parts of the rectangle.
        if !outputStages.content.isEmpty {
            effect.outputStages.content = outputStages.content.map { layer in
                var layer = layer
                layer.bounds = rect.bounds
                return layer
            }
        }
        return effect
    }
}

extension RoundedRect {
    /// Whether the rectangle covers every pixel completely or not at all.
    fileprivate var isWholePixels: Bool {
        radius == 0 && rotation == 0 && [x, y, width, height].allSatisfy { $0 == $0.rounded() }
    }
}

extension PixelBuffer {
    /// Returns a copy of the image in which the grey channel is converted to red, green and blue.
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
    /// Adds the report of another part of the same image.
    package mutating func add(_ other: RenderReport?) {
        guard let other else { return }
        passes += other.passes
        uploadMilliseconds += other.uploadMilliseconds
        newPrograms += other.newPrograms
        programMilliseconds += other.programMilliseconds
        blurMilliseconds += other.blurMilliseconds
        readbackMilliseconds += other.readbackMilliseconds
        gpuMilliseconds = gpuMilliseconds.flatMap { sum in other.gpuMilliseconds.map { sum + $0 } }
        errorBound = max(errorBound, other.errorBound)
        if backend != other.backend { warn("some parts ran on the \(other.backend.rawValue): \(other.reason)") }
        if let text = other.warning { warn(text) }
        // The parts of one image have content of the same colour.
        if let other = other.contrast {
            var sum = contrast ?? other
            sum.add(other)
            contrast = sum
        }
    }

    fileprivate mutating func warn(_ text: String) {
        guard warning?.contains(text) != true else { return }
        warning = warning.map { "\(text); \($0)" } ?? text
    }
}
