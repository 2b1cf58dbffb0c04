import FrostCore
import FrostGPU

/// Memory for pixels that a renderer's GPU reads and writes over the bus by itself, if it can. Images from this memory into
/// this memory are then transferred at the speed of the bus, without a copy by the CPU:
///
/// ```swift
/// let memory = try renderer.makeMemory(byteCount: layout.byteCount)
/// unsafe memory.bytes.copyBytes(from: pixels)  // or decode a picture into it
/// let image = unsafe PixelTarget(memory.bytes.baseAddress!, layout: layout)
/// try unsafe renderer.render(.gaussian(sigma: 8), from: PixelSource(image.base, layout: layout), into: image)
/// ```
///
/// All functions of a renderer recognise the memory by its address. Without a copy, the GPU transfers images of 8-bit RGBA
/// whose rows are multiples of 4 bytes; it also transfers parts of them. Other images, other renderers and the CPU use the
/// memory like any other.
///
/// Pinned memory cannot be swapped out, and allocating it takes long, so allocate it once for many images. It is freed when
/// the object is released; the object may outlive the renderer.
///
/// Thread-safety: may be used and released on any thread. While a call uses an image, its pixels must not change.
// SAFETY: the memory is allocated in `init` and freed in `deinit`; the object has no other state.
@safe public final class PixelMemory: @unchecked Sendable {
    /// The memory, aligned to at least 64 bytes. It is valid as long as this object exists.
    @unsafe public let bytes: UnsafeMutableRawBufferPointer
    private let pinned: PinnedMemory?
    private let ordinary: PixelBlock?

    /// Whether the GPU transfers pixels from and to this memory by itself. If not, it is ordinary memory.
    public var isPinned: Bool { pinned != nil }

    fileprivate init(_ pinned: PinnedMemory) {
        (self.pinned, ordinary) = (pinned, nil)
        unsafe bytes = pinned.bytes
    }

    fileprivate init(byteCount: Int) throws(FrostError) {
        let block = try rethrow(PixelBlock(byteCount: byteCount), as: FrostError.memory)
        (pinned, ordinary) = (nil, block)
        unsafe bytes = block.bytes
    }
}

extension Renderer {
    /// Allocates memory for pixels. Its content is undefined.
    ///
    /// The memory is ordinary memory if the renderer uses no GPU, if its GPU draws on the CPU, or if the driver does not have
    /// GL_EXT_buffer_storage. With ``Backend/auto``, this call opens the GPU, as ``prepare(for:)`` does.
    ///
    /// - Parameter byteCount: the size, 1 byte to 4 GiB.
    /// - Throws: ``FrostError/parameter(_:)`` if the size is out of range, ``FrostError/deviceFailed(device:_:)`` if the GPU
    ///   refuses the memory, ``FrostError/outOfMemory(bytes:)`` if the system has none.
    public func makeMemory(byteCount: Int) throws(FrostError) -> PixelMemory {
        let allowed = 1.0...4_294_967_296.0
        guard allowed.contains(Double(byteCount)) else {
            throw .parameter(.outOfRange(parameter: "byte count", value: Double(byteCount), allowed: allowed))
        }
        gpu.open()
        guard let executor = gpu.executor else { return try PixelMemory(byteCount: byteCount) }
        let pinned: PinnedMemory?
        do throws(GPUError) { pinned = try executor.pinnedMemory(byteCount) } catch {
            throw .deviceFailed(device: executor.device.renderer, error)
        }
        guard let pinned else { return try PixelMemory(byteCount: byteCount) }
        return PixelMemory(pinned)
    }
}
