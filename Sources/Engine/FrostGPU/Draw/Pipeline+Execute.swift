import FrostCore
import FrostDrawing
import FrostGLES

extension Pipeline {
    /// Uploads the source, draws the plan and reads the result back.
    func execute(
        _ work: Work, source: PixelSource, target: PixelTarget, in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        var drawn = try draw(work, in: gl) { (image, gl) throws(GPUError) in
            try unsafe self.upload(source, work, into: image, gl)
        }
        var stopwatch = drawn.stopwatch
        defer {
            pool.giveBack(drawn.output)
            stopwatches.giveBack(&stopwatch)
        }
        let output = drawn.output
        try drawn.report.time(\.readSeconds) { (report) throws(GPUError) in
            report.bytesRead = try unsafe read(output, work, into: target, gl)
            try finish(&report, &stopwatch, in: gl)
        }
        return drawn.report
    }

    /// Reads the GPU time and checks for errors, after the GPU has finished an execution.
    func finish(
        _ report: inout GPUReport, _ stopwatch: inout Stopwatch?, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            report.gpuSeconds = try stopwatches.read(&stopwatch, in: gl)
            try gl.checkReset()
            try gl.checkErrors(after: "reading back")
        }
    }

    /// An execution whose draws have all been submitted.
    struct Drawn {
        /// The texture with the result. The owner of this `Drawn` value gives the texture back to the pool.
        let output: Target
        var report: GPUReport
        /// The timer of the execution, whose result is read later; nil if the driver has no timers. The owner of this
        /// `Drawn` value gives the timer back.
        let stopwatch: Stopwatch?
    }

    /// Uploads the source, and submits all draws.
    ///
    /// - Parameter upload: a function that fills the source's texture and returns the number of uploaded bytes.
    func draw(
        _ work: Work, in gl: borrowing CurrentContext,
        upload: (Target, borrowing CurrentContext) throws(GPUError) -> Int
    ) throws(GPUError) -> Drawn {
        let choice = work.choice(of: formats)
        try choice.check()
        try work.patience.check()
        unfinishedCost = 0

        var places: [Place: Target] = [:]
        // The targets return to the pool even after an error. This is safe although the GPU may still use them, because
        // the GL executes commands in order: a later use of a target comes after the earlier use.
        defer { for target in places.values { pool.giveBack(target) } }

        var report = GPUReport()
        try report.time(\.uploadSeconds) { (report) throws(GPUError) in
            let image = try take(work.plan.sourceWindow.size(choice.image), in: gl)
            places[.source] = image
            report.bytesUploaded = try upload(image, gl)
        }
        let stopwatch = try report.time(\.drawSeconds) { (report) throws(GPUError) in
            try timed(in: gl) { () throws(GPUError) in try submit(work, choice, &places, &report, gl) }
        }
        guard let output = places.removeValue(forKey: .output) else { throw .invalidPlan("it has no output") }
        return Drawn(output: output, report: report, stopwatch: stopwatch)
    }

    /// Submits draws while a timer of the GPU runs.
    ///
    /// - Returns: the stopped timer; nil if the driver has no timers. The caller gives it back.
    func timed(in gl: borrowing CurrentContext, _ body: () throws(GPUError) -> Void) throws(GPUError) -> Stopwatch? {
        var stopwatch = try fromGL { () throws(GLError) in try stopwatches.start(in: gl) }
        do throws(GPUError) {
            try body()
            try fromGL { () throws(GLError) in try stopwatch?.query.stop(in: gl) }
        } catch {
            // The timer has to be stopped, because starting another timer while this one runs would be an error.
            if let stopwatch { try? stopwatch.query.stop(in: gl) }
            stopwatches.giveBack(&stopwatch)
            throw error
        }
        return stopwatch
    }
}
