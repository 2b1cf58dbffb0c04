import FrostCore
import FrostDrawing
import FrostGLES

// The transfers of blocking calls. They copy one band of rows after another, directly or through a few small buffers.
extension Pipeline {
    /// Uploads the part of the source that the plan reads into a texture.
    ///
    /// - Returns: the number of bytes that were transferred.
    func upload(
        _ source: PixelSource, _ work: Work, into image: Target, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        try unsafe upload(into: image, work.patience, gl) { rows, memory in
            unsafe work.load(source, rows: rows, into: memory)
        }
    }

    /// Reads the output's pixels back from the GPU into the target.
    ///
    /// - Returns: the number of bytes that were transferred.
    func read(
        _ output: Target, _ work: Work, into target: PixelTarget, _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        try unsafe read(output, work.patience, gl) { rows, pixels in
            unsafe work.store(pixels, rows: rows, to: target)
        }
    }

    /// Uploads all rows of a target's image.
    ///
    /// - Parameter fill: a function that writes a range of the image's rows to memory, without padding.
    /// - Returns: the number of bytes that were transferred.
    func upload(
        into image: Target, _ patience: Patience, _ gl: borrowing CurrentContext,
        fill: (Range<Int>, UnsafeMutableRawBufferPointer) -> Void
    ) throws(GPUError) -> Int {
        let rowBytes = image.rowBytes
        let bands = StagingRing.bands(rows: image.height, rowBytes: rowBytes)
        switch transfer.path {
        case .direct:
            let staging = unsafe StagingMemory(bands, rowBytes: rowBytes)
            for band in bands {
                try patience.check()
                let memory = unsafe staging.memory(for: band)
                unsafe fill(band, memory)
                try fromGL { () throws(GLError) in
                    try unsafe image.texture.upload(
                        columns: image.width, rows: band, from: UnsafeRawBufferPointer(memory), in: gl)
                }
            }
        case .buffers:
            let ring = try ring(\.uploads, .upload, in: gl)
            for band in bands {
                let slot = ring.advance()
                if let fence = slot.fence.take() { try patience.wait(for: fence, in: gl) }
                try fromGL { () throws(GLError) in
                    try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                        unsafe fill(band, memory)
                    }
                    try image.texture.upload(columns: image.width, rows: band, from: slot.buffer, in: gl)
                    slot.fence = try Fence(in: gl)
                }
            }
        }
        return image.height * rowBytes
    }

    /// Reads all rows of a target's image back from the GPU. If pixel buffers are used, the CPU converts one band of
    /// rows while the GPU copies the next bands.
    ///
    /// - Parameter store: a function that takes a range of the image's rows from memory, without padding.
    /// - Returns: the number of bytes that were transferred.
    func read(
        _ output: Target, _ patience: Patience, _ gl: borrowing CurrentContext,
        store: (Range<Int>, UnsafeRawBufferPointer) -> Void
    ) throws(GPUError) -> Int {
        let rowBytes = output.rowBytes
        let bands = StagingRing.bands(rows: output.height, rowBytes: rowBytes)
        switch transfer.path {
        case .direct:
            let staging = unsafe StagingMemory(bands, rowBytes: rowBytes)
            // The first read would wait for all draws, without a check for cancellation.
            try patience.waitForDraws(in: gl)
            for band in bands {
                try patience.check()
                let memory = unsafe staging.memory(for: band)
                try fromGL { () throws(GLError) in
                    try unsafe output.framebuffer.read(columns: output.width, rows: band, into: memory, in: gl)
                }
                unsafe store(band, UnsafeRawBufferPointer(memory))
            }
        case .buffers:
            let ring = try ring(\.readbacks, .readback, in: gl)
            var pending: [(StagingRing.Slot, Range<Int>)] = []
            for step in 0..<bands.count + ring.count {
                if step >= ring.count, step - ring.count < bands.count {
                    let (slot, band) = pending.removeFirst()
                    if let fence = slot.fence.take() { try patience.wait(for: fence, in: gl) }
                    try fromGL { () throws(GLError) in
                        try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                            unsafe store(band, UnsafeRawBufferPointer(memory))
                        }
                    }
                }
                if step < bands.count {
                    let slot = ring.advance()
                    try fromGL { () throws(GLError) in
                        try output.framebuffer.read(columns: output.width, rows: bands[step], into: slot.buffer, in: gl)
                        slot.fence = try Fence(in: gl)
                    }
                    pending.append((slot, bands[step]))
                }
            }
        }
        return output.height * rowBytes
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
}

extension Work {
    /// Fills `memory` with rows of the part of the source that is uploaded.
    func load(_ source: PixelSource, rows: Range<Int>, into memory: UnsafeMutableRawBufferPointer) {
        // The window is counted from the source's first pixel.
        var window = plan.sourceWindow
        window.x -= plan.extent.x
        window.y -= plan.extent.y
        unsafe pixels.load(source, window: window, rows: rows, into: memory)
    }

    /// Converts rows of the output and writes them to the target.
    func store(_ pixels: UnsafeRawBufferPointer, rows: Range<Int>, to target: PixelTarget) {
        unsafe self.pixels.store(pixels, rows: rows, to: target)
    }
}
