public import CFrost
import Frost
import FrostCore
import FrostCSupport

extension Panel {
    /// Converts a caller's panel.
    init(_ panel: frost_panel) throws(Failure) {
        guard unsafe panel.reserved == 0 else { throw .argument(unsafe "panel: reserved is \(panel.reserved), not 0") }
        let effect = try unsafe Handle<Effect>.value(panel.effect, "panel's effect")
        for (field, value) in unsafe [
            ("transparency", panel.transparency), ("weakening", panel.weakening), ("inset_left", panel.inset_left),
            ("inset_top", panel.inset_top), ("inset_right", panel.inset_right), ("inset_bottom", panel.inset_bottom),
        ] where !(0...1).contains(value) {
            throw Failure(
                FROST_ERROR_PARAMETER,
                "\(ParameterError.outOfRange(parameter: "panel's \(field)", value: value, allowed: 0...1))")
        }
        unsafe self.init(
            Rect(panel.rect), effect: effect, cornerRadius: panel.corner_radius,
            corners: try CornerCurve(panel.corner_curve, parameter: panel.corner_parameter, "panel's"),
            mask: try panel.mask.map { (mask) throws(Failure) in
                try unsafe Handle<MaskImage>.value(mask, "panel's mask")
            },
            content: try frost_content.read(
                panel.content, count: panel.content_count, limit: 4096, "panel's content"
            ) { (content) throws(Failure) in try unsafe ContentLayer(content, over: effect) },
            texture: try panel.texture.map { (texture) throws(Failure) in
                try unsafe frost_gl_source.read(texture, "panel's texture").image
            },
            opacity: 1 - panel.transparency, strength: 1 - panel.weakening, id: panel.id == 0 ? nil : panel.id,
            region: panel.region == nil && panel.region_count == 0
                ? nil
                : Region(
                    try lent(panel.region, count: panel.region_count, "panel's region").map { (rect) throws(Failure) in
                        try Rect(rect, "panel's region")
                    }),
            insets: Insets(
                left: panel.inset_left, top: panel.inset_top, right: panel.inset_right, bottom: panel.inset_bottom))
    }
}

/// Reads a caller's options for a panel, which has its own region and mask.
private func panelOptions(_ pointer: UnsafePointer<frost_render_options>?) throws(Failure) -> RenderOptions {
    let options = try unsafe RenderOptions(pointer)
    guard options.region == nil else { throw .argument("options: region must be NULL, because the panel has a rect") }
    guard options.mask == nil else { throw .argument("options: mask must be NULL; use the panel's mask") }
    return options
}

/// Writes the report of a panel; zeros if the panel has no pixels.
private func write(_ rendered: RenderReport?, to report: UnsafeMutablePointer<frost_report>?) throws(Failure) {
    guard unsafe report != nil else { return }
    try unsafe (rendered.map { frost_report($0) } ?? frost_report()).write(to: report, "report")
}

@c @implementation
public func frost_render_panel(
    _ renderer: OpaquePointer?, _ panel: UnsafePointer<frost_panel>?, _ source: UnsafePointer<frost_source>?,
    _ target: UnsafePointer<frost_target>?, _ options: UnsafePointer<frost_render_options>?,
    _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = unsafe try Handle<Renderer>.value(renderer, "renderer")
        let panel = try unsafe Panel(frost_panel.read(panel, "panel"))
        let source = try unsafe frost_source.read(source, "source").pixels("source")
        let target = try unsafe frost_target.read(target, "target").pixels("target")
        let options = try unsafe panelOptions(options)
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let rendered = try failing { () throws(FrostError) in
            try unsafe renderer.render(
                source, panel, into: target, accuracy: options.accuracy, cancellation: options.cancellation)
        }
        try unsafe write(rendered, to: report)
    }
}

@c @implementation
public func frost_gl_render_panel(
    _ gl: OpaquePointer?, _ panel: UnsafePointer<frost_panel>?, _ source: UnsafePointer<frost_gl_source>?,
    _ target: UnsafePointer<frost_gl_target>?, _ options: UnsafePointer<frost_render_options>?,
    _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let panel = try unsafe Panel(frost_panel.read(panel, "panel"))
        let source = try unsafe frost_gl_source.read(source, "source").image
        let target = try unsafe frost_gl_target.read(target, "target").target
        let options = try unsafe panelOptions(options)
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let rendered = try failing { () throws(FrostError) in
            try renderer.render(
                source, panel, into: target, accuracy: options.accuracy, cancellation: options.cancellation)
        }
        try unsafe write(rendered, to: report)
    }
}
