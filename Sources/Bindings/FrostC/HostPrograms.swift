public import CFrost
import Frost
import FrostCSupport

@c @implementation
public func frost_gl_prepare(
    _ gl: OpaquePointer?, _ effects: UnsafePointer<OpaquePointer?>?, _ count: Int,
    _ source: UnsafePointer<frost_gl_source>?, _ target: UnsafePointer<frost_gl_target>?, _ uses: UInt32
) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        var wanted: TextureRenderer.Use = []
        if uses & UInt32(FROST_GL_FOR_RENDERING) != 0 { wanted.insert(.rendering) }
        if uses & UInt32(FROST_GL_FOR_BACKDROPS) != 0 { wanted.insert(.backdrops) }
        if uses & UInt32(FROST_GL_FOR_STACKS) != 0 { wanted.insert(.stacks) }
        if uses & UInt32(FROST_GL_FOR_TEXTURES) != 0 { wanted.insert(.textures) }
        let all = UInt32(FROST_GL_FOR_RENDERING | FROST_GL_FOR_BACKDROPS | FROST_GL_FOR_STACKS | FROST_GL_FOR_TEXTURES)
        guard !wanted.isEmpty, uses & ~all == 0 else {
            throw .argument("uses \(uses) is invalid (allowed: 1 to \(all))")
        }
        guard unsafe effects != nil || count == 0 else { throw .argument("effects is NULL") }
        guard (0...HostGL.maximumEffects).contains(count) else {
            throw .argument("count \(count) is invalid (allowed: 0 to \(HostGL.maximumEffects))")
        }
        var values: [Effect] = []
        // SAFETY: the caller guarantees that `effects` points to `count` handles.
        for index in 0..<count {
            values.append(try unsafe Handle<Effect>.value(effects.flatMap { unsafe $0[index] }, "effects"))
        }
        let (source, target) = unsafe (
            try frost_gl_source.read(source, "source").image, try frost_gl_target.read(target, "target").target
        )
        try failing { () throws(FrostError) in
            try renderer.prepare(values, source: source, target: target, for: wanted)
        }
    }
}

@c @implementation
public func frost_gl_save_programs(
    _ gl: OpaquePointer?, _ bytes: UnsafeMutableRawPointer?, _ capacity: Int, _ size: UnsafeMutablePointer<Int>?
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(size, "size")
        let gl = try unsafe Handle<HostGL>.value(gl, "gl")
        guard unsafe bytes != nil || capacity == 0 else { throw .argument("bytes is NULL") }
        let data = try failing { () throws(FrostError) in try gl.programData() }
        if let bytes = unsafe bytes, capacity >= data.count {
            // SAFETY: the caller guarantees that `bytes` points to `capacity` writable bytes.
            unsafe bytes.copyMemory(from: data, byteCount: data.count)
        }
        unsafe place.pointee = data.count
    }
}

@c @implementation
public func frost_gl_load_programs(
    _ gl: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ size: Int, _ accepted: UnsafeMutablePointer<Int>?
) -> frost_status {
    status { () throws(Failure) in
        let renderer = try unsafe Handle<HostGL>.value(gl, "gl").renderer
        guard let bytes = unsafe bytes else { throw .argument("bytes is NULL") }
        guard (0...HostGL.maximumProgramBytes).contains(size) else {
            throw .argument("size \(size) is invalid (allowed: 0 to \(HostGL.maximumProgramBytes))")
        }
        // SAFETY: the caller guarantees that `bytes` points to `size` bytes.
        let copy = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
        let count = try failing { () throws(FrostError) in try renderer.addPrograms(copy) }
        if let accepted = unsafe accepted { unsafe accepted.pointee = count }
    }
}
