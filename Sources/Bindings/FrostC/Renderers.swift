public import CFrost
import Frost
import FrostCPU
import FrostGPU
import FrostCSupport

@c @implementation
public func frost_default_threads() -> Int32 {
    answer { Int32(CPUExecutor.defaultThreads) }
}

@c @implementation
public func frost_renderer_create(
    _ options: UnsafePointer<frost_renderer_options>?, _ renderer: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(renderer, "renderer") { () throws(Failure) in
        let options = try unsafe frost_renderer_options.read(optional: options, "options")
        let backend = unsafe try Constants.value(options.backend, as: Backend.self, "backend")
        let device = unsafe String(lent: options.device)
        guard device == nil || backend == .auto || backend == .gpu else {
            throw .argument("device \(device ?? ""): the backend \(backend.rawValue) does not use a device")
        }
        return try failing { () throws(FrostError) in
            unsafe try Renderer(
                backend: backend, device: device, threads: options.threads == 0 ? nil : Int(options.threads),
                options: GPUOptions(timeout: options.gpu_timeout == 0 ? nil : options.gpu_timeout))
        }
    }
}

@c @implementation
public func frost_renderer_prepare(
    _ renderer: OpaquePointer?, _ channels: Int32, _ sample: Int32
) -> frost_status {
    status { () throws(Failure) in
        let renderer = unsafe try Handle<Renderer>.value(renderer, "renderer")
        let format = PixelFormat(
            try Constants.value(channels, "channels"),
            try Constants.value(sample, "sample"))
        renderer.prepare(for: format)
    }
}

@c @implementation
public func frost_renderer_destroy(_ renderer: OpaquePointer?) { unsafe Handle<Renderer>.destroy(renderer) }

@c @implementation
public func frost_buffer_create(
    _ renderer: OpaquePointer?, _ byteCount: Int, _ buffer: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(buffer, "buffer") { () throws(Failure) in
        let renderer = unsafe try Handle<Renderer>.value(renderer, "renderer")
        return try failing { () throws(FrostError) in try renderer.makeMemory(byteCount: byteCount) }
    }
}

@c @implementation
public func frost_buffer_bytes(_ buffer: OpaquePointer?) -> UnsafeMutableRawPointer? {
    unsafe answer { unsafe (try? Handle<PixelMemory>.value(buffer, "buffer"))?.bytes.baseAddress }
}

@c @implementation
public func frost_buffer_is_pinned(_ buffer: OpaquePointer?) -> Int32 {
    answer { unsafe (try? Handle<PixelMemory>.value(buffer, "buffer"))?.isPinned == true ? 1 : 0 }
}

@c @implementation
public func frost_buffer_destroy(_ buffer: OpaquePointer?) { unsafe Handle<PixelMemory>.destroy(buffer) }
