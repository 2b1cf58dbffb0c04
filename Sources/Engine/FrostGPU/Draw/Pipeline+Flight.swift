import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Submits the upload, the draws and the readback of an execution, without waiting for the GPU.
    ///
    /// - Parameters:
    ///   - target: the memory that will receive the result, if it is known already.
    ///   - pinned: the memory from and to which the GPU transfers pixels by itself, until the execution is collected.
    func depart(
        _ ticket: UInt64, _ execution: Execution, source: PixelSource, target: PixelTarget?, _ pinned: PinnedMemories,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        let pinnedSource = unsafe execution.pinned(source, in: pinned)
        let pinnedTarget = unsafe target.flatMap { unsafe execution.pinned($0, in: pinned) }
        var isSubmitted = false
        // The caller may change its memory after an error.
        defer { if !isSubmitted, pinnedSource != nil || pinnedTarget != nil { leavePinnedMemory(in: gl) } }
        var staged: PooledBuffer?
        var drawn = try draw(execution, in: gl) { (image, gl) throws(GPUError) in
            if let pinnedSource { return try pinnedSource.upload(into: image, in: gl) }
            guard transfer.path == .buffers else {
                return try unsafe upload(into: image, execution.patience, gl) { rows, memory in
                    unsafe execution.load(source, rows: rows, into: memory)
                }
            }
            let bytes = image.height * image.rowBytes
            try fromGL { () throws(GLError) in
                // The whole image gets a buffer of its own. The buffers of a ring would have to wait for the draws
                // of earlier images.
                let buffer = try buffers.take(.upload, size: bytes, in: gl)
                staged = buffer
                let rows = 0..<image.height
                try unsafe buffer.buffer.withMapped(count: bytes, in: gl) { memory in
                    unsafe RowCopy(rows, memory) { unsafe execution.load(source, rows: $0, into: $1) }.run()
                }
                try image.texture.upload(columns: image.width, rows: rows, from: buffer.buffer, in: gl)
            }
            return bytes
        }
        // After an error the buffer is not given back to the pool, because the GPU may still read it.
        do throws(GLError) {
            var result: PooledBuffer?
            var bytes = 0
            if let pinnedTarget, let output = drawn.output.take() {
                bytes = try pinnedTarget.read(output, in: gl)
                pool.giveBack(output)
            } else if transfer.path == .buffers, let output = drawn.output.take() {
                bytes = output.height * output.rowBytes
                let buffer = try buffers.take(.readback, size: bytes, in: gl)
                result = buffer
                try output.framebuffer.read(
                    columns: output.width, rows: 0..<output.height, into: buffer.buffer, in: gl)
                // The texture can be reused immediately, because the GL executes later draws after the copy.
                pool.giveBack(output)
            }
            flights[ticket] = Flight(
                execution, drawn, result: result, source: staged, bytes: bytes, fence: try Fence(in: gl),
                pinned: [pinnedSource, pinnedTarget].compactMap(\.self))
            gl.flush()
            try gl.checkErrors(after: "submitting an image")
            isSubmitted = true
        } catch {
            flights[ticket] = nil
            // The output's texture is not given back to the pool. It is freed when its last owner releases it.
            drawn.output = nil
            giveBack(drawn)
            throw .gl(error)
        }
    }

    /// Whether the GPU has finished an execution. Waits for at most `nanoseconds`.
    func hasArrived(
        _ ticket: UInt64, waiting nanoseconds: UInt64, in gl: borrowing CurrentContext
    ) throws(GPUError) -> Bool {
        let flight = try flight(ticket)
        return try rethrow(flight.fence.wait(nanoseconds: nanoseconds, in: gl), as: GPUError.gl)
    }

    /// Writes an execution's result to the caller's memory, after waiting for it if necessary.
    func collect(
        _ ticket: UInt64, into target: PixelTarget, in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        let flight = try flight(ticket)
        flights[ticket] = nil
        defer { giveBackBuffers(of: flight) }
        let pixels = flight.execution.pixels
        return try finish(flight.drawn, in: gl) { () throws(GPUError) in
            if let output = flight.drawn.output {
                return try unsafe self.read(output, flight.execution.patience, gl) { rows, memory in
                    unsafe pixels.store(memory, rows: rows, to: target)
                }
            }
            try fromGL { () throws(GLError) in
                try unsafe flight.result?.buffer.withMapped(count: flight.bytes, in: gl) { memory in
                    let rows = unsafe 0..<target.layout.height
                    unsafe RowCopy(rows, memory) {
                        unsafe pixels.store(UnsafeRawBufferPointer($1), rows: $0, to: target)
                    }.run()
                }
            }
            return flight.bytes
        }
    }

    /// Waits until the GPU no longer uses the caller's memory for an execution, but at most for a second.
    func leavePinnedMemory(_ ticket: UInt64, in gl: borrowing CurrentContext) {
        guard let flight = flights[ticket], !flight.pinned.isEmpty else { return }
        _ = try? flight.fence.wait(nanoseconds: 1_000_000_000, in: gl)
        flight.pinned = []
    }

    /// Removes an execution whose ticket was released before anyone fetched the result.
    func abandon(_ ticket: UInt64, in gl: borrowing CurrentContext) {
        guard let flight = flights.removeValue(forKey: ticket) else { return }
        // The buffers must not be written while the GPU uses them. If it does, they are deleted when it has finished.
        if (try? flight.fence.wait(nanoseconds: 0, in: gl)) == true { giveBackBuffers(of: flight) }
        giveBack(flight.drawn)
    }

    private func flight(_ ticket: UInt64) throws(GPUError) -> Flight {
        guard let flight = flights[ticket] else { throw .invalidTicket("it was already collected") }
        return flight
    }

    private func giveBackBuffers(of flight: Flight) {
        for buffer in [flight.source, flight.result] {
            if let buffer { buffers.giveBack(buffer) }
        }
    }
}
