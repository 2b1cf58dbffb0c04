import FrostCore
import FrostGLES

// The transfers of blocking calls. They copy one band of rows after another, directly or through a few small buffers.
extension Pipeline {
    /// Uploads the part of the source that the plan reads into a texture.
    ///
    /// - Returns: the number of bytes that were transferred.
    func upload(
        _ source: PixelSource, _ work: Work, into image: Target, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        let rowBytes = image.rowBytes
        let bands = StagingRing.bands(rows: image.texture.height, rowBytes: rowBytes)
        switch transfer.path {
        case .direct:
            let staging = unsafe StagingMemory(bands, rowBytes: rowBytes)
            for band in bands {
                try work.patience.check()
                let memory = unsafe staging.memory(for: band)
                unsafe load(source, work, rows: band, into: memory)
                try fromGL { () throws(GLError) in
                    try unsafe image.texture.upload(rows: band, from: UnsafeRawBufferPointer(memory), in: gl)
                }
            }
        case .buffers:
            let ring = try ring(\.uploads, .upload, in: gl)
            for band in bands {
                let slot = ring.advance()
                if let fence = slot.fence.take() { try work.patience.wait(for: fence, in: gl) }
                try fromGL { () throws(GLError) in
                    try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                        unsafe load(source, work, rows: band, into: memory)
                    }
                    try image.texture.upload(rows: band, from: slot.buffer, in: gl)
                    slot.fence = try Fence(in: gl)
                }
            }
        }
        return image.texture.height * rowBytes
    }

    /// Reads the output's pixels back from the GPU. If pixel buffers are used, the CPU converts one band of rows while the
    /// GPU copies the next bands.
    ///
    /// - Returns: the number of bytes that were transferred.
    func read(
        _ output: Target, _ work: Work, into target: PixelTarget, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        let rowBytes = output.rowBytes
        let bands = StagingRing.bands(rows: output.texture.height, rowBytes: rowBytes)
        switch transfer.path {
        case .direct:
            let staging = unsafe StagingMemory(bands, rowBytes: rowBytes)
            for band in bands {
                try work.patience.check()
                let memory = unsafe staging.memory(for: band)
                try fromGL { () throws(GLError) in
                    try unsafe output.framebuffer.read(rows: band, into: memory, in: gl)
                }
                unsafe Self.store(UnsafeRawBufferPointer(memory), work, rows: band, to: target)
            }
        case .buffers:
            let ring = try ring(\.readbacks, .readback, in: gl)
            var pending: [(StagingRing.Slot, Range<Int>)] = []
            for step in 0..<bands.count + ring.count {
                if step >= ring.count, step - ring.count < bands.count {
                    let (slot, band) = pending.removeFirst()
                    if let fence = slot.fence.take() { try work.patience.wait(for: fence, in: gl) }
                    try fromGL { () throws(GLError) in
                        try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                            unsafe Self.store(UnsafeRawBufferPointer(memory), work, rows: band, to: target)
                        }
                    }
                }
                if step < bands.count {
                    let slot = ring.advance()
                    try fromGL { () throws(GLError) in
                        try output.framebuffer.read(rows: bands[step], into: slot.buffer, in: gl)
                        slot.fence = try Fence(in: gl)
                    }
                    pending.append((slot, bands[step]))
                }
            }
        }
        return output.texture.height * rowBytes
    }

    private func ring(
        _ kept: ReferenceWritableKeyPath<Pipeline, StagingRing?>, _ purpose: Buffer.Purpose,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> StagingRing {
        if let ring = self[keyPath: kept] { return ring }
        let ring = try fromGL { () throws(GLError) in try StagingRing(purpose, in: gl) }
        self[keyPath: kept] = ring
        return ring
    }

    /// Fills `memory` with rows of the part of the source that is uploaded.
    func load(
        _ source: PixelSource, _ work: Work, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer
    ) {
        let window = work.plan.sourceWindow
        // The rows and columns below are counted from the source's first pixel.
        let first = (x: window.x - work.plan.extent.x, y: window.y - work.plan.extent.y)
        let columns = first.x..<first.x + window.width
        let rows = first.y + rows.lowerBound..<first.y + rows.upperBound
        if work.isEightBit {
            unsafe PixelStaging.loadBytes(source, columns: columns, rows: rows, into: memory)
        } else {
            unsafe PixelStaging.loadFloats(source, work.staging, columns: columns, rows: rows, into: memory)
        }
    }

    /// Converts rows of the output and writes them to the target.
    static func store(_ pixels: UnsafeRawBufferPointer, _ work: Work, rows: Range<Int>, to target: PixelTarget) {
        if work.isEightBit {
            unsafe PixelStaging.storeBytes(pixels, rows: rows, to: target)
        } else {
            unsafe PixelStaging.storeFloats(pixels, work.staging, rows: rows, to: target)
        }
    }
}

extension Target {
    /// The number of bytes of one row of the texture during a transfer. Rows have no padding.
    var rowBytes: Int { texture.width * texture.format.bytesPerPixel }
}

/// Memory for one band of rows during a transfer.
@unsafe private final class StagingMemory {
    private let all: UnsafeMutableRawBufferPointer
    private let rowBytes: Int

    init(_ bands: [Range<Int>], rowBytes: Int) {
        unsafe self.rowBytes = rowBytes
        let rows = bands.first?.count ?? 0
        unsafe all = .allocate(byteCount: max(16, rows * rowBytes), alignment: 16)
    }

    deinit { unsafe all.deallocate() }

    /// Returns memory for a band. The pointer is valid as long as this object exists.
    func memory(for band: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: all[..<(band.count * rowBytes)])
    }
}
