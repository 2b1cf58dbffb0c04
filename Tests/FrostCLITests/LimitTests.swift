import Foundation
import FrostCLITestSupport
import FrostCore
import FrostImages
import Testing

/// Tests the limits on memory and time of the program. A picture over a limit gives exit code 4 and one line, and
/// leaves no file.
@Suite struct LimitTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Writes a picture of noise in a format that Frost decodes as a whole.
    private func picture(_ name: String, _ width: Int, _ height: Int, progressive: Bool = false) throws {
        let image = DecodedImage(pixels: try noise(width, height))
        var options = ImageWriteOptions()
        options.jpeg = JPEGWriteOptions(isProgressive: progressive)
        try ImageFile.write(image, path: scratch.file(name), options: options)
    }

    private func blur(_ input: String, _ words: String..., environment: [String: String] = [:]) throws -> Outcome {
        try scratch.run(
            Program.path, ["blur", input, "-o", "out.png", "--sigma", "2"] + words, environment: environment)
    }

    @Test("--max-memory and FROST_MAX_MEMORY refuse a picture with both figures, and leave nothing")
    func maxMemory() throws {
        try picture("in.webp", 2000, 1000)
        let before = try scratch.entries()
        try blur("in.webp", "--max-memory", "4M").expectError(
            4, "in.webp: not enough memory: needs ", " MiB, 4 MiB are available")
        try blur("in.webp", environment: ["FROST_MAX_MEMORY": "5MiB"]).expectError(4, "5 MiB are available")
        #expect(try scratch.entries() == before)
        #expect(try blur("in.webp", "--max-memory", "64m").code == 0)
        // A picture that is decoded row by row needs less than its pixels.
        try picture("in.png", 2600, 2600)
        #expect(try blur("in.png", "--max-memory", "16M", "--threads", "1").code == 0)
        // An effect that needs the whole picture does not.
        try blur("in.png", "--max-memory", "16M", "--rect", "0,0,9,9").expectError(4, "16 MiB are available")
    }

    @Test("The memory is judged by the header before anything is allocated, at the largest limits too")
    func hugeHeaders() throws {
        let largest = [
            "--max-side", "1073741824", "--max-pixels", "1099511627776", "--max-pixels-per-byte", "1099511627776",
        ]
        for size in ["4 500000000", "500000000 4", "1000000000 1000", "1048576 1048576"] {
            try scratch.write(Array("P5 \(size) 255\n".utf8) + [UInt8](repeating: 7, count: 100), "in.pgm")
            for more in [[], ["--rect", "0,0,9,9"], ["--backend", "exact"]] {
                let words = [
                    "blur", "in.pgm", "-o", "out.png", "--sigma", "2", "--fail-on", "none", "--max-memory", "256M",
                ]
                let outcome = try scratch.run(Program.path, words + largest + more)
                outcome.expectError(4, "in.pgm: not enough memory: needs ", " MiB, 256 MiB are available")
            }
        }
    }

    @Test("A refused picture does not touch the output, and an encoder's memory counts")
    func encoders() throws {
        try picture("in.png", 1500, 1000)
        try scratch.write([1, 2, 3], "out.webp")
        let words = ["blur", "in.png", "-o", "out.webp", "--sigma", "2", "--max-memory", "12M", "--lossless"]
        try scratch.run(Program.path, words).expectError(4, "12 MiB are available")
        #expect(try scratch.bytes("out.webp") == [1, 2, 3])
        #expect(try scratch.entries() == ["in.png", "out.webp"])
    }

    @Test("An output that must be held in memory counts as it grows")
    func heldOutput() throws {
        try picture("in.png", 1400, 1400)
        try scratch.shell("\"$FROST\" blur in.png -o - --sigma 0 --max-memory 14M --threads 1 > all.png").expectError(
            4, "14 MiB are available")
        #expect(try scratch.bytes("all.png").isEmpty)
        #expect(
            try scratch.shell("\"$FROST\" blur in.png -o - --sigma 0 --max-memory 60M --threads 1 > all.png").code == 0)
    }

    @Test("In a batch the pictures share the memory, and one that is too large fails alone")
    func batch() throws {
        try scratch.folder("in")
        try picture("in/0.webp", 1000, 1000)
        let bytes = try scratch.bytes("in/0.webp")
        for i in 1..<6 { try scratch.write(bytes, "in/\(i).webp") }
        try picture("in/large.webp", 2400, 2400)
        let words = [
            "blur", "-r", "in", "-o", "out/", "--sigma", "2", "--format", "png", "--jobs", "4", "--threads", "4",
        ]
        let outcome = try scratch.run(Program.path, words + ["--max-memory", "24M"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("large.webp: not enough memory"))
        #expect(try scratch.entries("out").count == 6)
        #expect(try scratch.run(Program.path, words + ["--max-memory", "64M", "--force"]).code == 0)
        #expect(try scratch.entries("out").count == 7)
    }

    /// The sizes and the limits are chosen so that some of the pictures fit.
    @Test("Under ulimit -v the result is a picture or exit code 4, never a crash")
    func addressSpace() throws {
        var codes: [Int32] = []
        for side in [100, 1200, 2400] {
            for (name, isProgressive) in [("in.webp", false), ("in.jpg", true)] {
                try picture(name, side, side / 2, progressive: isProgressive)
                let before = try scratch.entries()
                for kibibytes in [60_000, 75_000, 100_000] {
                    let outcome = try scratch.shell(
                        "ulimit -v \(kibibytes); exec \"$FROST\" blur \(name) -o out.png --sigma 2 --quiet")
                    let code = try #require(
                        outcome.code, "signal \(outcome.signal ?? 0), side \(side): \(outcome.errors)")
                    codes.append(code)
                    if code == 0 {
                        try scratch.remove("out.png")
                    } else {
                        outcome.expectError(4, "\(name): not enough memory: needs ", "are available")
                    }
                    #expect(try scratch.entries() == before)
                }
            }
        }
        #expect(Set(codes) == [0, 4])
    }

    @Test("--max-time stops the work, and waiting for a pipe does not count")
    func maxTime() throws {
        try picture("in.png", 1500, 1500)
        let before = try scratch.entries()
        try blur("in.png", "--max-time", "0.001").expectError(4, "in.png: took longer than the limit of 0.001 s")
        try blur("in.png", "--rect", "0,0,9,9", environment: ["FROST_MAX_TIME": "0.001"]).expectError(4, "0.001 s")
        // The exact backend would take much longer than the limit, but its work is cancelled.
        let words = ["blur", "in.png", "-o", "out.png", "--sigma", "300", "--backend", "exact", "--max-time", "1"]
        try scratch.run(Program.path, words).expectError(4, "limit of 1 s")
        #expect(try scratch.entries() == before)
        try picture("small.png", 20, 20)
        let line = "{ sleep 3; cat small.png; } | \"$FROST\" blur - -o out.png --sigma 1 --max-time 2.5"
        #expect(try scratch.shell(line).code == 0)
    }

    @Test("A sparse picture is refused at once, unless --max-pixels-per-byte allows it")
    func sparse() throws {
        var file = Array("qoif".utf8)
        for side in [9000, 9000] { file += [0, 0, UInt8(side >> 8), UInt8(side & 255)] }
        try scratch.write(file + [3, 0], "in.qoi")
        let evidence = "9000x9000 pixels are implausible in a file of 14 bytes"
        try scratch.shell("cat in.qoi | \"$FROST\" blur - -o out.png --sigma 2").expectError(4, evidence)
        // With the limit lifted, the file turns out to be truncated.
        try scratch.shell("cat in.qoi | \"$FROST\" blur - -o out.png --sigma 2 --max-pixels-per-byte 10000000")
            .expectError(3, "the file ends early")
        #expect(try scratch.entries() == ["in.qoi"])
    }

    @Test(
        "Sizes and times are checked",
        arguments: [
            ("--max-memory", "many"), ("--max-memory", "1X"), ("--max-memory", "100K"), ("--max-memory", "-1G"),
            ("--max-memory", "99999999999G"), ("--max-time", "0"), ("--max-time", "soon"),
            ("--max-pixels-per-byte", "1"),
        ])
    func usage(_ option: String, _ value: String) throws {
        try blur("in.png", option, value).expectError(2, "\(option) \(value)", "allowed: ")
    }
}
