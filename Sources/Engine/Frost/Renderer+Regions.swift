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
    ///   - effect: the effect; its content is drawn in each of the rectangles. Its ``OutputStages/clipRule`` applies to them; if
    ///     it is inverted, the effect lies on the whole image outside the rectangles, with its content and masks.
    ///   - rects: the rectangles, in the image's pixels. Parts of a rectangle outside the image are cut off; the report then
    ///     contains a warning.
    ///   - isBounded: whether only pixels inside a rectangle contribute to its result; not with a feather or inverted
    ///     rectangles. If true, the effect treats each rectangle as the whole image: the edge mode applies outside the
    ///     rectangle, and masks and proportions refer to the rectangle. Bounded rectangles are panels on top of each
    ///     other: a later panel reads the results of earlier panels.
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
        let rule = effect.outputStages.clipRule
        if isBounded, rule.feather > 0 || rule.isInverted {
            throw .parameter(.conflict("bounded rectangles", rule.isInverted ? "inverted shapes" : "feather"))
        }
        try rethrow(extent.check(rects), as: FrostError.parameter)
        // All rectangles have content of the same colour.
        let effect = try effect.decidingContent(of: image, within: rule.isInverted ? [extent] : rects.map(\.bounds))
        if rule.isInverted {
            return try render(image, effect.outside(rects), onto: result, mask: mask, accuracy: accuracy, cancellation)
        }
        if !isBounded, let (whole, place) = effect.withAll(rects, in: extent, maskPlacement) {
            var report = try render(
                whole, from: image, extent, place, into: &result, mask: mask, accuracy: accuracy, cancellation)
            for rect in rects { report.warnIfCropped(rect, to: extent) }
            return Rendered(image: result, report: report)
        }
        let isSeparate = isBounded || effect.isSeparate(within: rects)
        for rect in rects {
            let inside = rect.bounds.intersection(extent) ?? rect.bounds
            // The cells of two rectangles have the same numbers. With one key, they could be compared.
            let panel = effect.panel(rect, of: isSeparate ? [rect] : rects, maskPlacement)
                .keyed(by: secretKey, for: .pictures).keyed(at: rect.bounds)
            let (source, whole) = isBounded ? (result, inside) : (image, extent)
            var report = try render(
                panel, from: source, whole, inside, into: &result, mask: mask, accuracy: accuracy, cancellation)
            report.warnIfCropped(rect, to: extent)
            total.append(report)
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
        return Rendered(image: result, report: total ?? .nothing)
    }

    /// Renders an effect in a rectangle.
    ///
    /// - Parameters:
    ///   - whole: what the effect treats as the whole image.
    ///   - place: the rectangle, within the image.
    private func render(
        _ effect: Effect, from image: PixelBuffer, _ whole: Rect, _ place: Rect, into result: inout PixelBuffer,
        mask: MaskImage?, accuracy: Accuracy?, _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        let placed = PlacedEffect(effect, in: place)
        let rendered = try render(
            image, placed.effect, mask: mask, from: whole, extent: placed.moved(whole), region: placed.moved(place),
            in: result.format, accuracy: accuracy, cancellation: cancellation)
        try rethrow(result.paste(rendered.image, at: place, only: placed.runs), as: FrostError.pixels)
        var report = rendered.report
        report.contrast?.move(x: placed.origin.x, y: placed.origin.y)
        return report
    }

    /// Renders an effect outside shapes.
    private func render(
        _ image: PixelBuffer, _ effect: Effect, onto original: PixelBuffer, mask: MaskImage?, accuracy: Accuracy?,
        _ cancellation: Cancellation?
    ) throws(FrostError) -> Rendered {
        var result = original
        let extent = image.layout.extent
        let report = try render(
            effect.keyed(by: secretKey, for: .pictures).keyed(at: extent), from: image, extent, extent, into: &result,
            mask: mask, accuracy: accuracy, cancellation)
        return Rendered(image: result, report: report)
    }

    /// Draws what an effect changes beside the bounds of shapes: where they flow together or fade out, and their shadow.
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
            total.append(report)
        }
        return total
    }

    /// Converts the picture to a format with the channels that an effect adds: alpha for transparent edges, or colour if the
    /// effect tints a grey picture. This function does not apply the effect itself.
    package func unchanged(_ image: PixelBuffer, in format: PixelFormat) throws(FrostError) -> PixelBuffer {
        guard image.format.channels.isGrey, !format.channels.isGrey else { return try copy(image, format: format) }
        let colored = try rethrow(image.colored(), as: FrostError.pixels)
        return try copy(colored, format: format)
    }
}

extension RenderReport {
    /// The report of a call that had nothing to do.
    static var nothing: RenderReport { RenderReport(backend: .cpu, reason: "nothing to blur", errorBound: 0) }
}

extension Rect {
    /// Checks that each of some shapes covers a pixel of the image with this extent.
    func check(_ shapes: [RoundedRect]) throws(ParameterError) {
        if let rect = shapes.map(\.bounds).first(where: { $0.intersection(self) == nil }) {
            throw .outsideImage(rect, image: self)
        }
    }
}

extension RenderReport {
    /// The report about a result that is shown once more.
    fileprivate var shownAgain: RenderReport {
        var report = RenderReport(backend: backend, device: device, reason: reason, errorBound: errorBound)
        (report.shaders, report.lightErrorBound) = (shaders, lightErrorBound)
        (report.contrast, report.warning) = (contrast, warning)
        report.gpuMilliseconds = gpuMilliseconds.map { _ in 0 }
        return report
    }

    mutating func warnIfCropped(_ rect: RoundedRect, to extent: Rect) {
        guard let inside = rect.bounds.intersection(extent), inside != rect.bounds else { return }
        warn("the rectangle \(rect.bounds) was cropped to the picture: \(inside)")
    }
}

extension Rendered {
    /// The same result, which is shown once more without any work.
    package var shownAgain: Rendered { Rendered(image: image, report: report.shownAgain) }
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

extension RenderReport? {
    /// Appends the report of the next part or frame. What the two cannot share, such as the backend, is that of the next one.
    package mutating func append(_ next: RenderReport) {
        var sum = next
        if let self { sum.add(self) }
        self = sum
    }
}

extension RenderReport {
    /// Adds the report of another part of the same image.
    package mutating func add(_ other: RenderReport) {
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
