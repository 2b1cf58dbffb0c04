public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_reveal_create(
    _ renderer: OpaquePointer?, _ effect: OpaquePointer?, _ source: UnsafePointer<frost_source>?,
    _ options: UnsafePointer<frost_render_options>?, _ report: UnsafeMutablePointer<frost_report>?,
    _ reveal: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(reveal, "reveal") { () throws(Failure) in
        let renderer = try unsafe Handle<Renderer>.value(renderer, "renderer")
        let effect = try unsafe Handle<Effect>.value(effect, "effect")
        let options = try unsafe RenderOptions(options)
        guard options.region == nil else { throw .argument("options: a reveal has no region") }
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let image = try unsafe frost_source.read(source, "source").copy("source")
        let reveal = try failing { () throws(FrostError) in
            try Reveal(
                image, effect, mask: options.mask, accuracy: options.accuracy, with: renderer,
                cancellation: options.cancellation)
        }
        if unsafe report != nil { try unsafe frost_report(reveal.report).write(to: report, "report") }
        return reveal
    }
}

@c @implementation
public func frost_reveal_describe_target(
    _ reveal: OpaquePointer?, _ target: UnsafeMutablePointer<frost_target>?
) -> frost_status {
    status { () throws(Failure) in
        let layout = try unsafe Handle<Reveal>.value(reveal, "reveal").original.layout
        let packed = try failing { () throws(PixelError) in
            try PixelLayout(width: layout.width, height: layout.height, format: layout.format)
        }
        try unsafe frost_target.describe(packed, to: target)
    }
}

@c @implementation
public func frost_reveal_render(
    _ reveal: OpaquePointer?, _ shapes: UnsafePointer<frost_shape>?, _ count: Int,
    _ target: UnsafePointer<frost_target>?
) -> frost_status {
    status { () throws(Failure) in
        let reveal = try unsafe Handle<Reveal>.value(reveal, "reveal")
        let rects = try unsafe [RoundedRect](shapes, count: count)
        let target = try unsafe frost_target.read(target, "target").pixels("target")
        try failing { () throws(FrostError) in try unsafe reveal.render(within: rects, into: target) }
    }
}

@c @implementation
public func frost_reveal_destroy(_ reveal: OpaquePointer?) { unsafe Handle<Reveal>.destroy(reveal) }
