import FrostCore
import FrostGLES

/// An execution that was submitted and not yet collected.
final class Flight {
    let work: Work
    /// Where the result of the execution is stored.
    enum Result {
        /// The result is in a buffer, once the fence is signalled.
        case buffer(PooledBuffer)
        /// The result is in a texture, which is read when the execution is collected.
        case target(Target)
    }
    let result: Result
    /// The buffer with the source's pixels. The buffer is given back to the pool when this execution ends, because
    /// nothing uses the buffer any more then.
    let source: PooledBuffer?
    /// The number of bytes of the result.
    let bytes: Int
    let fence: Fence
    var report: GPUReport
    var stopwatch: Stopwatch?

    init(
        _ work: Work, _ result: Result, source: PooledBuffer?, bytes: Int, fence: consuming Fence, _ report: GPUReport,
        _ stopwatch: Stopwatch?
    ) {
        self.work = work
        self.result = result
        self.source = source
        self.bytes = bytes
        self.fence = fence
        self.report = report
        self.stopwatch = stopwatch
    }
}

extension Pipeline {
    /// Submits the upload, the draws and the readback of an execution, without waiting for the GPU.
    func depart(
        _ ticket: UInt64, _ work: Work, source: PixelSource, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        var staged: PooledBuffer?
        var drawn: Drawn
        do throws(GPUError) {
            drawn = try draw(work, in: gl) { (image, gl) throws(GPUError) in
                guard transfer.path == .buffers else { return try unsafe upload(source, work, into: image, gl) }
                let bytes = image.height * image.rowBytes
                try fromGL { () throws(GLError) in
                    // The whole image gets a buffer of its own. The buffers of a ring would have to wait for the draws
                    // of earlier images.
                    let buffer = try buffers.take(.upload, size: bytes, in: gl)
                    staged = buffer
                    let rows = 0..<image.height
                    try unsafe buffer.buffer.withMapped(count: bytes, in: gl) { memory in
                        unsafe work.load(source, rows: rows, into: memory)
                    }
                    try image.texture.upload(columns: image.width, rows: rows, from: buffer.buffer, in: gl)
                }
                return bytes
            }
        } catch {
            if let staged { buffers.giveBack(staged) }
            throw error
        }
        let (rows, bytes) = (0..<drawn.output.height, drawn.output.height * drawn.output.rowBytes)
        do throws(GLError) {
            let result: Flight.Result
            switch transfer.path {
            case .direct: result = .target(drawn.output)
            case .buffers:
                let buffer = try buffers.take(.readback, size: bytes, in: gl)
                try drawn.output.framebuffer.read(
                    columns: drawn.output.width, rows: rows, into: buffer.buffer, in: gl)
                // The texture can be reused immediately, because the GL executes later draws after the copy.
                pool.giveBack(drawn.output)
                result = .buffer(buffer)
            }
            flights[ticket] = Flight(
                work, result, source: staged, bytes: bytes, fence: try Fence(in: gl), drawn.report, drawn.stopwatch)
            gl.flush()
            try gl.checkErrors(after: "submitting an image")
        } catch {
            flights[ticket] = nil
            // The output's texture is not given back to the pool. It is freed when its last owner releases it.
            if let staged { buffers.giveBack(staged) }
            stopwatches.giveBack(&drawn.stopwatch)
            throw .gl(error)
        }
    }

    /// Whether the GPU has finished an execution. Waits for at most `nanoseconds`.
    func hasArrived(
        _ ticket: UInt64, waiting nanoseconds: UInt64, in gl: borrowing CurrentContext
    ) throws(GPUError) -> Bool {
        let flight = try flight(ticket)
        return try fromGL { () throws(GLError) in try flight.fence.wait(nanoseconds: nanoseconds, in: gl) }
    }

    /// Writes an execution's result to the caller's memory, after waiting for it if necessary.
    func collect(
        _ ticket: UInt64, into target: PixelTarget, in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        let flight = try flight(ticket)
        flights[ticket] = nil
        defer { giveBack(flight) }
        let clock = ContinuousClock()
        let start = clock.now
        var report = flight.report
        switch flight.result {
        case .buffer(let buffer):
            try fromGL { () throws(GLError) in
                try unsafe buffer.buffer.withMapped(count: flight.bytes, in: gl) { memory in
                    let rows = unsafe 0..<target.layout.height
                    unsafe flight.work.store(UnsafeRawBufferPointer(memory), rows: rows, to: target)
                }
            }
            report.bytesRead = flight.bytes
        case .target(let output):
            report.bytesRead = try unsafe read(output, flight.work, into: target, gl)
        }
        try finish(&report, &flight.stopwatch, in: gl)
        report.readSeconds = (clock.now - start).seconds
        return report
    }

    /// Removes an execution whose ticket was released before anyone fetched the result.
    func abandon(_ ticket: UInt64) {
        if let flight = flights.removeValue(forKey: ticket) { giveBack(flight) }
    }

    private func flight(_ ticket: UInt64) throws(GPUError) -> Flight {
        guard let flight = flights[ticket] else { throw .invalidTicket("it was already collected") }
        return flight
    }

    private func giveBack(_ flight: Flight) {
        if let source = flight.source { buffers.giveBack(source) }
        stopwatches.giveBack(&flight.stopwatch)
        switch flight.result {
        case .buffer(let buffer): buffers.giveBack(buffer)
        case .target(let target): pool.giveBack(target)
        }
    }
}
