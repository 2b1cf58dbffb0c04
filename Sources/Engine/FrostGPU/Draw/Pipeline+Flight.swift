import FrostCore
import FrostGLES

extension Pipeline {
    /// Submits the upload, the draws and the readback of an execution, without waiting for the GPU.
    func depart(
        _ ticket: UInt64, _ work: Work, source: PixelSource, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        var staged: PooledBuffer?
        let drawn: Drawn
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
            let result: Flight.Storage
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
            var stopwatch = drawn.stopwatch
            stopwatches.giveBack(&stopwatch)
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
        var report = flight.report
        try report.time(\.readSeconds) { (report) throws(GPUError) in
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
        }
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
