public import CFrost
import Frost
import FrostCSupport

/// The operations that both kinds of backdrops have: backdrops of images in memory, and backdrops of GL textures.
protocol PanelBackdrop: AnyObject {
    var panels: [Panel] { get set }
    func invalidate(_ rect: Rect)
    func invalidateAll()
    /// Reports a change of a panel's texture.
    func invalidateTexture(_ rect: Rect, ofPanelAt index: Int)
    /// Checks the values of a panel.
    func check(_ panel: Panel) throws(ParameterError)
    func contentColor(ofPanelAt index: Int) -> Color?
}

extension Backdrop: PanelBackdrop {
    func invalidateTexture(_ rect: Rect, ofPanelAt index: Int) {}
    func check(_ panel: Panel) throws(ParameterError) { _ = try panel.placedEffect() }
}

extension TextureBackdrop: PanelBackdrop {
    func check(_ panel: Panel) throws(ParameterError) { try panel.checkWithTexture() }
}

/// The object that a `frost_backdrop` refers to.
final class LiveBackdrop {
    let backdrop: any PanelBackdrop
    /// The report of the last frame that was rendered without an error.
    private(set) var report: BackdropReport?

    init(_ backdrop: any PanelBackdrop) { self.backdrop = backdrop }

    /// Reads the caller's options, renders a frame with `body`, and fills in the caller's report.
    func render(
        _ options: UnsafePointer<frost_frame_options>?, _ report: UnsafeMutablePointer<frost_frame_report>?,
        _ body: (Backdrop.Repaint, UInt64?, Cancellation?) throws(FrostError) -> BackdropReport
    ) throws(Failure) {
        let options = try unsafe frost_frame_options.read(optional: options, "options")
        guard unsafe options.reserved == 0 else {
            throw .argument(unsafe "options: reserved is \(options.reserved), not 0")
        }
        let repaint = try unsafe Backdrop.Repaint(options.repaint, age: options.buffer_age)
        let buffer = unsafe options.buffer == 0 ? nil : options.buffer
        let cancellation = try unsafe options.cancellation.map { (cancellation) throws(Failure) in
            unsafe try Handle<Cancellation>.value(cancellation, "options' cancellation")
        }
        if unsafe report != nil { try unsafe frost_frame_report.check(report, "report") }
        let frame = try failing { () throws(FrostError) in try body(repaint, buffer, cancellation) }
        self.report = frame
        if unsafe report != nil { try unsafe frost_frame_report(frame).write(to: report, "report") }
    }
}

extension frost_frame_report {
    fileprivate init(_ report: BackdropReport) {
        self.init()
        level_passes = UInt64(report.levelPasses)
        panel_passes = UInt64(report.panelPasses)
        level_samples = UInt64(report.levelSamples)
        panel_pixels = UInt64(report.panelPixels)
        updated_count = report.updated.count
        uncovered_count = report.uncovered.count
        error_bound = report.errorBound
        buffer_age = Int64(report.bufferAge)
        content_changes = report.contentChanges.count
        pending_choices = report.pendingChoices
    }
}

/// The fields of `frost_backdrop_options`, converted to Swift types.
struct BackdropOptions {
    let coverage: Backdrop.Coverage
    let threads: Int?
    let accuracy: Accuracy?
    let layering: Backdrop.Layering

    init(_ pointer: UnsafePointer<frost_backdrop_options>?) throws(Failure) {
        let options = try unsafe frost_backdrop_options.read(optional: pointer, "options")
        coverage = try Constants.value(options.coverage, "options' coverage")
        threads = options.threads == 0 ? nil : Int(options.threads)
        accuracy = try Accuracy(budget: options.error_budget)
        layering = try Constants.value(options.layering, "options' layering")
        guard options.reserved == 0 else { throw .argument("options: reserved is \(options.reserved), not 0") }
    }
}

@c @implementation
public func frost_backdrop_create(
    _ options: UnsafePointer<frost_backdrop_options>?, _ backdrop: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(backdrop, "backdrop") { () throws(Failure) in
        let options = try unsafe BackdropOptions(options)
        let backdrop = try failing { () throws(FrostError) in
            try Backdrop(
                coverage: options.coverage, accuracy: options.accuracy, threads: options.threads,
                layering: options.layering)
        }
        return LiveBackdrop(backdrop)
    }
}

@c @implementation
public func frost_backdrop_destroy(_ backdrop: OpaquePointer?) { unsafe Handle<LiveBackdrop>.destroy(backdrop) }

@c @implementation
public func frost_backdrop_set_panels(
    _ backdrop: OpaquePointer?, _ panels: UnsafePointer<frost_panel>?, _ count: Int
) -> frost_status {
    status { () throws(Failure) in
        let backdrop = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop").backdrop
        var damage: [[Rect]] = []
        let next = try unsafe frost_panel.read(panels, count: count, limit: 4096, "panels") { (panel) throws(Failure) in
            damage.append(
                try unsafe lent(panel.damage, count: panel.damage_count, "panel's damage").map {
                    (rect) throws(Failure) in try Rect(rect, "panel's damage")
                })
            return try unsafe Panel(panel)
        }
        try failing { () throws(ParameterError) in try next.checkIdentities() }
        let current = backdrop.panels
        for (index, panel) in next.enumerated() where !current.indices.contains(index) || current[index] != panel {
            // Only panels that differ from the previous panel at the same index are checked. Unchanged panels have been
            // checked before.
            do throws(ParameterError) { try backdrop.check(panel) } catch {
                throw Failure(FROST_ERROR_PARAMETER, "panel \(index): \(error)")
            }
        }
        backdrop.panels = next
        for (index, rects) in damage.enumerated() {
            for rect in rects { backdrop.invalidateTexture(rect, ofPanelAt: index) }
        }
    }
}

@c @implementation
public func frost_backdrop_invalidate(
    _ backdrop: OpaquePointer?, _ rects: UnsafePointer<frost_rect>?, _ count: Int
) -> frost_status {
    status { () throws(Failure) in
        let backdrop = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop").backdrop
        let list = try unsafe Array(lent(rects, count: count, "rects"))
        for rect in try list.map({ (rect) throws(Failure) in try Rect(rect, "rects: the rectangle") }) {
            backdrop.invalidate(rect)
        }
    }
}

@c @implementation
public func frost_backdrop_invalidate_all(_ backdrop: OpaquePointer?) -> frost_status {
    status { () throws(Failure) in
        try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop").backdrop.invalidateAll()
    }
}

@c @implementation
public func frost_backdrop_render(
    _ backdrop: OpaquePointer?, _ source: UnsafePointer<frost_source>?, _ target: UnsafePointer<frost_target>?,
    _ options: UnsafePointer<frost_frame_options>?, _ report: UnsafeMutablePointer<frost_frame_report>?
) -> frost_status {
    status { () throws(Failure) in
        let live = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop")
        guard let backdrop = live.backdrop as? Backdrop else {
            throw .argument("backdrop belongs to a frost_gl; use frost_gl_backdrop_render()")
        }
        let source = try unsafe frost_source.read(source, "source").pixels("source")
        let target = try unsafe frost_target.read(target, "target").pixels("target")
        try unsafe live.render(options, report) { (repaint, buffer, cancellation) throws(FrostError) in
            try unsafe backdrop.render(
                source, into: target, repaint: repaint, buffer: buffer, cancellation: cancellation)
        }
    }
}

@c @implementation
public func frost_backdrop_updated(
    _ backdrop: OpaquePointer?, _ rects: UnsafeMutablePointer<frost_rect>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?
) -> frost_status {
    status { () throws(Failure) in
        let report = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop").report
        try unsafe copy(report?.updated ?? [], to: rects, capacity, count)
    }
}

@c @implementation
public func frost_backdrop_uncovered(
    _ backdrop: OpaquePointer?, _ rects: UnsafeMutablePointer<frost_rect>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?
) -> frost_status {
    status { () throws(Failure) in
        let report = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop").report
        try unsafe copy(report?.uncovered ?? [], to: rects, capacity, count)
    }
}

@c @implementation
public func frost_backdrop_content_color(
    _ backdrop: OpaquePointer?, _ index: Int, _ rgba: UnsafeMutablePointer<Float>?
) -> frost_status {
    status { () throws(Failure) in
        let backdrop = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop").backdrop
        let numbers = try unsafe place(rgba, "rgba")
        let color = backdrop.contentColor(ofPanelAt: index)
        let values: [Double] = color.map { [$0.red, $0.green, $0.blue, $0.alpha] } ?? [0, 0, 0, 0]
        // SAFETY: the caller's array has four numbers.
        for (index, value) in values.enumerated() { unsafe numbers[index] = Float(value) }
    }
}
