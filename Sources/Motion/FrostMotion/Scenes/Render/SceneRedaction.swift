import Frost
import FrostCore

/// The pixels of a frame that a panel with a redaction hides.
///
/// Whatever reads pixels beside such a panel could show them: other panels, the reveal, transitions, and pictures that are scaled to
/// the frame. So these read a picture in which the pixels are hidden already.
struct SceneRedaction: Hashable {
    let rect: Rect
    let effect: Effect

    init(_ rect: Rect, _ effect: Effect) { (self.rect, self.effect) = (rect, effect) }

    /// - Returns: nil for a panel with another effect, and outside the frame.
    init?(_ panel: SceneState.Panel, in extent: Rect) {
        guard panel.effect.isRedaction, let rect = panel.rect.intersection(extent) else { return nil }
        self.init(rect, panel.effect)
    }
}

extension Renderer {
    /// Draws the redactions of a picture into pixels of the same layout, from bottom to top.
    func hide(
        _ redactions: [SceneRedaction], of picture: PixelBuffer, in pixels: inout PixelBuffer,
        _ cancellation: Cancellation?
    ) throws(FrostError) -> [RenderReport] {
        var reports: [RenderReport] = []
        for redaction in redactions {
            let panel = Panel(redaction.rect, effect: redaction.effect)
            if let report = try draw(panel, over: picture, into: &pixels, cancellation) { reports.append(report) }
        }
        return reports
    }

    /// Draws a panel into pixels of the picture's layout.
    func draw(
        _ panel: Panel, over picture: PixelBuffer, into pixels: inout PixelBuffer, _ cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport? {
        let (from, to) = (picture.layout, pixels.layout)
        var failure: FrostError?
        var drawn: RenderReport?
        // SAFETY: both buffers have the layouts that are given, and live until the call returns.
        unsafe picture.withUnsafeBytes { source in
            unsafe pixels.withUnsafeMutableBytes { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                do throws(FrostError) {
                    drawn = try unsafe render(
                        PixelSource(source, layout: from), panel, into: PixelTarget(target, layout: to),
                        cancellation: cancellation)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return drawn
    }
}

/// How the pixels of a picture lie in a frame.
struct SceneGrid: Hashable {
    /// The place of the picture in the frame.
    let place: Placement
    /// The size of the picture.
    let width, height: Int

    /// Whether each pixel of the frame shows only one pixel of the picture.
    private var isCopy: Bool { place.isWhole && (place.width, place.height) == (Double(width), Double(height)) }

    /// Returns all pixels of the frame that contain a part of those of the picture that a rectangle touches.
    ///
    /// - Parameter rect: a rectangle of the frame.
    func reach(of rect: Rect) -> Rect {
        guard !isCopy else { return rect }
        return Rect(
            columns: Self.reach(of: rect.columns, from: place.x, length: place.width, count: width),
            rows: Self.reach(of: rect.rows, from: place.y, length: place.height, count: height))
    }

    /// See ``PlacedContent`` for the weights.
    private static func reach(of pixels: Range<Int>, from start: Double, length: Double, count: Int) -> Range<Int> {
        let step = Double(count) / length
        // Makes up for the rounding of places.
        let tolerance = 1e-6
        let first = max((Double(pixels.lowerBound) - start) * step + tolerance, 0).rounded(.down)
        let end = min((Double(pixels.upperBound) - start) * step - tolerance, Double(count)).rounded(.up)
        guard first < end else { return pixels }
        let distance = max(1, step) - 0.5
        // Pixels at the picture's border show its outermost pixels.
        let left = first <= distance ? start - 1 : start + (first - distance) / step - 0.5 - tolerance
        let right =
            end >= Double(count) - distance ? start + length + 1 : start + (end + distance) / step - 0.5 + tolerance
        return min(pixels.lowerBound, Int(left.rounded(.down)) + 1)..<max(pixels.upperBound, Int(right.rounded(.up)))
    }
}
