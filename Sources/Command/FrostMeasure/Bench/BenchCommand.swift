import Frost
import FrostCLI
import FrostImages

extension Command {
    static let bench = Command(
        name: "bench", operands: "[--input FILE] [--size WxH,...] [--sigma S,...] [options]",
        summary: "Measure the time of blurs, relative to a memcpy of the same picture.",
        options: [
            .benchInput, .benchSizes, .benchSigmas, .benchEffects, .edge, .benchBackends, .device, .benchThreads,
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
        let files = [csv, markdown, plot].compactMap { $0 }
        let toOutput = files.filter(\.isStandardOutput).count
        guard toOutput == 0 || toOutput == 1 && !console.json else {
            throw .usage("only one of --json, --csv, --markdown and --plot can use standard output")
        }
        for option in [Option.benchCSV, .benchMarkdown, .benchPlot] {
            guard let path = arguments.path(option) else { continue }
            try ReportFile.refuse(
                option, path, over: [Option.benchInput, .benchBaseline].compactMap { arguments.path($0) })
            try ReportFile.check(path)
        }
        try ReportFile.refuseSame([.benchCSV, .benchMarkdown, .benchPlot], in: arguments)
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
        subjects = if case .blurs = request.kind { try BenchSubject.all(request) } else { [] }
    }

    /// One blur to measure.
    private struct Job {
        let size: PictureSize
        let subject: BenchSubject
        let effect: Effect
    }

    func run() throws(CommandError) -> ExitCode {
        switch request.kind {
        case .blurs: return try measureBlurs()
        case .backdrop: try BackdropBench(request: request).run(sizes, picture, console)
        case .textures: try TextureBench(request: request).run(sizes, picture, console)
        case .transitions(let transitions):
            return try TransitionBench(request: request).run(transitions, sizes, picture, console)
        }
        return .done
    }

    private func measureBlurs() throws(CommandError) -> ExitCode {
        let matrix = self.matrix
        let ladder = plot == nil ? [] : ladderJobs
        let reductions = plot == nil ? [] : reductionJobs
        var progress = Progress(
            total: matrix.count + ladder.count + reductions.count, quiet: console.quiet)
        var source = Source(picture: picture, format: request.format)
        func measure(_ job: Job, verify: Bool) throws(CommandError) -> Measurement {
            progress.begin("\(job.size) \(job.effect) on \(job.subject.name)")
            defer { progress.clear() }
            return try job.subject.measure(
                try source.pixels(job.size), job.effect, format: request.format, runs: request.runs, verify: verify)
        }

        console.header(of: Measurement.self)
        var measurements: [Measurement] = []
        for job in matrix {
            var measurement = try measure(job, verify: request.verifies)
            measurement.baselineRatio = baseline?.ratio(of: measurement)
            measurements.append(measurement)
            report(measurement)
        }
        if let baseline { console.note(baseline.summary(measurements)) }
        if let csv { try ReportFile.write(BenchReports.csv(measurements), to: csv) }
        if let markdown { try ReportFile.write(BenchReports.markdown(measurements), to: markdown) }
        if let plot {
            var chart = BenchPlot(matrix: measurements, ladder: [], reduced: [], picture: pictureName)
            for job in ladder { chart.ladder.append(try measure(job, verify: false)) }
            for (factor, sigma, job) in reductions {
                let measurement = try measure(job, verify: false)
                chart.reduced.append(BenchPlot.Reduced(factor: factor, sigma: sigma, measurement: measurement))
            }
            try ReportFile.write(chart.document, to: plot)
        }
        var compared = measurements
        if let bound = request.maximumLoss {
            // The load of other processes varies, so a loss counts only if it appears in every repetition.
            for _ in 0..<AutoLoss.attempts {
                guard let loss = AutoLoss.worst(of: compared), loss.percent > bound else { break }
                for index in matrix.indices where loss.isAbout(compared[index]) {
                    compared[index] = try measure(matrix[index], verify: false)
                }
            }
        }
        return verdict(measurements, AutoLoss.worst(of: compared))
    }

    private func report(_ measurement: Measurement) {
        if let warning = measurement.warning { console.warn("\(measurement.subject): \(warning)") }
        console.result(measurement)
    }

    private func verdict(_ measurements: [Measurement], _ loss: AutoLoss?) -> ExitCode {
        var code = ExitCode.done
        for m in measurements {
            let what = "\(m.size) \(m.effect) on \(m.subject)"
            if let bound = request.maximumRatio, !(m.ratio <= bound) {
                console.note("\(what): \(fixed(m.ratio, 2)) times a memcpy, over the bound of \(decimal(bound))")
                code = .someFailed
            }
            if !m.keepsPromise, let error = m.error {
                let promise = fixed(m.format.promise, 3)
                console.note(
                    "\(what): the largest error is \(fixed(error.maximum, 3)) steps, above the guaranteed bound of \(promise)"
                )
                code = .someFailed
            }
        }
        if let loss {
            if let bound = request.maximumLoss, !(loss.percent <= bound) {
                console.note("\(loss.text), over the bound of \(decimal(bound)) %")
                code = .someFailed
            } else if !console.json {
                console.note(loss.text)
            }
        }
        return code
    }

    /// Provides the pixels of a size, and keeps them while consecutive jobs have the same size.
    private struct Source {
        let picture: BenchPicture
        let format: BenchFormat
        private var last: (size: PictureSize, pixels: PixelBuffer)?

        init(picture: BenchPicture, format: BenchFormat) {
            self.picture = picture
            self.format = format
        }

        mutating func pixels(_ size: PictureSize) throws(CommandError) -> PixelBuffer {
            if let last, last.size == size { return last.pixels }
            last = nil
            let pixels = try picture.pixels(size, format)
            last = (size, pixels)
            return pixels
        }
    }
}

extension BenchCommand {
    /// All measurements of the requested sizes, effects and subjects. If `auto` is measured, the measurements of one
    /// effect on all subjects follow each other, so that they are made at about the same time.
    private var matrix: [Job] {
        let isCompared = subjects.contains { $0.renderer.backend == .auto }
        return sizes.flatMap { size in
            isCompared
                ? request.effects.flatMap { effect in
                    subjects.map { Job(size: size, subject: $0, effect: effect) }
                }
                : subjects.flatMap { subject in
                    request.effects.map { Job(size: size, subject: subject, effect: $0) }
                }
        }
    }

    private var ladderJobs: [Job] {
        guard let effect = BenchPlot.commonEffect(request.effects) else { return [] }
        return BenchPlot.ladderSizes(sizes).flatMap { size in
            subjects.map { Job(size: size, subject: $0, effect: effect) }
        }
    }

    /// The jobs that measure blurs of reduced pictures. For each factor r, the picture of the largest size is reduced
    /// by r, and sigma is divided by r. Only the first subject is measured.
    private var reductionJobs: [(factor: Int, sigma: Double, job: Job)] {
        guard let full = sizes.max(by: { $0.pixels < $1.pixels }), let subject = subjects.first else { return [] }
        return BenchPlot.factors.flatMap { factor in
            request.effects.compactMap { effect in
                // Below the smallest sigma, a blur only copies the picture. The time of a copy would be misleading.
                guard let blur = effect.gaussian, blur.sigmaX / Double(factor) >= GaussianBlur.smallestSigma,
                    let part = try? GaussianBlur(sigma: blur.sigmaX / Double(factor), edge: blur.edge)
                else { return nil }
                let job = Job(size: full.reduced(by: factor), subject: subject, effect: Effect(part))
                return (factor, blur.sigmaX, job)
            }
        }
    }
}
