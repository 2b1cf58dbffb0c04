import Frost
import FrostThreads
import Glibc
import Synchronization

/// Processes the pictures of a command line, several at a time, and continues after failures.
struct Batch {
    private let works: [Work]
    private let ignored: [IgnoredFile]
    private let rendering: Rendering
    private let manifest: Manifest?
    private let console: Console
    private let jobs: Int
    private let resumes: Bool
    private let stopsAtFailure: Bool
    private let isDry: Bool
    private let isStrict: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - ignored: the files of folders that are not processed.
    ///   - jobs: the number of pictures that are processed at a time.
    init(
        _ arguments: Arguments, _ works: [Work], ignored: [IgnoredFile], _ rendering: Rendering, jobs: Int,
        _ console: Console
    ) throws(CommandError) {
        self.works = works
        self.ignored = ignored
        self.rendering = rendering
        self.jobs = jobs
        self.console = console
        isStrict = arguments.has(.strict)
        resumes = arguments.has(.resume)
        stopsAtFailure = arguments.has(.failFast)
        isDry = arguments.has(.dryRun)
        guard let path = arguments.path(.manifest) else {
            guard !resumes else { throw .usage("--resume needs --manifest FILE") }
            manifest = nil
            return
        }
        if works.contains(where: { $0.input.path == "-" || $0.output == "-" }) {
            throw .usage("--manifest does not work with standard input or output")
        }
        guard path != "-" else { throw .usage("--manifest needs a file, not -") }
        let others = [Option.mask, .content].compactMap { arguments.path($0) }
        try ReportFile.refuse(.manifest, path, over: works.map(\.input.path) + others)
        if let work = works.first(where: { ReportFile.isSame($0.output, path) }) {
            throw .usage("--manifest \(path.shownName) is also the output for \(work.input.path.shownName)")
        }
        if let work = works.first(where: \.replacesInput) {
            throw .usage("--manifest cannot be used if an output replaces its input: \(work.output.shownName)")
        }
        // A dry run must not create a manifest.
        guard !isDry || InputList.exists(path) else {
            manifest = nil
            return
        }
        manifest = try Manifest(
            path: path, parameters: try rendering.parameters(arguments), reads: resumes, console)
    }

    /// The progress of a run. It counts the pictures that were begun (`next`), finished (`done`), skipped and failed.
    private struct Tally {
        var next = 0
        var done = 0
        var skipped = 0
        var failed = 0
        var last = ExitCode.done
        var shown = ContinuousClock.now

        mutating func fail(_ error: CommandError) {
            failed += 1
            last = ExitCode(error)
        }
    }

    /// Processes all pictures and returns the exit code. If the run has only one picture, a failure gives the exit code
    /// of its error. If the run has several pictures, any failure gives exit code 1.
    func run() -> ExitCode {
        if isDry { return list() }
        let start = ContinuousClock.now
        // If there are several pictures, an interrupt waits until the pictures in progress are complete. A run with
        // only one picture ends immediately, because no other picture is in progress. A run that reads standard input
        // also ends immediately, because standard input may never end.
        if works.count > 1, !works.contains(where: { $0.input.path == "-" }) { Interruption.wait() }
        let tally = Mutex(Tally())
        Thread.perform(min(jobs, works.count), "frost-batch") {
            while let work = next(tally) { carryOut(work, tally, start) }
        }
        StatusLine.clear()
        let result = tally.withLock { $0 }
        if works.count > 1 || !ignored.isEmpty { report(result, ContinuousClock.now - start) }
        Interruption.endIfRequested()
        return exitCode(result)
    }

    private func exitCode(_ tally: Tally) -> ExitCode {
        guard tally.failed == 0 else { return works.count == 1 ? tally.last : .someFailed }
        return isStrict && !ignored.isEmpty ? .someFailed : .done
    }

    private func next(_ tally: borrowing Mutex<Tally>) -> Work? {
        tally.withLock { tally in
            guard tally.next < works.count, !Interruption.isRequested, !stopsAtFailure || tally.failed == 0 else {
                return nil
            }
            defer { tally.next += 1 }
            return works[tally.next]
        }
    }

    private func carryOut(_ work: Work, _ tally: borrowing Mutex<Tally>, _ start: ContinuousClock.Instant) {
        do throws(CommandError) {
            if resumes, let manifest, manifest.proves(work) {
                tally.withLock { $0.skipped += 1 }
                describe(work, status: "skipped")
            } else {
                // The hash is computed before the picture is read. If the file changes between these two steps, the
                // manifest contains a hash that differs from that of the changed file.
                let inputHash = manifest == nil ? nil : try? FileHash.sha256(work.input.path)
                try rendering.render(work)
                if let inputHash { try manifest?.record(work, inputHash: inputHash) }
                tally.withLock { $0.done += 1 }
            }
        } catch {
            tally.withLock { $0.fail(error) }
            console.report(error, input: work.input.path.text)
        }
        guard StatusLine.isPossible, works.count > 1, !console.quiet else { return }
        let line = tally.withLock { tally -> String? in
            let now = ContinuousClock.now
            guard now - tally.shown > .milliseconds(100) else { return nil }
            tally.shown = now
            return status(tally, now - start)
        }
        if let line { StatusLine.show(line) }
    }

    /// Returns the text of the progress line, for example "[123/2000] 45.2 a second, 0:41 left, 3 failed".
    private func status(_ tally: Tally, _ time: Duration) -> String {
        let finished = tally.done + tally.skipped + tally.failed
        let rate = Double(finished) / max(time.milliseconds / 1000, 1e-3)
        let left = Int((Double(works.count - finished) / rate).rounded(.up))
        let seconds = left % 60
        let clock = "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)"
        let failed = tally.failed == 0 ? "" : ", \(tally.failed) failed"
        return "[\(finished)/\(works.count)] \(fixed(rate, 1)) a second, \(clock) left\(failed)"
    }

    private func report(_ tally: Tally, _ time: Duration) {
        let seconds = time.milliseconds / 1000
        var parts = ["\(tally.done) done"]
        if tally.skipped > 0 { parts.append("\(tally.skipped) done before") }
        if tally.failed > 0 { parts.append("\(tally.failed) failed") }
        let open = works.count - tally.done - tally.skipped - tally.failed
        if open > 0 { parts.append("\(open) not begun") }
        let rate = fixed(Double(tally.done) / max(seconds, 1e-3), 1)
        console.note("\(parts.joined(separator: ", ")), in \(fixed(seconds, 1)) s (\(rate) a second)")
        reportIgnored()
        guard console.json else { return }
        console.result(
            [
                "schema": "frost.summary/1", "done": .int(tally.done), "skipped": .int(tally.skipped),
                "failed": .int(tally.failed), "notBegun": .int(open), "ignored": .int(ignored.count),
                "interrupted": .bool(Interruption.isRequested), "seconds": .number(seconds, decimals: 3),
            ])
    }

    /// Warns of the files that were found and not processed, with their number of each kind. If the user wants details, also
    /// names the files.
    private func reportIgnored() {
        guard !ignored.isEmpty else { return }
        if console.json {
            for file in ignored {
                console.result(
                    [
                        "schema": "frost.result/1", "input": .path(file.path), "status": "ignored",
                        "reason": .string("\(file.reason)"),
                    ])
            }
        } else if console.verbose {
            console.note(ignored.map { "\($0.path.shownName): not processed (\($0.reason))" })
        }
        let kinds = Dictionary(ignored.map { ("\($0.reason)", 1) }, uniquingKeysWith: +)
        let counts = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let files = ignored.count == 1 ? "1 file was" : "\(ignored.count) files were"
        console.warn(
            "\(files) not processed: \(counts)" + (console.json || console.verbose ? "" : "; --verbose lists them"))
    }

    /// Prints the list of inputs and outputs for `--dry-run`. Reports the folders that cannot be read.
    private func list() -> ExitCode {
        var tally = Tally()
        for work in works {
            if let fault = work.input.fault {
                tally.fail(fault)
                console.report(fault, input: work.input.path.text)
                continue
            }
            let isDone = resumes && manifest?.proves(work) == true
            if console.json {
                describe(work, status: isDone ? "skipped" : "planned")
            } else {
                console.result(
                    "\(work.input.path.shownName) -> \(work.output.shownName)" + (isDone ? " (done before)" : ""))
            }
        }
        reportIgnored()
        return exitCode(tally)
    }

    private func describe(_ work: Work, status: String) {
        guard console.json else { return }
        console.result(
            [
                "schema": "frost.result/1", "input": .path(work.input.path), "output": .path(work.output),
                "status": .string(status),
            ])
    }
}
