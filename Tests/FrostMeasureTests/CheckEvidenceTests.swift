import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

@testable import FrostCLI
@testable import FrostMeasure

/// Tests the data that `frost check --report` shows on its page.
@Suite struct CheckEvidenceTests {
    private func grey(_ width: Int, _ height: Int, _ values: [Int: UInt8] = [:]) throws -> SampleRows {
        var bytes = [UInt8](repeating: 100, count: width * height)
        for (index, value) in values { bytes[index] = value }
        let layout = try PixelLayout(width: width, height: height, format: PixelFormat(.grey))
        return SampleRows(try PixelBuffer(layout: layout, bytes: bytes))
    }

    /// The histogram counts every error exactly once. An error of 0 is counted in the middle bin, and an error that equals
    /// the bound is counted in the outermost bin. Larger errors are counted as above or below.
    @Test func histogram() {
        var histogram = ErrorHistogram(range: 1)
        for error in [0, 1, -1, 1.001, -1.001, .infinity, .nan] { histogram.add(error) }
        #expect(histogram.counts[ErrorHistogram.bins / 2] == 1)
        #expect(histogram.counts.first == 1 && histogram.counts.last == 1)
        #expect(histogram.above == 2 && histogram.below == 2)
        #expect(histogram.total == 7)
        #expect(histogram.bounds(0).lowerBound == -1)
        #expect(abs(histogram.bounds(ErrorHistogram.bins - 1).upperBound - 1) < 1e-12)
    }

    /// If only one sample differs, the difference stays visible in the reduced picture. It is white if it equals the bound,
    /// and red if it exceeds the bound.
    @Test(arguments: [(1, [255, 255, 255]), (2, [255, 64, 64])]) func survey(error: Int, color: [UInt8]) throws {
        let (width, height) = (700, 11)
        let survey = try ErrorSurvey(
            try grey(width, height, [8 * width + 650: UInt8(100 + error)]), try grey(width, height), bound: 1, side: 320
        )
        #expect(survey.blockSide == 3 && survey.factor == 255)
        let picture = survey.picture
        #expect(picture.width == 234 && picture.height == 4)
        let lit = (0..<picture.width * picture.height).filter { picture.bytes[3 * $0] != 0 }
        #expect(lit == [8 / 3 * picture.width + 650 / 3])
        #expect(Array(picture.bytes[3 * lit[0]..<3 * lit[0] + 3]) == color)
        #expect(survey.histogram.total == width * height)
        #expect(survey.histogram.counts.last == (error == 1 ? 1 : 0) && survey.histogram.above == (error == 1 ? 0 : 1))
    }

    /// The window lies within the picture. It contains the given place, in its centre if possible.
    @Test(arguments: [0, 5, 159, 160, 161, 500, 839, 999]) func window(place: Int) {
        let window = CheckEvidence.window(width: 1000, height: 7, around: (place, 3))
        #expect(window.height == 7 && window.y == 0)
        #expect(window.width == CheckEvidence.side && window.columns.contains(place))
        #expect(window.x >= 0 && window.columns.upperBound <= 1000)
        if (160...839).contains(place) { #expect(place - window.x == 160) }
    }

    /// Large pictures are cropped and not scaled down, so the data for the page stays small.
    @Test(arguments: [(9, 5), (320, 320), (321, 4), (900, 700)]) func pictures(width: Int, height: Int) throws {
        let source = try noise(width, height, PixelFormat(.rgba))
        let rows = SampleRows(source)
        let evidence = try CheckEvidence(
            source: source, growth: (0, 0), images: [("exact", rows)], worst: nil,
            surveys: [try ErrorSurvey(rows, rows, bound: 1, side: CheckEvidence.side)])
        #expect((evidence.map != nil) == (width > 320 || height > 320))
        for picture in evidence.pictures + evidence.pairs.map(\.difference) {
            #expect(picture.width <= CheckEvidence.side && picture.height <= CheckEvidence.side)
        }
        #expect(evidence.pictures.map(\.name) == ["source", "exact"])
        #expect(evidence.pictures[0].url == evidence.pictures[1].url)
        #expect(evidence.byteCount < 2 << 20)
    }

    /// If the result is larger than its source, the source is shown where it lies in the result, surrounded by an empty
    /// border.
    @Test func growth() throws {
        let source = try noise(20, 10, PixelFormat(.rgb))
        let larger = try noise(26, 14, PixelFormat(.rgba))
        let evidence = try CheckEvidence(
            source: source, growth: (3, 2), images: [("exact", SampleRows(larger))], worst: nil, surveys: [])
        #expect(evidence.pictures.allSatisfy { $0.width == 26 && $0.height == 14 })
    }

    /// If the data exceeds the page's limit, some results lose their pictures. Results whose errors are farthest below the
    /// bound lose them first. Among results with equal errors, later results lose them before earlier ones.
    @Test func room() throws {
        let source = try noise(320, 320)
        let rows = SampleRows(source)
        let evidence = try CheckEvidence(
            source: source, growth: (0, 0), images: [("exact", rows), ("cpu", rows)], worst: nil, surveys: [])
        let fitting = CheckLog.room / evidence.byteCount
        // The errors are 0, 3, 2 and 1 steps in turn.
        let errors = (0..<2 * fitting).map { $0 * 7 % 4 }
        var log = CheckLog()
        for error in errors {
            var result = CheckResult(input: "a", subject: "b", bound: 2, evidence: evidence)
            let comparison = try Comparison(try grey(1, 1, [0: UInt8(100 + error)]), try grey(1, 1))
            result.pairs = [CheckResult.Pair(a: "cpu", b: "exact", comparison: comparison, seconds: 0)]
            log.add(.checked(result))
        }
        let kept = log.results.map { $0.evidence != nil }
        #expect(kept.count { $0 } == fitting)
        let order = errors.indices.sorted { (-errors[$0], $0) < (-errors[$1], $1) }
        for (rank, index) in order.enumerated() { #expect(kept[index] == (rank < fitting), "\(rank)") }
    }

    /// The examples come from RFC 4648.
    @Test func base64() {
        for (text, expected) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] { #expect(Base64.text(Array(text.utf8)) == expected) }
        #expect(Base64.text([0xFB, 0xFF, 0xBF]) == "+/+/")
    }

    /// The document stays well formed, whatever characters the names contain.
    @Test func markup() {
        #expect(
            Markup.escaped("<a href=\"x\" b='y'>&\u{0}\u{1B}\n\u{FFFF}")
                == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;????")
        #expect(Markup.escaped("naïve 東京 🙂") == "naïve 東京 🙂")
    }
}
