public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_cancellation_create(_ cancellation: UnsafeMutablePointer<OpaquePointer?>?) -> frost_status {
    status { () throws(Failure) in
        unsafe Handle.hand(Cancellation(), to: try place(cancellation, "cancellation"))
    }
}

@c @implementation
public func frost_cancellation_cancel(_ cancellation: OpaquePointer?) {
    _ = status { () throws(Failure) in unsafe try Handle<Cancellation>.value(cancellation, "cancellation").cancel() }
}

@c @implementation
public func frost_cancellation_destroy(_ cancellation: OpaquePointer?) {
    unsafe Handle<Cancellation>.destroy(cancellation)
}

/// The arguments of a call that renders an image, read from the caller's structs and checked.
///
/// SAFETY: source and target are the caller's memory, which is valid during the call or, in a queue, until the ticket
/// is done.
@safe struct RenderRequest {
    let effect: Effect
    let source: PixelSource
    let target: PixelTarget
    let options: RenderOptions

    init(
        _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?, _ target: UnsafePointer<frost_target>?,
        _ options: UnsafePointer<frost_render_options>?
    ) throws(Failure) {
        self.effect = unsafe try Handle<Effect>.value(effect, "effect")
        unsafe self.source = try frost_source.read(source, "source").pixels("source")
        unsafe self.target = try frost_target.read(target, "target").pixels("target")
        self.options = try unsafe RenderOptions(options)
    }
}

/// The fields of `frost_render_options`, converted to Swift types.
struct RenderOptions {
    let region: Rect?
    let mask: MaskImage?
    let cancellation: Cancellation?
    let accuracy: Accuracy?

    init(_ pointer: UnsafePointer<frost_render_options>?) throws(Failure) {
        let options = try unsafe frost_render_options.read(optional: pointer, "options")
        region = unsafe Rect(lent: options.region)
        mask = try unsafe options.mask.map { (mask) throws(Failure) in
            unsafe try Handle<MaskImage>.value(mask, "options' mask")
        }
        cancellation = try unsafe options.cancellation.map { (cancellation) throws(Failure) in
            unsafe try Handle<Cancellation>.value(cancellation, "options' cancellation")
        }
        accuracy = try unsafe Accuracy(budget: options.error_budget)
    }
}

extension Accuracy {
    /// Converts a caller's error budget, in 8-bit steps. 0 means the default and gives nil.
    init?(budget: Double) throws(Failure) {
        if budget == 0 { return nil }
        self = try failing { () throws(ParameterError) in try Accuracy(errorBudget: budget) }
    }
}

@c @implementation
public func frost_render(
    _ renderer: OpaquePointer?, _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?,
    _ target: UnsafePointer<frost_target>?, _ options: UnsafePointer<frost_render_options>?,
    _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = unsafe try Handle<Renderer>.value(renderer, "renderer")
        let request = try unsafe RenderRequest(effect, source, target, options)
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let rendered = try failing { () throws(FrostError) in
            try unsafe renderer.render(
                request.source, request.effect, mask: request.options.mask, region: request.options.region,
                into: request.target, accuracy: request.options.accuracy, cancellation: request.options.cancellation)
        }
        if unsafe report != nil { try unsafe frost_report(rendered).write(to: report, "report") }
    }
}

@c @implementation
public func frost_render_shapes(
    _ renderer: OpaquePointer?, _ effect: OpaquePointer?, _ shapes: UnsafePointer<frost_shape>?, _ count: Int,
    _ source: UnsafePointer<frost_source>?, _ target: UnsafePointer<frost_target>?,
    _ options: UnsafePointer<frost_render_options>?, _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = unsafe try Handle<Renderer>.value(renderer, "renderer")
        let effect = unsafe try Handle<Effect>.value(effect, "effect")
        guard effect.outputStages.clip.isEmpty else { throw .argument("effect already has shapes") }
        let rects = try unsafe [RoundedRect](shapes, count: count)
        let image = try unsafe frost_source.read(source, "source").copy("source")
        let target = try unsafe frost_target.read(target, "target").pixels("target")
        let options = try unsafe RenderOptions(options)
        guard options.region == nil else { throw .argument("options: region must be NULL") }
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let rendered = try failing { () throws(FrostError) in
            let rendered = try renderer.render(
                image, effect, within: rects, mask: options.mask, accuracy: options.accuracy,
                cancellation: options.cancellation)
            try unsafe rendered.image.copy(into: target)
            return rendered
        }
        if unsafe report != nil { try unsafe frost_report(rendered.report).write(to: report, "report") }
    }
}

extension frost_report {
    init(_ report: RenderReport) {
        self.init()
        struct_size = MemoryLayout<Self>.size
        backend = report.backend.code
        passes = Int32(clamping: report.passes)
        error_bound = report.errorBound
        upload_ms = report.uploadMilliseconds
        blur_ms = report.blurMilliseconds
        readback_ms = report.readbackMilliseconds
        gpu_ms = report.gpuMilliseconds ?? -1
        error_nits = report.lightErrorBound ?? 0
        (report.device ?? "").write(toField: &device)
        report.reason.write(toField: &reason)
        (report.warning ?? "").write(toField: &warning)
        guard let contrast = report.contrast else { return }
        let color = contrast.content
        content_color = (Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha))
        min_contrast = contrast.minimum
        self.contrast = contrast.smallest ?? 0
        contrast_x = Int32(clamping: contrast.place?.x ?? 0)
        contrast_y = Int32(clamping: contrast.place?.y ?? 0)
    }
}

@c @implementation
public func frost_effect_describe_target(
    _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?, _ region: UnsafePointer<frost_rect>?,
    _ target: UnsafeMutablePointer<frost_target>?
) -> frost_status {
    status { () throws(Failure) in
        let effect = unsafe try Handle<Effect>.value(effect, "effect")
        let source = try unsafe frost_source.read(source, "source").layout("source")
        let region = unsafe Rect(lent: region) ?? effect.region(extent: source.extent)
        let format = effect.outputFormat(for: source.format)
        let layout = try failing { () throws(PixelError) in
            try PixelLayout(width: region.width, height: region.height, format: format)
        }
        try unsafe frost_target.describe(layout, to: target)
    }
}

@c @implementation
public func frost_effect_error_bound(
    _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?, _ options: UnsafePointer<frost_render_options>?,
    _ bound: UnsafeMutablePointer<Double>?
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(bound, "bound")
        let effect = unsafe try Handle<Effect>.value(effect, "effect")
        let source = try unsafe frost_source.read(source, "source").layout("source")
        let options = try unsafe RenderOptions(options)
        let plan = try failing { () throws(ParameterError) in
            try effect.plan(
                extent: source.extent, region: options.region,
                accuracy: options.accuracy ?? .suited(to: source.format.sample), mask: options.mask)
        }
        unsafe place.pointee = plan.errorBound
    }
}

@c @implementation
public func frost_effect_damage_expansion(
    _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?, _ errorBudget: Double,
    _ x: UnsafeMutablePointer<Int32>?, _ y: UnsafeMutablePointer<Int32>?
) -> frost_status {
    status { () throws(Failure) in
        let (placeX, placeY) = unsafe (try place(x, "x"), try place(y, "y"))
        let effect = unsafe try Handle<Effect>.value(effect, "effect")
        let source = try unsafe frost_source.read(source, "source").layout("source")
        let accuracy = try Accuracy(budget: errorBudget) ?? .suited(to: source.format.sample)
        let reach = try failing { () throws(ParameterError) in
            try effect.damageExpansion(extent: source.extent, accuracy: accuracy)
        }
        unsafe placeX.pointee = Int32(clamping: reach.x)
        unsafe placeY.pointee = Int32(clamping: reach.y)
    }
}
