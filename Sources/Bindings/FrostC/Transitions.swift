public import CFrost
import Frost
import FrostCore
import FrostCSupport

@c @implementation
public func frost_transition_create(
    _ name: UnsafePointer<CChar>?, _ parameters: UnsafePointer<CChar>?,
    _ options: UnsafePointer<frost_transition_options>?, _ transition: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(transition, "transition") { () throws(Failure) in
        guard let name = unsafe String(lent: name) else { throw .argument("name is NULL") }
        let text = unsafe String(lent: parameters) ?? ""
        var transition = try failing { () throws(ParameterError) in
            try TransitionCatalog.transition(name).make(parsing: text)
        }
        try unsafe transition.apply(options)
        return transition
    }
}

extension Transition {
    fileprivate mutating func apply(_ options: UnsafePointer<frost_transition_options>?) throws(Failure) {
        let options = try unsafe frost_transition_options.read(optional: options, "options")
        guard unsafe options.reserved == 0 else {
            throw .argument("options: reserved is \(unsafe options.reserved), not 0")
        }
        extent = try unsafe Self.rectangle(options.extent, "extent")
        shadowExtent = try unsafe Self.rectangle(options.shadow_extent, "shadow extent")
        decoding = try unsafe Constants.decoding(options.light)
    }

    private static func rectangle(_ rect: UnsafePointer<frost_rect>?, _ name: String) throws(Failure) -> Rect? {
        guard let rect = unsafe Rect(lent: rect) else { return nil }
        do throws(ParameterError) {
            try Transition.check(time: 0, rectangles: [rect])
        } catch {
            throw Failure(FROST_ERROR_PARAMETER, "\(name): \(error)")
        }
        return rect
    }
}

@c @implementation
public func frost_transition_equal(_ first: OpaquePointer?, _ second: OpaquePointer?) -> Int32 {
    unsafe Handle<Transition>.equal(first, second)
}

@c @implementation
public func frost_transition_hash(_ transition: OpaquePointer?) -> UInt64 {
    unsafe Handle<Transition>.hash(transition)
}

@c @implementation
public func frost_transition_destroy(_ transition: OpaquePointer?) { unsafe Handle<Transition>.destroy(transition) }

/// The arguments of a call that renders a frame of a transition, without the pixels, read from the caller's structs and
/// checked.
///
/// SAFETY: the structs are copies; their pixels are the caller's memory, which is valid during the call.
@safe private struct FrameRequest {
    let transition: Transition
    let source: (image: frost_source, layout: PixelLayout)
    let target: (image: frost_source, layout: PixelLayout)
    let shading: (image: frost_source, layout: PixelLayout)?
    let backside: (image: frost_source, layout: PixelLayout)?
    let mask: MaskImage?
    let region: Rect?
    let cancellation: Cancellation?

    init(
        _ transition: OpaquePointer?, _ from: UnsafePointer<frost_source>?, _ to: UnsafePointer<frost_source>?,
        _ options: UnsafePointer<frost_transition_render_options>?
    ) throws(Failure) {
        self.transition = unsafe try Handle<Transition>.value(transition, "transition")
        unsafe source = try Self.image(from, "from")
        unsafe target = try Self.image(to, "to")
        let options = try unsafe frost_transition_render_options.read(optional: options, "options")
        unsafe shading = try options.shading == nil ? nil : Self.image(options.shading, "shading")
        unsafe backside = try options.backside == nil ? nil : Self.image(options.backside, "backside")
        mask = try unsafe options.mask.map { (mask) throws(Failure) in
            unsafe try Handle<MaskImage>.value(mask, "options' mask")
        }
        region = unsafe Rect(lent: options.region)
        cancellation = try unsafe options.cancellation.map { (cancellation) throws(Failure) in
            unsafe try Handle<Cancellation>.value(cancellation, "options' cancellation")
        }
    }

    private static func image(
        _ pointer: UnsafePointer<frost_source>?, _ name: StaticString
    ) throws(Failure) -> (image: frost_source, layout: PixelLayout) {
        let image = try unsafe frost_source.read(pointer, name)
        return unsafe (image, try image.layout(name))
    }

    /// The format of the frame.
    func format() throws(Failure) -> PixelFormat {
        try failing { () throws(PixelError) in
            try unsafe transition.outputFormat(
                from: source.layout, to: target.layout,
                extraFormats: [shading?.layout.format, backside?.layout.format].compactMap { $0 })
        }
    }

    /// The layout of the frame, without padding between rows.
    func layout() throws(Failure) -> PixelLayout {
        let format = try format()
        let region = unsafe region ?? source.layout.extent.hull(target.layout.extent)
        return try failing { () throws(PixelError) in
            try PixelLayout(width: region.width, height: region.height, format: format)
        }
    }

    /// Checks the memory of the images and returns their pixels, which are valid during the call.
    func images() throws(Failure) -> TransitionImages {
        func pixels(_ image: frost_source?, _ name: StaticString) throws(Failure) -> PixelSource? {
            try unsafe image.map { (image) throws(Failure) in try unsafe image.pixels(name) }
        }
        return unsafe TransitionImages(
            source: try source.image.pixels("from"), target: try target.image.pixels("to"),
            backside: try pixels(backside?.image, "backside"), shading: try pixels(shading?.image, "shading"))
    }

    /// Checks that the output loses no channel of the frame, and that it has colour channels only if the frame has.
    func check(_ output: PixelFormat) throws(Failure) {
        let format = try format()
        guard output.channels.isGrey == format.channels.isGrey,
            output.channels.hasAlpha || !format.channels.hasAlpha
        else {
            throw Failure(
                .mismatch(property: "format", first: "\(format) of the frame", second: "\(output) of the target"))
        }
    }
}

@c @implementation
public func frost_transition_describe_target(
    _ transition: OpaquePointer?, _ from: UnsafePointer<frost_source>?, _ to: UnsafePointer<frost_source>?,
    _ options: UnsafePointer<frost_transition_render_options>?, _ target: UnsafeMutablePointer<frost_target>?
) -> frost_status {
    status { () throws(Failure) in
        let layout = try unsafe FrameRequest(transition, from, to, options).layout()
        try unsafe frost_target.describe(layout, to: target)
    }
}

@c @implementation
public func frost_render_transition(
    _ renderer: OpaquePointer?, _ transition: OpaquePointer?, _ time: Double, _ from: UnsafePointer<frost_source>?,
    _ to: UnsafePointer<frost_source>?, _ target: UnsafePointer<frost_target>?,
    _ options: UnsafePointer<frost_transition_render_options>?, _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = unsafe try Handle<Renderer>.value(renderer, "renderer")
        let request = try unsafe FrameRequest(transition, from, to, options)
        let images = try unsafe request.images()
        let output = try unsafe frost_target.read(target, "target").pixels("target")
        try request.check(unsafe output.layout.format)
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let rendered = try failing { () throws(FrostError) in
            try unsafe renderer.render(
                request.transition, at: time, images, mask: request.mask, region: request.region, into: output,
                cancellation: request.cancellation)
        }
        if unsafe report != nil { try unsafe frost_report(rendered).write(to: report, "report") }
    }
}
