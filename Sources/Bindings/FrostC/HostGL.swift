public import CFrost
import Frost
import FrostCSupport

/// The object that a `frost_gl` refers to.
final class HostGL {
    let renderer: TextureRenderer
    private var kinds: [DMABufferKind]?
    /// The programs that the last call returned, and the number of programs at that time. A caller calls twice: for the
    /// size, and for the bytes.
    private var programs: (data: [UInt8], count: Int)?

    /// The maximum number of effects to prepare in a call.
    static let maximumEffects = 65536
    /// The maximum size of stored programs in bytes.
    static let maximumProgramBytes = 1 << 30

    init(_ renderer: TextureRenderer) { self.renderer = renderer }

    /// Returns the GL programs as bytes. They are the same bytes until there is another program.
    func programData() throws(FrostError) -> [UInt8] {
        let statistics = renderer.statistics
        let count = statistics.programsCompiled + statistics.programsLoaded
        if let programs, programs.count == count { return programs.data }
        let data = try renderer.programData()
        programs = (data, count)
        return data
    }

    /// Returns the combinations of format and modifier of dma-bufs that can be imported. The driver is queried only
    /// once.
    func dmaBufferKinds() throws(FrostError) -> [DMABufferKind] {
        if let kinds { return kinds }
        let listed = try renderer.dmaBufferSupport().kinds
        kinds = listed
        return listed
    }
}

@c @implementation
public func frost_gl_create(
    _ options: UnsafePointer<frost_gl_options>?, _ gl: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(gl, "gl") { () throws(Failure) in
        let options = try unsafe frost_gl_options.read(optional: options, "options")
        var wanted = GPUOptions()
        if unsafe options.idle_bytes != 0 { wanted.idleBytes = unsafe Int(clamping: options.idle_bytes) }
        let binding = try unsafe options.binding
        return try failing { () throws(FrostError) in
            HostGL(try TextureRenderer(options: wanted, binding: binding))
        }
    }
}

extension frost_gl_options {
    /// The callbacks that make the context current; nil if there are none.
    fileprivate var binding: ContextBinding? {
        get throws(Failure) {
            let user = unsafe user_data
            func call(
                _ name: String, _ callback: @escaping frost_context_callback
            ) -> () throws(GLError) -> Void {
                { () throws(GLError) in
                    // SAFETY: frost.h requires that the callbacks and their data are valid until the frost_gl is
                    // destroyed.
                    let code = unsafe callback(user)
                    guard code == 0 else { throw .notCurrent("\(name) returned \(code)") }
                }
            }
            switch unsafe (make_current, release_current) {
            case (nil, nil): return nil
            case (let make?, let release?):
                return unsafe ContextBinding(
                    makeCurrent: call("make_current", make), release: call("release_current", release))
            case (_?, nil): throw .argument("options: make_current is set, but release_current is NULL")
            case (nil, _?): throw .argument("options: release_current is set, but make_current is NULL")
            }
        }
    }
}

@c @implementation
public func frost_gl_destroy(_ gl: OpaquePointer?) {
    guard unsafe gl != nil else { return }
    _ = status { () throws(Failure) in try unsafe Handle<HostGL>.value(gl, "gl").renderer.destroy() }
    unsafe Handle<HostGL>.destroy(gl)
}

@c @implementation
public func frost_gl_trim(_ gl: OpaquePointer?) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        _ = try failing { () throws(FrostError) in try renderer.trim() }
    }
}

@c @implementation
public func frost_gl_describe(_ gl: OpaquePointer?, _ info: UnsafeMutablePointer<frost_gl_info>?) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let statistics = renderer.statistics
        var value = frost_gl_info()
        value.renders = UInt64(statistics.executions)
        value.passes = UInt64(statistics.passes)
        value.objects_created = UInt64(statistics.objects.created)
        value.objects = UInt64(statistics.objects.total)
        value.bytes = UInt64(statistics.objects.bytes)
        value.programs_compiled = UInt64(statistics.programsCompiled)
        value.programs_loaded = UInt64(statistics.programsLoaded)
        value.trimmed_bytes = UInt64(statistics.trimmedBytes)
        value.maximum_side = Int32(clamping: renderer.maximumTextureSize)
        renderer.deviceName.write(toField: &value.device)
        try unsafe value.write(to: info, "info")
    }
}

@c @implementation
public func frost_gl_render(
    _ gl: OpaquePointer?, _ effect: OpaquePointer?, _ source: UnsafePointer<frost_gl_source>?,
    _ target: UnsafePointer<frost_gl_target>?, _ options: UnsafePointer<frost_render_options>?,
    _ report: UnsafeMutablePointer<frost_report>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let effect = try unsafe Handle<Effect>.value(effect, "effect")
        let source = try unsafe frost_gl_source.read(source, "source").image
        let target = try unsafe frost_gl_target.read(target, "target").target
        let options = try unsafe RenderOptions(options)
        if unsafe report != nil { try unsafe frost_report.check(report, "report") }
        let rendered = try failing { () throws(FrostError) in
            try renderer.render(
                source, effect, mask: options.mask, region: options.region, into: target,
                accuracy: options.accuracy, cancellation: options.cancellation)
        }
        if unsafe report != nil { try unsafe frost_report(rendered).write(to: report, "report") }
    }
}

extension frost_gl_source {
    var image: HostImage {
        get throws(Failure) {
            guard reserved == 0 else { throw .argument("source: reserved is \(reserved), not 0") }
            let kind = try Constants.value(kind, as: HostTexture.Kind.self, "source's kind")
            return HostImage(
                HostTexture(name: name, kind: kind), width: Int(width), height: Int(height),
                format: try Constants.textureFormat(channels, sample, alpha, "source"),
                rises: try Constants.value(rises, of: Constants.truths, "source's rises"),
                encoding: try Constants.encoding(transfer, primaries, white, "source"),
                transform: try Constants.value(transform, "source's transform"))
        }
    }
}

extension frost_gl_target {
    var target: HostTarget {
        get throws(Failure) {
            let surface: HostSurface
            switch Int(kind) {
            case FROST_GL_TEXTURE_2D: surface = .texture(name)
            case FROST_GL_FRAMEBUFFER: surface = .framebuffer(name)
            default: throw .argument("target's kind \(kind) is neither a 2D texture nor a framebuffer")
            }
            return HostTarget(
                surface, width: Int(width), height: Int(height),
                format: try Constants.textureFormat(channels, sample, alpha, "target"), x: Int(x), y: Int(y),
                rises: try Constants.value(rises, of: Constants.truths, "target's rises"),
                encoding: try Constants.encoding(transfer, primaries, white, "target"),
                depth: try HostTarget.Depth(bits: bits),
                transform: try Constants.value(transform, "target's transform"))
        }
    }
}

@c @implementation
public func frost_transform_to_buffer(
    _ transform: Int32, _ width: Int32, _ height: Int32, _ rect: UnsafePointer<frost_rect>?,
    _ result: UnsafeMutablePointer<frost_rect>?
) -> frost_status {
    unsafe transformed(rect, result, transform, width, height) { $0.toBuffer($1, width: $2, height: $3) }
}

@c @implementation
public func frost_transform_from_buffer(
    _ transform: Int32, _ width: Int32, _ height: Int32, _ rect: UnsafePointer<frost_rect>?,
    _ result: UnsafeMutablePointer<frost_rect>?
) -> frost_status {
    unsafe transformed(rect, result, transform, width, height) { $0.fromBuffer($1, width: $2, height: $3) }
}

private func transformed(
    _ rect: UnsafePointer<frost_rect>?, _ result: UnsafeMutablePointer<frost_rect>?, _ transform: Int32, _ width: Int32,
    _ height: Int32, _ map: (SurfaceTransform, Rect, _ width: Int, _ height: Int) -> Rect
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(result, "result")
        guard let rect = unsafe Rect(lent: rect) else { throw .argument("rect is NULL") }
        guard width > 0, height > 0 else { throw .argument("the image has \(width)x\(height) pixels") }
        let mapped = map(try Constants.value(transform, "transform"), rect, Int(width), Int(height))
        guard let result = frost_rect(exactly: mapped) else {
            throw .argument("\(rect) becomes \(mapped), whose numbers exceed 32 bits")
        }
        unsafe place.pointee = result
    }
}

extension frost_rect {
    /// - Returns: nil if a number does not fit in 32 bits.
    fileprivate init?(exactly rect: Rect) {
        guard let x = Int32(exactly: rect.x), let y = Int32(exactly: rect.y), let width = Int32(exactly: rect.width),
            let height = Int32(exactly: rect.height)
        else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }
}

extension Constants {
    static let truths: [(Int, Bool)] = [(0, false), (1, true)]

    /// Returns the encoding of a texture's colours.
    static func encoding(
        _ transfer: Int32, _ primaries: Int32, _ white: Double, _ name: StaticString
    ) throws(Failure) -> ColorEncoding {
        let transfer: ColorEncoding.Transfer = try value(transfer, "\(name)'s transfer")
        let primaries: ColorEncoding.Primaries = try value(primaries, "\(name)'s primaries")
        return try failing { () throws(ParameterError) in
            try ColorEncoding(transfer, primaries, white: white == 0 ? ColorEncoding.referenceWhite : white)
        }
    }

    /// Returns the pixel format of a texture.
    static func textureFormat(
        _ channels: Int32, _ sample: Int32, _ alpha: Int32, _ name: StaticString
    ) throws(Failure) -> PixelFormat {
        PixelFormat(
            try value(channels, "\(name)'s channels"), try value(sample, "\(name)'s sample"),
            alpha: try value(alpha, "\(name)'s alpha"))
    }
}
