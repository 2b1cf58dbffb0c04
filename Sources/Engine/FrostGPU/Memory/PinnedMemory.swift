import FrostCore
import FrostDrawing
import FrostGLES
import FrostThreads

/// Memory that the CPU uses like any other, and that the GPU reads and writes over the bus by itself: a buffer that stays
/// mapped. Images in it are transferred without a copy by the CPU. It keeps the GL context, so it stays valid after the
/// renderer is released, and after the context is lost.
///
/// Thread-safety: may be used and released on any thread, one user of a pixel at a time.
// SAFETY: `buffer` is used only on the context's thread, and `bytes` stays mapped as long as the buffer exists.
@safe package final class PinnedMemory: @unchecked Sendable {
    /// The memory. It is aligned to at least 64 bytes.
    @unsafe package let bytes: UnsafeMutableRawBufferPointer
    private let buffer: Buffer
    private let executor: GPUExecutor

    fileprivate init(_ buffer: consuming Buffer, _ bytes: UnsafeMutableRawBufferPointer, _ executor: GPUExecutor) {
        unsafe self.bytes = unsafe bytes
        self.buffer = buffer
        self.executor = executor
    }

    deinit { unsafe executor.pinned.remove(bytes) }

    /// Uploads the rows of an image.
    fileprivate func upload(into image: Target, from place: BufferRows, in gl: borrowing CurrentContext) throws(GLError)
    {
        try image.texture.upload(columns: image.width, rows: 0..<image.height, from: buffer, at: place, in: gl)
    }

    /// Makes the GPU copy the rows of an image into this memory.
    fileprivate func read(_ image: Target, to place: BufferRows, in gl: borrowing CurrentContext) throws(GLError) {
        try image.framebuffer.read(columns: image.width, rows: 0..<image.height, into: buffer, at: place, in: gl)
    }
}

/// The pixels of an image in pinned memory.
struct PinnedPixels {
    private let memory: PinnedMemory
    private let place: BufferRows

    /// Returns the pixels of a window of an image; nil if they are not in pinned memory, or if a transfer has to convert
    /// them.
    ///
    /// - Parameter window: the window, counted from the image's first pixel.
    fileprivate init?(
        _ base: UnsafeRawPointer, _ layout: PixelLayout, window: Rect, as pixels: StagedPixels, in all: PinnedMemories
    ) {
        guard pixels == .bytes, layout.format.channels == .rgba, layout.bytesPerRow % 4 == 0,
            let memory = unsafe all.memory(UnsafeRawBufferPointer(start: base, count: layout.byteCount)),
            let start = unsafe memory.bytes.baseAddress
        else { return nil }
        self.memory = memory
        place = BufferRows(
            offset: unsafe base - UnsafeRawPointer(start) + window.y * layout.bytesPerRow + window.x * 4,
            bytesPerRow: layout.bytesPerRow)
    }

    func upload(into image: Target, in gl: borrowing CurrentContext) throws(GPUError) -> Int {
        try rethrow(memory.upload(into: image, from: place, in: gl), as: GPUError.gl)
        return image.height * image.rowBytes
    }

    /// Makes the GPU copy an image into these pixels. Returns before the copy is done.
    func read(_ image: Target, in gl: borrowing CurrentContext) throws(GLError) -> Int {
        try memory.read(image, to: place, in: gl)
        return image.height * image.rowBytes
    }
}

extension Execution {
    /// The part of a source that is uploaded, if it is in pinned memory.
    func pinned(_ source: PixelSource, in all: PinnedMemories) -> PinnedPixels? {
        unsafe PinnedPixels(source.base, source.layout, window: uploadedWindow, as: pixels, in: all)
    }

    /// A target's pixels, if they are in pinned memory.
    func pinned(_ target: PixelTarget, in all: PinnedMemories) -> PinnedPixels? {
        let layout = unsafe target.layout
        let whole = Rect(x: 0, y: 0, width: layout.width, height: layout.height)
        return unsafe PinnedPixels(UnsafeRawPointer(target.base), layout, window: whole, as: pixels, in: all)
    }
}

/// The pinned memory of an executor, found by its addresses.
///
/// Thread-safety: may be used from any thread.
package final class PinnedMemories: Sendable {
    private struct Entry {
        let addresses: Range<UInt>
        weak var memory: PinnedMemory?
    }
    private let entries = Lock<[Entry]>([])

    /// The bytes of the memory that exists.
    var byteCount: Int { entries.withLock { $0.reduce(0) { $0 + $1.addresses.count } } }

    fileprivate func add(_ memory: PinnedMemory) {
        let entry = unsafe Entry(addresses: Self.addresses(UnsafeRawBufferPointer(memory.bytes)), memory: memory)
        entries.withLock { $0.append(entry) }
    }

    fileprivate func remove(_ bytes: UnsafeMutableRawBufferPointer) {
        let addresses = unsafe Self.addresses(UnsafeRawBufferPointer(bytes))
        entries.withLock { $0.removeAll { $0.addresses == addresses } }
    }

    /// Returns the pinned memory that contains all of some bytes, or nil.
    fileprivate func memory(_ bytes: UnsafeRawBufferPointer) -> PinnedMemory? {
        let addresses = unsafe Self.addresses(bytes)
        return entries.withLock { entries in
            entries.first {
                $0.addresses.lowerBound <= addresses.lowerBound && addresses.upperBound <= $0.addresses.upperBound
            }?.memory
        }
    }

    private static func addresses(_ bytes: UnsafeRawBufferPointer) -> Range<UInt> {
        let start = UInt(bitPattern: bytes.baseAddress)
        return start..<start + UInt(bytes.count)
    }
}

extension GPUExecutor {
    /// Allocates memory that the GPU reads and writes by itself. Its content is undefined.
    ///
    /// - Parameter byteCount: the number of bytes, at least 1.
    /// - Returns: nil if pixels are not transferred through buffers, or if the driver has no buffers that stay mapped.
    /// - Throws: ``GPUError/gl(_:)``, for example with `GLError.outOfMemory`.
    package func pinnedMemory(_ byteCount: Int) throws(GPUError) -> PinnedMemory? {
        guard TransferChoice(options.transfer, device).path == .buffers else { return nil }
        let memory = try perform { [self] (_, gl) throws(GPUError) -> PinnedMemory? in
            let buffer = try rethrow(Buffer(.pinned, size: byteCount, in: gl), as: GPUError.gl)
            guard let bytes = unsafe buffer.lastingMemory else { return nil }
            return unsafe PinnedMemory(buffer, bytes, self)
        }
        if let memory { pinned.add(memory) }
        return memory
    }
}
