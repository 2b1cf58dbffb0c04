import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Uploads the source, draws the plan and reads the result back.
    ///
    /// - Parameter pinned: the memory from and to which the GPU transfers pixels by itself.
    func execute(
        _ execution: Execution, source: PixelSource, target: PixelTarget, _ pinned: PinnedMemories,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        let patience = execution.patience
        let pinnedSource = unsafe execution.pinned(source, in: pinned)
        let pinnedTarget = unsafe execution.pinned(target, in: pinned)
        var isFinished = false
        // The caller may change its memory after an error.
        defer { if !isFinished, pinnedSource != nil || pinnedTarget != nil { leavePinnedMemory(in: gl) } }
        let drawn = try draw(execution, in: gl) { (image, gl) throws(GPUError) in
            if let pinnedSource { return try pinnedSource.upload(into: image, in: gl) }
            return try unsafe self.upload(into: image, patience, gl) { rows, memory in
                unsafe execution.load(source, rows: rows, into: memory)
            }
        }
        let report = try finish(drawn, in: gl) { () throws(GPUError) in
            guard let output = drawn.output else { return 0 }
            if let pinnedTarget {
                let bytes = try rethrow(pinnedTarget.read(output, in: gl), as: GPUError.gl)
                try patience.waitForDraws(in: gl)
                return bytes
            }
            return try unsafe self.read(output, patience, gl) { rows, pixels in
                unsafe execution.pixels.store(pixels, rows: rows, to: target)
            }
        }
        isFinished = true
        return report
    }

    /// Waits until the GPU no longer reads or writes the caller's memory, but at most for a second.
    func leavePinnedMemory(in gl: borrowing CurrentContext) {
        _ = try? Fence(in: gl).wait(nanoseconds: 1_000_000_000, in: gl)
    }

    /// Reads the result back, and completes and counts the report.
    ///
    /// - Parameter read: a function that waits for the result, copies it and returns the number of bytes.
    func finish(
        _ drawn: Drawn, in gl: borrowing CurrentContext, read: () throws(GPUError) -> Int
    ) throws(GPUError) -> GPUReport {
        var (drawn, report) = (drawn, drawn.report)
        defer { giveBack(drawn) }
        try report.time(\.readSeconds) { (report) throws(GPUError) in
            report.bytesRead = try read()
            let stopwatch = drawn.stopwatch.take()
            try fromGL { () throws(GLError) in
                report.gpuSeconds = try stopwatches.finish(stopwatch, in: gl)
                try gl.checkReset()
                try gl.checkErrors(after: "reading back")
            }
        }
        count(report)
        return report
    }

    /// Gives back what an execution has taken from the pools.
    func giveBack(_ drawn: Drawn) {
        if let output = drawn.output { pool.giveBack(output) }
        if let stopwatch = drawn.stopwatch { stopwatches.giveBack(stopwatch) }
    }

    /// Uploads the source, and submits all draws.
    ///
    /// - Parameter upload: a function that fills the source's texture and returns the number of uploaded bytes.
    func draw(
        _ execution: Execution, in gl: borrowing CurrentContext,
        upload: (Target, borrowing CurrentContext) throws(GPUError) -> Int
    ) throws(GPUError) -> Drawn {
        try chooseShaders(in: gl)
        let choice = execution.choice(of: formats)
        try choice.check()
        try execution.patience.check()
        unfinishedCost = 0

        var places: [Place: Target] = [:]
        // The targets return to the pool even after an error. This is safe although the GPU may still use them, because
        // the GL executes commands in order: a later use of a target comes after the earlier use.
        defer { for target in places.values { pool.giveBack(target) } }

        var report = GPUReport()
        try report.time(\.uploadSeconds) { (report) throws(GPUError) in
            let image = try take(execution.plan.sourceWindow.size(choice.image), in: gl)
            places[.source] = image
            report.bytesUploaded = try upload(image, gl)
        }
        let before = programs.made
        let stopwatch = try report.time(\.drawSeconds) { (report) throws(GPUError) in
            try timed(in: gl) { () throws(GPUError) in try submit(execution, choice, &places, &report, gl) }
        }
        report.newPrograms = programs.made.count - before.count
        report.programSeconds = programs.made.seconds - before.seconds
        guard let output = places.removeValue(forKey: .output) else { throw .invalidPlan("it has no output") }
        return Drawn(output: output, report: report, stopwatch: stopwatch)
    }

    /// Submits draws while a timer of the GPU runs.
    ///
    /// - Returns: the stopped timer; nil if the driver has no timers. The caller gives it back.
    func timed(in gl: borrowing CurrentContext, _ body: () throws(GPUError) -> Void) throws(GPUError) -> Stopwatch? {
        let stopwatch = try rethrow(stopwatches.start(in: gl), as: GPUError.gl)
        do throws(GPUError) {
            try body()
            try rethrow(stopwatch?.query.stop(in: gl), as: GPUError.gl)
        } catch {
            // The timer has to be stopped, because starting another timer while this one runs would be an error.
            if let stopwatch {
                try? stopwatch.query.stop(in: gl)
                stopwatches.giveBack(stopwatch)
            }
            throw error
        }
        return stopwatch
    }
}
