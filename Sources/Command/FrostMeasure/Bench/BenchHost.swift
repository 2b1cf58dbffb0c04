import Frost
import FrostGLES
import FrostGPU

/// A host application that a benchmark plays: a GL context that is lent to Frost, and textures in it.
struct BenchHost {
    /// The name of the context's device.
    let device: String
    let renderer: TextureRenderer
    let textures: HostTextures

    /// Opens a context, uploads a picture, and calls `body` while the context is current.
    ///
    /// - Parameter device: the name of the device to use, as on the command line.
    static func perform<Value>(
        on device: String?, _ picture: PixelBuffer, options: GPUOptions,
        _ body: (BenchHost, borrowing CurrentContext) throws(FrostError) -> Value
    ) throws(FrostError) -> Value {
        let gl = try rethrow(
            GLThread.open(DeviceSelector(named: device)),
            as: { (error: GLError) in FrostError.deviceUnavailable(reason: error.description) })
        defer { gl.shutdown() }
        let name = gl.device.renderer
        return try gl.perform(failure: { .deviceFailed(device: name, .gl($0)) }) { (current) throws(FrostError) in
            let renderer = try TextureRenderer(options: options)
            defer { renderer.destroy() }
            let textures = try rethrow(
                HostTextures(picture, in: current), as: { FrostError.deviceFailed(device: name, .gl($0)) })
            return try body(BenchHost(device: name, renderer: renderer, textures: textures), current)
        }
    }

    /// Calls `body`, and names the device in its error.
    func failing<Value>(_ body: () throws(GLError) -> Value) throws(FrostError) -> Value {
        do throws(GLError) { return try body() } catch { throw .deviceFailed(device: device, .gl(error)) }
    }

    /// Waits until the GPU has done all work that was submitted.
    func wait(in current: borrowing CurrentContext) throws(FrostError) {
        try failing { () throws(GLError) in try textures.wait(in: current) }
    }
}
