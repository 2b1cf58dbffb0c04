import Foundation
import Frost
import FrostCLITestSupport
import FrostTestSupport
import Testing

@testable import FrostCLI
@testable import FrostMeasure

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The name `Measurement` means Frost's type, not Foundation's.
private typealias Measurement = FrostMeasure.Measurement

/// Tests the output formats and the arithmetic of `frost bench`. No test depends on how much time anything takes.
@Suite struct BenchTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func bench(_ words: String...) throws -> Outcome { try scratch.run(Program.path, ["bench"] + words) }

    private static func measurement(
        device: String? = nil, sigma: Double = 8, asked: Backend? = nil, ms: [Double] = [3, 1, 2]
    ) throws -> Measurement {
        Measurement(
            size: PictureSize(width: 64, height: 48), format: .rgba8, effect: Effect(try GaussianBlur(sigma: sigma)),
            asked: asked ?? (device == nil ? .cpu : .gpu), backend: device == nil ? .cpu : .gpu, device: device,
            threads: device == nil ? 2 : nil,
            blur: Timing(ms), memcpy: Timing([0.5, 0.25]), errorBound: 0.3,
            reason: "as requested")
    }

    @Test func effectsOfAFamily() throws {
        let outcome = try bench(
            "--effect", "frost,7blur-sky", "--size", "24x16", "--runs", "1", "--threads", "1", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let objects = try outcome.objects
        let names = EffectCatalog.all.filter { $0.family == .frost }.map(\.name) + ["7blur-sky"]
        #expect(objects.map { $0["effect"] as? String } == names)
        // Effects that need a mask are among them, and are compared with the blur of their largest sigma.
        #expect(names.contains("variable") && objects.allSatisfy { ($0["plain_ratio"] as? Double ?? 0) > 0 })
        try scratch.frost("bench", "--effect", "frst", "--size", "9x9").expectError(2, "unknown effect frst")
        try scratch.frost("bench", "--backdrop", "--effect", "variable").expectError(2, "variable needs a mask")
    }

    // MARK: - Live backdrops

    @Test func framesOfABackdropTakeWhatHasChanged() throws {
        let outcome = try bench(
            "--backdrop", "--size", "640x400", "--sigma", "5,0.7", "--threads", "1", "--runs", "1", "--json")
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        #expect(objects.map { $0["sigma"] as? Double } == [5, 0.7])
        for object in objects {
            func number(_ name: String) throws -> Int { try #require(object[name] as? Int, "\(name)") }
            #expect(object["schema"] as? String == "frost.bench.backdrop/1")
            #expect(try number("all_pixels") == 640 * 400)
            #expect(try (64 * 64..<128 * 128).contains(number("damage_pixels")))
            #expect(try number("still_passes") == 0 && number("still_pixels") == 0)
            // The panel has moved by 16 and 9 pixels, and draws what it did not cover before.
            // Behind the panel in the middle, a square of 96x96 changes.
            #expect(try (96 * 96..<640 * 400).contains(number("panel_pixels")))
            let times = ["panel_ms", "panel_median_ms", "panel_p99_ms", "panel_max_ms"].map {
                object[$0] as? Double ?? .nan
            }
            #expect(times == times.sorted() && times[0] > 0, "\(times)")
            #expect(try number("move_samples") == 0 && number("move_pixels") == 214 * 134 - (214 - 16) * (134 - 9))
        }
        #expect(objects[0]["all_samples"] as? Int ?? 0 > 320 * 200 && objects[1]["all_samples"] as? Int == 0)
        try scratch.frost("bench", "--size", "9x9", "--csv", "a", "--plot", "a").expectError(
            2, "--csv and --plot cannot be the same file")
        for words in [["--verify"], ["--csv", "-"], ["--max-ratio", "3"]] {
            let refused = try scratch.run(Program.path, ["bench", "--backdrop"] + words)
            #expect(refused.code == 2 && refused.errors.contains("--backdrop cannot be combined with \(words[0])"))
        }
        let auto = try scratch.run(Program.path, ["bench", "--backdrop", "--backend", "cpu,auto"])
        auto.expectError(2, "--backdrop does not support the backend auto")
        let deep = try scratch.run(Program.path, ["bench", "--backdrop", "--backend", "gpu", "--format", "rgba16"])
        deep.expectError(2, "--format rgba16: backdrops support only rgba8")
    }

    @Test(.enabled(if: TestGPU.isWanted, "no EGL device")) func framesOfABackdropOnAGPU() throws {
        let outcome = try bench(
            "--backdrop", "--size", "640x400", "--sigma", "5", "--backend", "gpu", "--runs", "1", "--json")
        let object = try #require(try outcome.objects.first)
        #expect(outcome.code == 0 && object["backend"] as? String == "gpu" && object["device"] is String)
        #expect(object["all_pixels"] as? Int == 640 * 400 && object["still_passes"] as? Int == 0)
        #expect(object["damage_samples"] as? Int ?? 0 < (object["all_samples"] as? Int ?? 0) / 4)
    }

    // MARK: - The automatic choice

    @Test func theLossIsAgainstTheBetterBackendOfTheSameBlur() throws {
        let measurements = try [
            Self.measurement(ms: [10]), Self.measurement(device: "card", ms: [8]),
            Self.measurement(asked: .auto, ms: [10]), Self.measurement(device: "llvmpipe", ms: [1]),
            Self.measurement(sigma: 3, ms: [5]), Self.measurement(sigma: 3, asked: .auto, ms: [5.5]),
            Self.measurement(asked: .exact, ms: [1]),
        ]
        let loss = try #require(AutoLoss.worst(of: measurements))
        #expect(abs(loss.percent - 25) < 1e-9)
        #expect(
            loss.text
                == "auto takes at most 25.0 % longer than the better backend (64x48 gaussian sigma 8, against gpu (card))"
        )
        #expect(AutoLoss.worst(of: [measurements[0], measurements[1]]) == nil)
        #expect(AutoLoss.worst(of: [measurements[2], measurements[4]]) == nil)
        let won = try #require(AutoLoss.worst(of: [measurements[0], measurements[2]]))
        #expect(won.text == "auto takes no longer than the better backend")
    }

    @Test func autoIsMeasuredUnderItsOwnName() throws {
        let outcome = try bench(
            "--size", "20x10", "--sigma", "2", "--backend", "cpu,auto", "--runs", "1", "--json", "--max-loss", "1000000"
        )
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        #expect(objects.map { $0["asked"] as? String } == ["cpu", "auto"])
        #expect(objects.allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
        try bench("--size", "20x10", "--sigma", "2", "--backend", "cpu,gpu", "--max-loss", "20")
            .expectError(2, "--max-loss")
        try bench("--size", "20x10", "--sigma", "2", "--backend", "auto", "--max-loss", "20").expectError(
            2, "--max-loss")
    }

    // MARK: - Results

    @Test func everyCombinationIsOneJSONObjectWithTheMembersOfTheContract() throws {
        let outcome = try bench(
            "--size", "33x17,8x70", "--sigma", "0.7,9", "--threads", "1,2", "--backend", "cpu", "--runs", "1", "--json")
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        #expect(outcome.lines.count == 8)
        #expect(objects.count == 8)
        for object in objects {
            #expect(object["schema"] as? String == "frost.bench/1")
            #expect(object["backend"] as? String == "cpu")
            #expect(object["device"] is NSNull)
            let minimum = try #require(object["min_ms"] as? Double)
            let median = try #require(object["median_ms"] as? Double)
            #expect(object["memcpy_ms"] is Double)
            #expect(object["ratio"] is Double)
            #expect(minimum <= median)
        }
        let cases = Set(objects.map { "\($0["width"]!)x\($0["height"]!) \($0["sigma"]!) \($0["threads"]!)" })
        #expect(cases.count == 8)
    }

    @Test func csvHasTheMembersOfTheObjectsAsColumns() throws {
        let outcome = try bench(
            "--size", "20x10", "--sigma", "1,2,3", "--backend", "cpu", "--runs", "1", "--json", "--csv", "a.csv")
        #expect(outcome.code == 0)
        // Rows end in CR LF, which Swift treats as one character.
        let rows = try String(contentsOfFile: scratch.file("a.csv"), encoding: .utf8).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(rows.count == 4)
        let columns = try #require(rows.first)
        for (row, object) in zip(rows.dropFirst(), try outcome.objects) {
            #expect(Set(columns) == Set(object.keys).subtracting(["schema"]))
            #expect(row.count == columns.count)
            for (name, cell) in zip(columns, row) {
                switch object[name] {
                case is NSNull: #expect(cell.isEmpty)
                case let text as String: #expect(cell == text)
                case let number as Double: #expect(Double(cell) == number)
                default: Issue.record("\(name) is of no kind that CSV has")
                }
            }
        }
    }

    @Test func aReportOnStandardOutputStandsThereAlone() throws {
        let outcome = try bench("--size", "9x9", "--sigma", "1", "--backend", "cpu", "--runs", "1", "--csv", "-")
        #expect(outcome.code == 0)
        #expect(outcome.text.hasPrefix("width,height,sigma,"))
        #expect(outcome.text.split(separator: "\r\n").count == 2)
    }

    @Test(arguments: BenchFormat.allCases) func errorsAreWithinThePromiseInEveryFormat(_ format: BenchFormat) throws {
        let outcome = try bench(
            "--size", "67x41", "--sigma", "0.7,6", "--backend", "cpu", "--runs", "1", "--verify", "--json", "--format",
            format.rawValue)
        #expect(outcome.code == 0)
        let objects = try outcome.objects
        #expect(objects.count == 2)
        for object in objects {
            #expect(object["format"] as? String == format.rawValue)
            // The error must also be larger than 0. If a picture were compared with itself, the error would be 0.
            let error = try #require(object["maxError"] as? Double)
            #expect(error > 0 && error <= format.promise)
        }
    }

    // MARK: - Exit codes

    @Test(arguments: [
        ["--size", "0x5"], ["--size", "12"], ["--size", "40000x1"], ["--size", "30000x30000"], ["--size", ""],
        ["--sigma", "1001"], ["--sigma", "1,,2"], ["--threads", "0"], ["--threads", "1.5"],
        ["--backend", "vulkan"],
        ["--backend", "cpu", "--device", "0"], ["--format", "png"], ["--runs", "0"], ["--max-ratio", "-1"],
        ["--csv", "-", "--json"], ["--csv", "-", "--plot", "-"], ["--edge", "around"], ["picture.png"],
        ["--nonsense"],
    ])
    func whatIsNoCommandLineIsExitCode2(_ words: [String]) throws {
        #expect(try scratch.run(Program.path, ["bench"] + words).code == 2)
        #expect(try scratch.entries().isEmpty)
    }

    @Test func boundsAndFilesHaveTheirExitCodes() throws {
        // Every blur takes some time, so every blur exceeds the largest allowed ratio of 0.
        #expect(try bench("--size", "9x9", "--sigma", "1", "--backend", "cpu", "--max-ratio", "0").code == 1)
        #expect(try bench("--input", "/nonexistent.png").code == 3)
        #expect(try bench("--size", "9x9", "--csv", "/nonexistent/a.csv").code == 6)
        #expect(try bench("--size", "9x9", "--device", "no such device").code == 5)
    }

    // MARK: - Reports

    @Test func timingIsTheMinimumAndTheMedian() {
        #expect(Timing([5, 1, 3]).median == 3)
        #expect(Timing([5, 1, 3]).minimum == 1)
        #expect(Timing([4, 1, 3, 9]).median == 3.5)
        #expect(Timing([7]).median == 7)
    }

    @Test func theRatioIsThatOfTheMinima() throws {
        #expect(try Self.measurement().ratio == 4)
    }

    @Test func aCellWithCommasAndQuotesIsQuoted() throws {
        let csv = BenchRow.csv([try Self.measurement(device: "Foo \"X\", rev 2").row])
        #expect(csv.contains(",\"Foo \"\"X\"\", rev 2\","))
    }

    @Test func rowsOfMarkdownHaveTheColumnsOfTheHeader() throws {
        let text = BenchRow.markdown([try Self.measurement().row, try Self.measurement(device: "A|B").row])
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count == 4)
        // Escaped bars are not column separators.
        let bars = rows.map { $0.replacing("\\|", with: "").count { $0 == "|" } }
        #expect(Set(bars).count == 1)
    }

    // MARK: - The plot

    @Test func thePlotIsWellFormedAndHasThreePanels() throws {
        let outcome = try bench(
            "--size", "40x30,80x60", "--sigma", "0,1,8", "--backend", "cpu", "--runs", "1", "--plot", "a.svg")
        #expect(outcome.code == 0)
        let reader = Reader(try String(contentsOfFile: scratch.file("a.svg"), encoding: .utf8))
        #expect(reader.isWellFormed)
        #expect(reader.elements.first == "svg")
        for title in ["Time against sigma", "Time against pixels", "Time against radius and reduction"] {
            #expect(reader.texts.contains(title))
        }
        // The first panel has a dot for each of 2 sizes with 2 sigmas. There is no dot for sigma 0, because the axis is
        // logarithmic. The other panels have at least four dots each, and each entry of a legend has a dot.
        #expect(reader.elements.count { $0 == "circle" } >= 4 + 4 + 4)
    }

    @Test func namesThatXMLWouldMisreadArriveAsTheyAre() throws {
        let name = "<GPU> & \"friends\" \u{1}"
        let plot = BenchPlot(
            matrix: [try Self.measurement(device: name)], sizes: [try Self.measurement()],
            reduced: [(factor: 1, sigma: 8, measurement: try Self.measurement(device: name))],
            picture: "a&b.png")
        let reader = Reader(plot.document)
        #expect(reader.isWellFormed)
        #expect(reader.texts.contains("64x48 on gpu (<GPU> & \"friends\" ?)"))
    }

    @Test func aPlotOfNothingIsWellFormed() throws {
        let zero = try Self.measurement(sigma: 0)
        for matrix in [[], [zero]] {
            #expect(Reader(BenchPlot(matrix: matrix, sizes: [], reduced: [], picture: "").document).isWellFormed)
        }
    }

    @Test(arguments: [[1.0], [0.1, 100], [0.7, 400], [2.7e-5, 3.1e-5], [9.99, 10.01], [123456, 7]])
    func anAxisHoldsItsValuesBetweenRoundEnds(_ values: [Double]) {
        let axis = LogAxis(values)
        for value in values {
            // Because of the rounding errors of powers of ten, the positions may lie slightly outside 0...1.
            #expect((-1e-6...1 + 1e-6).contains(axis.position(value)))
        }
        #expect(axis.ticks.count >= 2)
        #expect(axis.position(axis.ticks[0]) == 0 && axis.position(axis.ticks[axis.ticks.count - 1]) == 1)
        #expect(zip(axis.ticks, axis.ticks.dropFirst()).allSatisfy { $0 < $1 })
        // Each label states the tick's value without trailing zeros.
        for tick in axis.ticks {
            let label = LogAxis.label(tick)
            #expect(abs((Double(label) ?? 0) / tick - 1) < 1e-9)
            #expect(!label.contains(".") || !label.hasSuffix("0"))
        }
    }

    // MARK: - Pictures

    @Test func aFileIsRepeatedInMirrorImagesAndCut() throws {
        let layout = try PixelLayout(width: 3, height: 1, format: PixelFormat(.grey))
        let picture = BenchPicture.file(try PixelBuffer(layout: layout, bytes: [10, 20, 30]))
        func row(_ width: Int, _ height: Int) throws -> [UInt8] {
            try picture.pixels(PictureSize(width: width, height: height), .grey8).bytes
        }
        #expect(try row(3, 1) == [10, 20, 30])
        #expect(try row(2, 1) == [10, 20])
        #expect(try row(8, 1) == [10, 20, 30, 30, 20, 10, 10, 20])
        #expect(try row(1, 3) == [10, 10, 10])
    }

    @Test func opaqueFormatsAreOpaqueAndTheSyntheticPictureIsAlwaysTheSame() throws {
        let size = PictureSize(width: 31, height: 22)
        let first = try BenchPicture.synthetic.pixels(size, .rgba8)
        #expect(try BenchPicture.synthetic.pixels(size, .rgba8) == first)
        #expect(stride(from: 3, to: first.bytes.count, by: 4).allSatisfy { first.bytes[$0] == 255 })
        // `softAlpha` contains transparent, opaque and translucent pixels.
        let soft = try BenchPicture.synthetic.pixels(size, .softAlpha)
        let alphas = stride(from: 3, to: soft.bytes.count, by: 4).map { soft.bytes[$0] }
        #expect(alphas.contains(0) && alphas.contains(255) && Set(alphas).count > 16)
    }
}

/// Collects the elements and texts that an XML parser finds.
private final class Reader: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var texts: [String] = []
    private(set) var isWellFormed = false
    private var text = ""

    init(_ document: String) {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(elementName)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        texts.append(text)
        text = ""
    }
}
