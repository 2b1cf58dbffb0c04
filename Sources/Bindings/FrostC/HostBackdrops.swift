public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_gl_backdrop_create(
    _ gl: OpaquePointer?, _ options: UnsafePointer<frost_backdrop_options>?,
    _ backdrop: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(backdrop, "backdrop") { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let options = try unsafe BackdropOptions(options)
        guard options.threads == nil else {
            throw .argument("options: threads is \(options.threads ?? 0), but must be 0: no work runs on the CPU")
        }
        let backdrop = TextureBackdrop(
            on: renderer, coverage: options.coverage, accuracy: options.accuracy, layering: options.layering)
        return LiveBackdrop(backdrop)
    }
}

@c @implementation
public func frost_gl_backdrop_render(
    _ backdrop: OpaquePointer?, _ source: UnsafePointer<frost_gl_source>?,
    _ target: UnsafePointer<frost_gl_target>?, _ options: UnsafePointer<frost_frame_options>?,
    _ report: UnsafeMutablePointer<frost_frame_report>?
) -> frost_status {
    status { () throws(Failure) in
        let live = try unsafe Handle<LiveBackdrop>.value(backdrop, "backdrop")
        guard let backdrop = live.backdrop as? TextureBackdrop else {
            throw .argument("backdrop does not belong to a frost_gl; use frost_backdrop_render()")
        }
        let source = try unsafe frost_gl_source.read(source, "source").image
        let target = try unsafe frost_gl_target.read(target, "target").target
        try unsafe live.render(options, report) { (repaint, buffer, cancellation) throws(FrostError) in
            try backdrop.render(source, into: target, repaint: repaint, buffer: buffer, cancellation: cancellation)
        }
    }
}
