import Frost
import FrostCLI
import FrostImages

extension Command {
    static let bench = Command(
        name: "bench", operands: "[--input FILE] [--size WxH,...] [--sigma S,...] [options]",
        summary: "Measure the time of blurs, relative to a memcpy of the same picture.",
        options: [
            .benchInput, .benchSizes, .benchSigmas, .benchEffects, .edge, .benchBackends, .device, .gpuShaders,
            .benchThreads,
            .benchFormat, .benchRuns, .benchBackdrop, .benchTextures, .benchTransitions, .benchVerify, .benchBaseline,
            .benchMaxRatio,
            .benchMaxLoss,
            .benchCSV, .benchMarkdown, .benchPlot,
        ] + Option.limits,
        examples: [
            "frost bench",
            "frost bench --size 3840x2160 --sigma 2,8,30 --threads 1,2 --csv times.csv --plot times.svg",
            "frost bench --input photo.png --sigma 8 --verify --json",
            "frost bench --size 3840x2160 --sigma 8 --max-ratio 10 --quiet",
            "frost bench --size 3840x2160 --effect light,blur-dark,material-thick-light",
            "frost bench --json > before.json",
            "frost bench --baseline before.json",
            "frost bench --backdrop --backend cpu,gpu --size 3840x2160 --sigma 30",
            "frost bench --textures --sigma 2,8,30,100",
            "frost bench --transition all --size 3840x2160 --threads 2",
            "frost bench --size 256x256,1920x1080 --backend cpu,gpu,auto --max-loss 20",
        ],
        run: { (arguments, console) throws(CommandError) in try BenchCommand(arguments, console).run() })
}

/// Implements `frost bench`.
struct BenchCommand {
    private let console: Console
    private let request: BenchRequest
    private let picture: BenchPicture
    private let pictureName: String
    private let sizes: [PictureSize]
    private let subjects: [BenchSubject]
    private let baseline: BenchBaseline?
    private let csv: FilePath?
    private let markdown: FilePath?
    private let plot: FilePath?

    init(_ arguments: Arguments, _ console: Console) throws(CommandError) {
        request = try BenchRequest(arguments)
        baseline = try arguments.path(.benchBaseline).map { (path) throws(CommandError) in
            try BenchBaseline(path: path)
        }
        csv = arguments.path(.benchCSV)
        markdown = arguments.path(.benchMarkdown)
        plot = arguments.path(.benchPlot)
        let toOutput = [csv, markdown, plot].count { $0?.isStandardOutput == true }
        guard toOutput == 0 || toOutput == 1 && !console.json else {
            throw .usage("only one of --json, --csv, --markdown and --plot can use standard output")
        }
        try ReportFile.check(
            [.benchCSV, .benchMarkdown, .benchPlot], in: arguments,
            over: [Option.benchInput, .benchBaseline].compactMap { arguments.path($0) })
        var console = console
        console.outputIsPicture = toOutput > 0
        self.console = console
        if let input = arguments.path(.benchInput) {
            let image = try Pictures.read(input, ImageReadOptions(limits: Pictures.limits(arguments)), nil).pixels
            picture = .file(image)
            pictureName = input.name.text
        } else {
            picture = .synthetic
            pictureName = "synthetic picture"
        }
        sizes = request.sizes.isEmpty ? [picture.ownSize].compactMap { $0 } : request.sizes
        subjects = try BenchSubject.all(request)
    }

    func run() throws(CommandError) -> ExitCode {
        switch request.kind {
        case .blurs: return try measureBlurs()
        case .backdrop:
            return try measure(request.effects, named: \.description) { (effect, pixels, subject) throws(FrostError) in
                let bench = BackdropBench(
                    effect: effect, picture: pixels, runs: request.runs, options: request.gpu)
                return (try bench.row(on: subject, device: request.device), nil)
            }
        case .textures:
            return try measure(request.effects, named: \.description) { (effect, pixels, _) throws(FrostError) in
                let bench = TextureBench(
                    effect: effect, picture: pixels, runs: request.runs, options: request.gpu)
                return (try bench.row(on: request.device), nil)
            }
        case .transitions(let transitions):
            return try measure(transitions, named: \.name) { (transition, pixels, subject) throws(FrostError) in
                try TransitionBench(transition: transition, source: pixels, runs: request.runs).row(on: subject)
            }
        }
    }

    /// One thing to measure on a subject, with a picture of a size.
    private struct Job<Item> {
        let size: PictureSize
        let subject: BenchSubject
        let item: Item
    }

    /// All items on all subjects at all sizes. If `auto` is measured, the jobs of one item on all subjects follow each
    /// other, so that they are done at about the same time.
    private func jobs<Item>(_ items: [Item]) -> [Job<Item>] {
        let isCompared = subjects.contains { $0.renderer.backend == .auto }
        let pairs =
            isCompared
            ? items.flatMap { item in subjects.map { (item, $0) } }
            : subjects.flatMap { subject in items.map { ($0, subject) } }
        return sizes.flatMap { size in pairs.map { Job(size: size, subject: $1, item: $0) } }
    }

    /// Measures all items, and prints a row for each.
    ///
    /// - Parameter measure: returns the row, and the time relative to a memcpy if `--max-ratio` applies to it.
    private func measure<Item>(
        _ items: [Item], named name: (Item) -> String,
        _ measure: (Item, PixelBuffer, BenchSubject) throws(FrostError) -> (row: BenchRow, ratio: Double?)
    ) throws(CommandError) -> ExitCode {
        let jobs = jobs(items)
        var run = BenchRun(picture, request, isQuiet: console.quiet, total: jobs.count)
        var code = ExitCode.done
        for (index, job) in jobs.enumerated() {
            let name = "\(name(job.item)) on \(job.subject.name)"
            let (row, ratio) = try run.measure(name, at: job.size) { (pixels) throws(FrostError) in
                try measure(job.item, pixels, job.subject)
            }
            row.print(on: console, isFirst: index == 0)
            if let ratio, isOverBound(ratio, "\(job.size) \(name)") { code = .someFailed }
        }
        return code
    }

    /// Returns whether a time relative to a memcpy exceeds the bound of `--max-ratio`, and prints it.
    private func isOverBound(_ ratio: Double, _ name: String) -> Bool {
        guard let bound = request.maximumRatio, !(ratio <= bound) else { return false }
        console.note("\(name): \(fixed(ratio, 2)) times a memcpy, over the bound of \(numberText(bound))")
        return true
    }

    private func measureBlurs() throws(CommandError) -> ExitCode {
        let matrix = jobs(request.effects)
        let (compared, reductions) = plot == nil ? ([], []) : (comparedSizes, reducedBlurs)
        var run = BenchRun(
            picture, request, isQuiet: console.quiet, total: matrix.count + compared.count + reductions.count)
        func measure(_ job: Job<Effect>, verify: Bool = false) throws(CommandError) -> Measurement {
            try run.measure("\(job.item) on \(job.subject.name)", at: job.size) { (pixels) throws(FrostError) in
                try job.subject.measure(
                    pixels, job.item, format: request.format, runs: request.runs, verify: verify)
            }
        }

        var measurements: [Measurement] = []
        for job in matrix {
            var measurement = try measure(job, verify: request.verifies)
            measurement.baselineRatio = baseline?.ratio(of: measurement)
            if let warning = measurement.warning { console.warn("\(measurement.subject): \(warning)") }
            measurement.row.print(on: console, isFirst: measurements.isEmpty)
            measurements.append(measurement)
        }
        if let baseline { console.note(baseline.summary(measurements)) }
        let rows = measurements.map(\.row)
        if let csv { try ReportFile.write(BenchRow.csv(rows), to: csv) }
        if let markdown { try ReportFile.write(Self.caption(measurements) + BenchRow.markdown(rows), to: markdown) }
        if let plot {
            let sizes = try compared.map { (job) throws(CommandError) in try measure(job) }
            let reduced = try reductions.map { (factor, sigma, job) throws(CommandError) in
                (factor, sigma, try measure(job))
            }
            let chart = BenchPlot(matrix: measurements, sizes: sizes, reduced: reduced, picture: pictureName)
            try ReportFile.write(chart.document, to: plot)
        }
        var repeated = measurements
        if let bound = request.maximumLoss {
            // The load of other processes varies, so a loss counts only if it appears in every repetition.
            for _ in 0..<AutoLoss.attempts {
                guard let loss = AutoLoss.worst(of: repeated), loss.percent > bound else { break }
                for index in matrix.indices where loss.isAbout(repeated[index]) {
                    repeated[index] = try measure(matrix[index])
                }
            }
        }
        return verdict(measurements, AutoLoss.worst(of: repeated))
    }

    /// The text before the table of `--markdown`.
    private static func caption(_ measurements: [Measurement]) -> String {
        let format = measurements.first.map { "\($0.format.rawValue), edge \($0.effect.edge.rawValue)" } ?? ""
        return
            "Frost \(frostVersion), \(Machine.processor), \(Machine.date); \(format). Times are in milliseconds. The ratio "
            + "is the time of the\nfastest run divided by that of a single-threaded memcpy of the same picture. Errors are in "
            + "8-bit steps. The bound\napplies before rounding.\n\n"
    }

    private func verdict(_ measurements: [Measurement], _ loss: AutoLoss?) -> ExitCode {
        var code = ExitCode.done
        for m in measurements {
            let name = "\(m.size) \(m.effect) on \(m.subject)"
            if isOverBound(m.ratio, name) { code = .someFailed }
            if !m.keepsPromise, let error = m.error {
                let promise = fixed(m.format.promise, 3)
                console.note(
                    "\(name): the largest error is \(fixed(error.maximum, 3)) steps, above the guaranteed bound of \(promise)"
                )
                code = .someFailed
            }
        }
        if let loss {
            if let bound = request.maximumLoss, !(loss.percent <= bound) {
                console.note("\(loss.text), over the bound of \(numberText(bound)) %")
                code = .someFailed
            } else if !console.json {
                console.note(loss.text)
            }
        }
        return code
    }

    /// The jobs that compare sizes, for the plot.
    private var comparedSizes: [Job<Effect>] {
        guard let effect = BenchPlot.commonEffect(request.effects) else { return [] }
        return BenchPlot.comparedSizes(sizes).flatMap { size in
            subjects.map { Job(size: size, subject: $0, item: effect) }
        }
    }

    /// The jobs that measure blurs of reduced pictures, for the plot. For each factor r, the picture of the largest size
    /// is reduced by r, and sigma is divided by r. Only the first subject is measured.
    private var reducedBlurs: [(factor: Int, sigma: Double, job: Job<Effect>)] {
        guard let full = sizes.max(by: { $0.pixels < $1.pixels }), let subject = subjects.first else { return [] }
        return BenchPlot.factors.flatMap { factor in
            request.effects.compactMap { effect in
                // Below the smallest sigma, a blur only copies the picture. The time of a copy would be misleading.
                guard let blur = effect.gaussian, blur.sigmaX / Double(factor) >= GaussianBlur.smallestSigma,
                    let part = try? GaussianBlur(sigma: blur.sigmaX / Double(factor), edge: blur.edge)
                else { return nil }
                return (factor, blur.sigmaX, Job(size: full.reduced(by: factor), subject: subject, item: Effect(part)))
            }
        }
    }
}
