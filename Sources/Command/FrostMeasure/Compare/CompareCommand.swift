import Frost
package import FrostCLI
import FrostImages
import Glibc

extension Command {
    static let compare = Command(
        name: "compare", operands: "A B [--max STEPS] [--diff OUT.png] [--report OUT.html]",
        summary:
            "Measure the difference of two pictures, in premultiplied colour and alpha, or of two folders' pictures.",
        options: [.max, .pixels, .diff, .comparePage, .junit] + Option.limits,
        examples: [
            "frost compare expected.png actual.png --max 1 --diff where.png",
            "frost compare golden/ new/ --max 1 --diff differences/",
            "frost compare golden/ new/ --report differences.html",
        ],
        run: { (arguments, console) throws(CommandError) in
            guard arguments.operands.count == 2 else { throw .usage("two pictures or two folders are required") }
            guard arguments.operands != ["-", "-"] else { throw .usage("standard input can be used only once") }
            let (a, b) = (arguments.paths[0], arguments.paths[1])
            for path in [a, b] where path != "-" && !InputList.exists(path) {
                throw .image(.cannotRead(path: path.text, errno: ENOENT))
            }
            let reports = try CheckReports(arguments, [a, b], console)
            var console = console
            console.outputIsPicture = reports.takesOutput
            var log = CheckLog(.compare)
            let code: ExitCode
            switch (a.isFolder, b.isFolder) {
            case (true, true):
                code = try FolderComparison(arguments, a, b, reports).run(console, &log)
            case (false, false):
                code = try PictureComparison(arguments, diff: arguments.path(.diff), reports, console).run(a, b, &log)
            case (true, false), (false, true): throw .usage("a folder can be compared only with another folder")
            }
            try reports.write(log, CheckEnvironment(arguments))
            return code
        },
        otherOperands: .file)
}

/// The comparison of two pictures, as the command line asks for it.
struct PictureComparison {
    private let limits: ImageLimits
    private let bound: Double?
    private let comparesSamplesOnly: Bool
    private let diff: (path: FilePath, format: ImageFormat)?
    private let hasPage: Bool
    private let console: Console

    /// - Parameter diff: where the picture of the differences is written; nil for none.
    init(
        _ arguments: Arguments, diff: FilePath?, _ reports: CheckReports, _ console: Console
    ) throws(CommandError) {
        hasPage = reports.hasPage
        self.diff = try diff.map { (path) throws(CommandError) in
            (path: path, format: try OutputNames.format(of: path, stated: nil) ?? .png)
        }
        if let diff { try ReportFile.refuse(.diff, diff, over: arguments.paths) }
        try reports.refuse(diff, of: .diff)
        limits = try Pictures.limits(arguments)
        bound = arguments.value(.max, as: Double.self)
        comparesSamplesOnly = arguments.has(.pixels)
        var console = console
        if diff?.isStandardOutput == true { console.outputIsPicture = true }
        self.console = console
    }

    /// Compares two pictures and reports the result.
    ///
    /// - Parameters:
    ///   - log: gets the result.
    ///   - name: the name that begins the line of the result; nil for none. A result without differences is then only a remark
    ///     for the user who wants details.
    func run(
        _ pathA: FilePath, _ pathB: FilePath, _ log: inout CheckLog, name: FilePath? = nil
    ) throws(CommandError) -> ExitCode {
        if pathA == "-" || pathB == "-" { StandardInput.announce(console) }
        let a = try Pictures.read(pathA, ImageReadOptions(limits: limits), nil)
        let b = try Pictures.read(pathB, ImageReadOptions(limits: limits), nil)
        let names: JSONValue = ["schema": "frost.compare/1", "a": .path(pathA), "b": .path(pathB)]
        let comparison: Comparison
        do throws(PixelError) {
            comparison = try Comparison(a.pixels, b.pixels)
        } catch {
            // Pictures of different sizes cannot be compared, so they count as exceeding every bound.
            if console.json {
                console.result(.joined(names, ["status": "failed", "reason": .string(error.description)]))
            }
            console.fail("\(pathA.shownName) and \(pathB.shownName): \(error)")
            log.add(.failed(input: (name ?? pathB).text, error: error.description))
            return .someFailed
        }
        let sameColors = try rethrow(a.meansSameColors(as: b, name: pathA.text, limits: limits), as: CommandError.image)
        if !sameColors {
            let text =
                "\(pathA.shownName) and \(pathB.shownName): equal samples mean different colours (their profiles, "
                + "gammas or code points differ)"
            if comparesSamplesOnly { console.warn(text) } else { console.fail(text) }
        }
        let holds = comparison.maximum <= bound ?? 0 && (sameColors || comparesSamplesOnly)
        if !sameColors, !comparesSamplesOnly {
            log.add(.failed(input: (name ?? pathB).text, error: "equal samples mean different colours"))
        }
        log.add(.checked(try result((name ?? pathB).text, a.pixels, b.pixels, comparison)))
        // Of a folder, only the pictures that differ are drawn.
        let isDrawn = name == nil || !holds
        if let diff, isDrawn {
            if name != nil {
                do throws(ImageError) { try OutputNames.createFolders(for: diff.path) } catch { throw .image(error) }
            }
            let picture = try comparison.picture(of: SampleRows(a.pixels), SampleRows(b.pixels))
            try Pictures.write(DecodedImage(pixels: picture), to: diff.path, as: diff.format)
            console.note("\(diff.path.shownName): differences times \(numberText(comparison.gain))")
        }
        if console.json {
            console.result(
                .joined(
                    names, comparison.json,
                    [
                        "sameColors": .bool(sameColors),
                        "diffGain": .number(diff == nil || !isDrawn ? nil : comparison.gain, decimals: 0),
                        "status": .string(holds ? "ok" : "failed"),
                    ]))
        } else if name == nil || !holds || console.verbose {
            console.result((name.map { "\($0.shownName): " } ?? "") + comparison.description)
            if let bound, comparison.maximum > bound {
                console.note("the largest difference exceeds the bound of \(numberText(bound)) steps")
            }
        }
        return holds ? .done : .someFailed
    }
}

extension PictureComparison {
    /// Returns the result for the reports, with pictures if there is a page.
    private func result(
        _ name: String, _ a: PixelBuffer, _ b: PixelBuffer, _ comparison: Comparison
    ) throws(CommandError) -> CheckResult {
        var result = CheckResult(input: name, subject: "the picture", bound: bound ?? 0)
        result.pairs = [CheckResult.Pair(a: "B", b: "A", comparison: comparison, seconds: 0)]
        guard hasPage else { return result }
        let images = [("A", SampleRows(a)), ("B", SampleRows(b))]
        let survey: ErrorSurvey
        do throws(PixelError) {
            survey = try ErrorSurvey(images[1].1, images[0].1, bound: result.bound, side: CheckEvidence.side)
        } catch {
            throw .frost(.pixels(error))
        }
        result.evidence = try CheckEvidence(
            source: nil, growth: (0, 0), images: images, worst: comparison.worst, surveys: [survey])
        return result
    }
}

extension CheckEnvironment {
    /// The facts about a comparison of two pictures or folders.
    fileprivate init(_ arguments: Arguments) {
        let options = arguments.written(except: [Option.comparePage.name, Option.junit.name]).flatMap { option in
            option.values.map { "--\(option.name)" + ($0.isEmpty ? "" : " \($0)") }
        }
        self.init(facts: [
            ("Frost", frostVersion), ("A", arguments.operands[0]), ("B", arguments.operands[1]),
            ("Options", options.isEmpty ? "none" : options.joined(separator: " ")),
        ])
    }
}

extension Option {
    fileprivate static let comparePage = Option.page.described(
        as: "write the results with pictures of the differences as one self-contained HTML page")
    package static let max = Option(
        "max", value: "STEPS", kind: .number(0...255),
        "exit with 1 if any value differs by more than this many 8-bit steps; without this option, if any differs")
    static let diff = Option("diff", value: "OUT.png", kind: .file, "write an image of the differences, amplified")
    fileprivate static let pixels = Option(
        "pixels", "compare sample values alone; a different meaning of their colours is only a warning")
}

extension Comparison {
    /// The comparison as a JSON object.
    var json: JSONValue {
        [
            // The maximum and mean differences are in 8-bit steps. A 16-bit step is 1/257 of an 8-bit step.
            "max": .number(maximum, decimals: 7), "mean": .number(mean, decimals: 5),
            "psnr": .number(psnr, decimals: 2), "ssim": .number(ssim, decimals: 6),
            "differing": .int(differingPixels),
            "worst": worst.map { ["x": .int($0.x), "y": .int($0.y), "channel": .string($0.channel)] } ?? .null,
        ]
    }

    var description: String {
        guard let worst else { return "identical" }
        let psnr = psnr.map { "\(fixed($0, 1)) dB" } ?? "infinite"
        return "max \(fixed(maximum, 3)) steps at \(worst.x),\(worst.y) \(worst.channel), mean \(fixed(mean, 4)), "
            + "PSNR \(psnr), SSIM \(fixed(ssim, 5)); \(differingPixels) pixels differ"
    }

    /// The factor that ``picture(of:_:)`` applies to the differences. It is the largest power of two, at most 128, with
    /// which no difference exceeds 255.
    fileprivate var gain: Double {
        var gain = 1.0
        while gain < 128, 2 * gain * maximum <= 255 { gain *= 2 }
        return gain
    }

    /// Returns a picture of the differences between two pictures. Each channel shows the absolute difference of the
    /// premultiplied colours, multiplied by ``gain``. If the difference of alpha is larger, the channel shows that
    /// difference instead, so a difference of alpha appears in all three channels.
    func picture(of a: SampleRows, _ b: SampleRows) throws(CommandError) -> PixelBuffer {
        let a = a.expanded(to: .rgba)
        let b = b.expanded(to: .rgba)
        let gain = gain
        var bytes: [UInt8] = []
        bytes.reserveCapacity(a.width * a.height * 3)
        for y in 0..<a.height {
            let rowA = a[y]
            let rowB = b[y]
            for x in 0..<a.width {
                let alpha = abs(rowA[4 * x + 3] - rowB[4 * x + 3])
                for c in 0..<3 {
                    let difference = max(alpha, abs(rowA[4 * x + c] - rowB[4 * x + c])) * gain
                    bytes.append(UInt8((min(max(difference, 0), 1) * 255).rounded()))
                }
            }
        }
        do throws(PixelError) {
            let layout = try PixelLayout(width: a.width, height: a.height, format: PixelFormat(.rgb))
            return try PixelBuffer(layout: layout, bytes: bytes)
        } catch {
            throw .frost(.pixels(error))
        }
    }
}
