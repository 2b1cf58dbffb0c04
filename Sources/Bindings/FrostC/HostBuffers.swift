public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_gl_dmabuf_kind_count(_ gl: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(count, "count")
        let host = try unsafe Handle<HostGL>.value(gl, "gl")
        unsafe place.pointee = try failing { () throws(FrostError) in try host.dmaBufferKinds() }.count
    }
}

@c @implementation
public func frost_gl_describe_dmabuf_kind(
    _ gl: OpaquePointer?, _ index: Int, _ kind: UnsafeMutablePointer<frost_dmabuf_kind>?
) -> frost_status {
    status { () throws(Failure) in
        let host = try unsafe Handle<HostGL>.value(gl, "gl")
        let kinds = try failing { () throws(FrostError) in try host.dmaBufferKinds() }
        guard kinds.indices.contains(index) else {
            throw .argument("invalid kind index \(index) (number of kinds: \(kinds.count))")
        }
        var value = frost_dmabuf_kind()
        value.fourcc = kinds[index].fourcc.rawValue
        value.modifier = kinds[index].modifier.rawValue
        value.is_external_only = kinds[index].use == .external ? 1 : 0
        try unsafe value.write(to: kind, "kind")
    }
}

@c @implementation
public func frost_gl_import(
    _ gl: OpaquePointer?, _ buffer: UnsafePointer<frost_dmabuf>?, _ use: Int32,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(result, "result") { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let buffer = try unsafe frost_dmabuf.read(buffer, "buffer").buffer
        let uses: [(Int, DMABufferSupport.Use?)] = [
            (FROST_DMABUF_ANY, nil), (FROST_DMABUF_TEXTURE_2D, .texture2D), (FROST_DMABUF_EXTERNAL, .external),
        ]
        let use = try Constants.value(use, of: uses, "use")
        return try failing { () throws(FrostError) in try renderer.open(buffer, as: use) }
    }
}

extension frost_dmabuf {
    fileprivate var buffer: DMABuffer {
        get throws(Failure) {
            guard (1...4).contains(plane_count) else {
                throw .argument("buffer: plane_count \(plane_count) is invalid (allowed: 1 to 4)")
            }
            let all = [planes.0, planes.1, planes.2, planes.3]
            return DMABuffer(
                width: Int(width), height: Int(height), fourcc: FourCC(rawValue: fourcc),
                modifier: DRMModifier(rawValue: modifier),
                planes: all.prefix(Int(plane_count)).map {
                    DMABuffer.Plane(descriptor: $0.fd, offset: Int($0.offset), stride: Int($0.stride))
                },
                yuv: YUVColor(
                    matrix: try Constants.value(yuv_matrix, "yuv_matrix"),
                    range: try Constants.value(yuv_range, "yuv_range"),
                    horizontalSiting: try Constants.value(yuv_siting_x, "yuv_siting_x"),
                    verticalSiting: try Constants.value(yuv_siting_y, "yuv_siting_y")))
        }
    }
}

@c @implementation
public func frost_gl_buffer_source(
    _ buffer: OpaquePointer?, _ source: UnsafeMutablePointer<frost_gl_source>?
) -> frost_status {
    status { () throws(Failure) in
        let buffer = try unsafe Handle<HostBuffer>.value(buffer, "buffer")
        var value = try unsafe frost_gl_source.read(source, "source")
        let image = buffer.image(transform: try Constants.value(value.transform, "source's transform"))
        value.name = image.texture.name
        value.kind = image.texture.kind.code
        value.width = Int32(clamping: image.width)
        value.height = Int32(clamping: image.height)
        value.channels = image.format.channels.code
        try unsafe value.write(to: source, "source")
    }
}

@c @implementation
public func frost_gl_buffer_target(
    _ buffer: OpaquePointer?, _ target: UnsafeMutablePointer<frost_gl_target>?
) -> frost_status {
    status { () throws(Failure) in
        let buffer = try unsafe Handle<HostBuffer>.value(buffer, "buffer")
        var value = try unsafe frost_gl_target.read(target, "target")
        let image: HostTarget
        let transform: SurfaceTransform = try Constants.value(value.transform, "target's transform")
        do throws(GPUError) { image = try buffer.target(transform: transform) } catch {
            throw Failure(FROST_ERROR_SURFACE, error.description)
        }
        switch image.surface {
        case .texture(let name): (value.name, value.kind) = (name, Int32(FROST_GL_TEXTURE_2D))
        case .framebuffer(let name): (value.name, value.kind) = (name, Int32(FROST_GL_FRAMEBUFFER))
        }
        value.width = Int32(clamping: image.width)
        value.height = Int32(clamping: image.height)
        value.channels = image.format.channels.code
        value.bits = image.depth.bits
        try unsafe value.write(to: target, "target")
    }
}

@c @implementation
public func frost_gl_buffer_destroy(_ buffer: OpaquePointer?) { unsafe Handle<HostBuffer>.destroy(buffer) }

@c @implementation
public func frost_gl_wait_fence(
    _ gl: OpaquePointer?, _ fd: Int32, _ milliseconds: Int64, _ onGPU: UnsafeMutablePointer<Int32>?
) -> frost_status {
    statusOfWait { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        guard fd >= 0 else { throw .argument("fd \(fd) is not a fence; if the work is finished, do not wait") }
        let wait = try fenced { () throws(FrostError) in
            try renderer.wait(forFence: fd, patience: seconds(milliseconds))
        }
        if let place = unsafe onGPU { unsafe place.pointee = wait == .onGPU ? 1 : 0 }
    }
}

@c @implementation
public func frost_gl_fence(
    _ gl: OpaquePointer?, _ milliseconds: Int64, _ fd: UnsafeMutablePointer<Int32>?
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(fd, "fd")
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let descriptor = try fenced { () throws(FrostError) -> Int32 in
            switch try renderer.fence(patience: seconds(milliseconds)) {
            case .fence(let fence): fence.release()
            case .finished(let seconds):
                noFence(seconds)
            }
        }
        unsafe place.pointee = descriptor
    }
}

@c @implementation
public func frost_gl_submit(
    _ gl: OpaquePointer?, _ milliseconds: Int64, _ submission: UnsafeMutablePointer<frost_gl_submission>?
) -> frost_status {
    status { () throws(Failure) in
        var value = try unsafe frost_gl_submission.read(submission, "submission")
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let state = try fenced { () throws(FrostError) -> (fd: Int32, seconds: Double?) in
            switch try renderer.fence(patience: seconds(milliseconds)) {
            case .fence(let fence): (fence.release(), nil)
            case .finished(let seconds): (-1, seconds)
            }
        }
        value.fill(fd: state.fd, waited: state.seconds)
        try unsafe value.write(to: submission, "submission")
    }
}

@c @implementation
public func frost_gl_wait_point(
    _ gl: OpaquePointer?, _ point: UnsafePointer<frost_timeline_point>?, _ milliseconds: Int64,
    _ onGPU: UnsafeMutablePointer<Int32>?
) -> frost_status {
    statusOfWait { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let point = try unsafe frost_timeline_point.read(point, "point").named
        let wait = try fenced { () throws(FrostError) in
            try renderer.wait(for: point, patience: seconds(milliseconds))
        }
        if let place = unsafe onGPU { unsafe place.pointee = wait == .onGPU ? 1 : 0 }
    }
}

@c @implementation
public func frost_gl_signal_point(
    _ gl: OpaquePointer?, _ point: UnsafePointer<frost_timeline_point>?, _ milliseconds: Int64,
    _ submission: UnsafeMutablePointer<frost_gl_submission>?
) -> frost_status {
    status { () throws(Failure) in
        var value = try unsafe frost_gl_submission.read(optional: submission, "submission")
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        let point = try unsafe frost_timeline_point.read(point, "point").named
        let signal = try fenced { () throws(FrostError) in
            try renderer.signal(point, patience: seconds(milliseconds))
        }
        switch signal {
        case .byGPU: value.fill(fd: -1, waited: nil)
        case .finished(let seconds): value.fill(fd: -1, waited: seconds)
        }
        if unsafe submission != nil { try unsafe value.write(to: submission, "submission") }
    }
}

extension frost_gl_submission {
    /// - Parameter waited: the seconds for which Frost has waited for the work; nil if the work is only submitted.
    fileprivate mutating func fill(fd: Int32, waited: Double?) {
        self.fd = fd
        state = Int32(waited == nil ? FROST_WORK_SUBMITTED : FROST_WORK_FINISHED)
        waited_seconds = waited ?? 0
    }
}

extension frost_timeline_point {
    fileprivate var named: TimelinePoint {
        get throws(Failure) {
            guard reserved == 0 else { throw .argument("point: reserved is \(reserved), not 0") }
            let timeline: TimelinePoint.Timeline
            switch (handle != 0, syncobj_fd >= 0) {
            case (true, false): timeline = .handle(handle)
            case (false, true): timeline = .descriptor(syncobj_fd)
            case (true, true): throw .argument("point: both handle \(handle) and syncobj_fd \(syncobj_fd) are set")
            case (false, false): throw .argument("point: neither handle nor syncobj_fd is set")
            }
            return TimelinePoint(device: device_fd, timeline: timeline, point: point)
        }
    }
}

/// Reports in the log that a call returned no fence.
private func noFence(_ seconds: Double) -> Int32 {
    Log.write(
        .info, "frost_gl_fence: the driver has no fences; waited \(seconds) s for the work, and returned -1")
    return -1
}

private func seconds(_ milliseconds: Int64) -> Double { milliseconds < 0 ? .infinity : Double(milliseconds) / 1000 }

/// Calls `body` and converts a ``FrostError`` to a ``Failure``. A timeout becomes the status `FROST_NOT_READY`.
private func fenced<Value>(_ body: () throws(FrostError) -> Value) throws(Failure) -> Value {
    do throws(FrostError) { return try body() } catch .deviceFailed(_, .gl(.timeout(let what, let seconds))) {
        throw Failure(Int(FROST_NOT_READY), GLError.timeout(what: what, seconds: seconds).description)
    } catch {
        throw Failure(error)
    }
}
