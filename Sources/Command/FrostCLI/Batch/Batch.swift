import Frost
import FrostImages
import FrostThreads
import Glibc
import Synchronization

/// Processes the pictures of a command line, several at a time, and continues after failures.
struct Batch {
    private let items: [BatchItem]
    private let ignored: [IgnoredFile]
    private let rendering: Rendering
    private let manifest: Manifest?
    private let console: Console
    private let jobs: Int
    private let resumes: Bool
    private let stopsAtFailure: Bool
    private let isDry: Bool
    private let isStrict: Bool
    /// Whether a link at the place of an output is followed.
    private let followsLinks: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - ignored: the files of folders that are not processed.
    ///   - jobs: the number of pictures that are processed at a time.
    init(
        _ arguments: Arguments, _ items: [BatchItem], ignored: [IgnoredFile], _ rendering: Rendering, jobs: Int,
        _ console: Console
    ) throws(CommandError) {
        self.items = items
        self.ignored = ignored
        self.rendering = rendering
        self.jobs = jobs
        self.console = console
        isStrict = arguments.has(.strict)
        followsLinks = arguments.replacement.followsLinks
        resumes = arguments.has(.resume)
        stopsAtFailure = arguments.has(.failFast)
        isDry = arguments.has(.dryRun)
        guard let path = arguments.path(.manifest) else {
            guard !resumes else { throw .usage("--resume needs --manifest FILE") }
            manifest = nil
            return
        }
        if items.contains(where: { $0.input.path == "-" || $0.output == "-" }) {
            throw .usage("--manifest does not work with standard input or output")
        }
        if let item = items.first(where: \.input.path.isReadOnce) {
            throw .usage("--manifest needs files, which are read twice: \(item.input.path.shownName) is not one")
        }
        guard path != "-" else { throw .usage("--manifest needs a file, not -") }
        try ReportFile.refuse(.manifest, path, over: items.map(\.input.path) + arguments.inputFiles)
        if let item = items.first(where: { ReportFile.isSame($0.output, path) }) {
            throw .usage("--manifest \(path.shownName) is also the output for \(item.input.path.shownName)")
        }
        if let item = items.first(where: \.replacesInput) {
            throw .usage("--manifest cannot be used if an output replaces its input: \(item.output.shownName)")
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
        var lastStatus = ContinuousClock.now

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
        if items.count > 1, !items.contains(where: { $0.input.path == "-" }) { Interruption.wait() }
        let tally = Mutex(Tally())
        Thread.perform(min(jobs, items.count), "frost-batch") {
            while let item = next(tally) { carryOut(item, tally, start) }
        }
        StatusLine.clear()
        let result = tally.withLock { $0 }
        if items.count > 1 || !ignored.isEmpty { report(result, ContinuousClock.now - start) }
        let isKept = keepManifest()
        Interruption.endIfRequested()
        let code = exitCode(result)
        return code == .done ? isKept : code
    }

    private func exitCode(_ tally: Tally) -> ExitCode {
        guard tally.failed == 0 else { return items.count == 1 ? tally.last : .someFailed }
        return isStrict && !ignored.isEmpty ? .someFailed : .done
    }

    /// Makes the manifest durable, and reports if that fails.
    private func keepManifest() -> ExitCode {
        do throws(CommandError) { try manifest?.sync() } catch {
            console.report(error)
            return items.count == 1 ? ExitCode(error) : .someFailed
        }
        return .done
    }

    private func next(_ tally: borrowing Mutex<Tally>) -> BatchItem? {
        tally.withLock { tally in
            guard tally.next < items.count, !Interruption.isRequested, !stopsAtFailure || tally.failed == 0 else {
                return nil
            }
            defer { tally.next += 1 }
            return items[tally.next]
        }
    }

    private func carryOut(_ item: BatchItem, _ tally: borrowing Mutex<Tally>, _ start: ContinuousClock.Instant) {
        do throws(CommandError) {
            if resumes, let manifest, manifest.proves(item) {
                tally.withLock { $0.skipped += 1 }
                // If all results are complete, no file is created here, but a process that was killed may have left one.
                AtomicFile.removeLeftovers(besides: item.output, followsLink: followsLinks)
                describe(item, status: "skipped")
            } else {
                // The hash is computed before the picture is read. If the file changes between these two steps, the
                // manifest contains a hash that differs from that of the changed file.
                let inputHash = manifest == nil ? nil : try? FileHash.sha256(item.input.path)
                try rendering.render(item)
                if let inputHash { try manifest?.record(item, inputHash: inputHash) }
                tally.withLock { $0.done += 1 }
            }
        } catch {
            tally.withLock { $0.fail(error) }
            console.report(error, input: item.input.path.text)
        }
        guard StatusLine.isPossible, items.count > 1, !console.quiet else { return }
        let line = tally.withLock { tally -> String? in
            let now = ContinuousClock.now
            guard now - tally.lastStatus > Progress.interval else { return nil }
            tally.lastStatus = now
            return status(tally, now - start)
        }
        if let line { StatusLine.show(line) }
    }

    /// Returns the text of the progress line, for example "[123/2000] 45.2 a second, 0:41 left, 3 failed".
    private func status(_ tally: Tally, _ time: Duration) -> String {
        let finished = tally.done + tally.skipped + tally.failed
        let failed = tally.failed == 0 ? "" : ", \(tally.failed) failed"
        return Progress.text(finished, of: items.count, after: time) + failed
    }

    private func report(_ tally: Tally, _ time: Duration) {
        let seconds = time.milliseconds / 1000
        var parts = ["\(tally.done) done"]
        if tally.skipped > 0 { parts.append("\(tally.skipped) done before") }
        if tally.failed > 0 { parts.append("\(tally.failed) failed") }
        let open = items.count - tally.done - tally.skipped - tally.failed
        if open > 0 { parts.append("\(open) not begun") }
        let rate = fixed(Double(tally.done) / max(seconds, 1e-3), 1)
        reportIgnored()
        console.note("\(parts.joined(separator: ", ")), in \(fixed(seconds, 1)) s (\(rate) a second)")
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
        for item in items {
            if let fault = item.input.fault {
                tally.fail(fault)
                console.report(fault, input: item.input.path.text)
                continue
            }
            let isDone = resumes && manifest?.proves(item) == true
            if console.json {
                describe(item, status: isDone ? "skipped" : "planned")
            } else {
                console.result(
                    "\(item.input.path.shownName) -> \(item.output.shownName)" + (isDone ? " (done before)" : ""))
            }
        }
        reportIgnored()
        return exitCode(tally)
    }

    private func describe(_ item: BatchItem, status: String) {
        guard console.json else { return }
        console.result(
            [
                "schema": "frost.result/1", "input": .path(item.input.path), "output": .path(item.output),
                "status": .string(status),
            ])
    }
}
