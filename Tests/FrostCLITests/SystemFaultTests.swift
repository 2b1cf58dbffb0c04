import FrostCLITestSupport
import FrostTestSupport
import Testing

/// Runs the command while the system refuses threads or memory. The faults are made by Tests/fault-shim, which the tools
/// build and name in FROST_FAULT_SHIM.
@Suite(.enabled(if: environment("FROST_FAULT_SHIM") != nil, "Tools/test builds the shim"))
struct SystemFaultTests {
    /// What the system refuses.
    enum Kind: String {
        case threads, library, program
    }

    /// The calls that fail.
    enum Failure: CustomStringConvertible {
        case none
        case call(Int)
        case callsFrom(Int)

        var description: String {
            switch self {
            case .none: "no call"
            case .call(let number): "call \(number)"
            case .callsFrom(let number): "calls from \(number)"
            }
        }
    }

    /// Runs the command. After 60 seconds the run ends with code 124.
    private static func run(
        _ scratch: Scratch, _ arguments: [String], _ kind: Kind, _ failure: Failure, _ others: [String: String] = [:]
    ) throws -> Outcome {
        var variables = others
        variables["LD_PRELOAD"] = environment("FROST_FAULT_SHIM") ?? ""
        variables["FAULT_KIND"] = kind.rawValue
        switch failure {
        case .none: variables["FAULT_COUNT"] = scratch.file("count")
        case .call(let number): variables["FAULT_AT"] = "\(number)"
        case .callsFrom(let number): variables["FAULT_FROM"] = "\(number)"
        }
        // `timeout` runs without the shim.
        let words = variables.map { "\($0)=\($1)" }
        return try scratch.run(
            "/usr/bin/timeout", ["-k", "1", "60", "/usr/bin/env"] + words + [Program.path] + arguments)
    }

    /// Returns the number of calls that can fail.
    private static func count(
        _ scratch: Scratch, _ arguments: [String], _ kind: Kind, _ others: [String: String] = [:]
    ) throws -> Int {
        let outcome = try run(scratch, arguments, kind, .none, others)
        try #require(outcome.code == 0, "\(outcome.errors)")
        let text = String(decoding: try scratch.bytes("count"), as: UTF8.self)
        _ = try scratch.run("/bin/rm", ["count"])
        return try #require(Int(text))
    }

    /// A command that uses threads, and its output.
    struct Work: CustomStringConvertible {
        let arguments: [String]
        let outputs: [String]
        var description: String { arguments.joined(separator: " ") }
    }

    static let works = [
        Work(arguments: ["blur", "a.png", "-o", "out.png", "--sigma", "8", "--threads", "4"], outputs: ["out.png"]),
        Work(
            arguments: ["blur", "a.png", "b.png", "-o", "out/", "--sigma", "3", "--jobs", "2", "--threads", "4"],
            outputs: ["out/a.png", "out/b.png"]),
        Work(
            arguments: ["blur", "a.png", "-o", "out.png", "--sigma", "8", "--backend", "exact"], outputs: ["out.png"]),
        Work(
            arguments: ["transition", "a.png", "b.png", "-o", "out.webp", "--effect", "dissolve", "--duration", "0.2"],
            outputs: ["out.webp"]),
        Work(
            arguments: ["transition", "a.png", "b.png", "-o", "out.apng", "--effect", "dissolve", "--duration", "0.2"],
            outputs: ["out.apng"]),
        Work(arguments: ["blur", "in.y4m", "-o", "out.y4m", "--sigma", "3", "--threads", "4"], outputs: ["out.y4m"]),
    ]

    @Test("if the system refuses threads, the results are the same", arguments: works)
    func threads(_ work: Work) throws {
        let scratch = try Scratch()
        // The picture has more rows than one block of the reader.
        try scratch.picture("a.png", 160, 900, seed: 1)
        try scratch.picture("b.png", 160, 900, seed: 2)
        let film = try scratch.frost(
            "transition", "a.png", "b.png", "-o", "in.y4m", "--effect", "dissolve", "--duration", "0.3")
        try #require(film.code == 0, "\(film.errors)")
        let arguments = work.arguments + ["--force"]
        let count = try Self.count(scratch, arguments, .threads)
        #expect(count > 0)
        let right = try work.outputs.map { try scratch.bytes($0) }
        for number in 0..<count {
            for failure in [Failure.call(number), .callsFrom(number)] {
                let outcome = try Self.run(scratch, arguments, .threads, failure)
                #expect(outcome.code == 0, "\(failure): \(outcome.errors)")
                #expect(try work.outputs.map { try scratch.bytes($0) } == right, "\(failure)")
            }
        }
    }

    @Test(
        "a GPU whose thread cannot be made is an error, or is replaced by the CPU",
        .enabled(if: TestGPU.isWanted, "no EGL device"))
    func gpuThread() throws {
        let scratch = try Scratch()
        try scratch.picture("a.png")
        let arguments = ["blur", "a.png", "-o", "out.png", "--sigma", "8", "--backend"]
        let failed = try Self.run(scratch, arguments + ["gpu"], .threads, .callsFrom(0))
        failed.expectError(5, "cannot create a thread")
        #expect(try scratch.entries() == ["a.png"])
        #expect(try Self.run(scratch, arguments + ["auto"], .threads, .callsFrom(0)).code == 0)
    }

    /// With two threads of its own, llvmpipe waits for ever in glDrawArrays if the system refuses one of them. The timeout
    /// of the GPU then ends the command.
    @Test(
        "if the system refuses threads to a GPU's driver, the picture is right, or there is an error and no file",
        .enabled(if: TestGPU.isWanted, "no EGL device"))
    func driverThreads() throws {
        let scratch = try Scratch()
        try scratch.picture("a.png")
        let arguments = ["blur", "a.png", "-o", "out.png", "--sigma", "8", "--backend", "gpu", "--force"]
        let variables = ["LP_NUM_THREADS": "2", "FROST_GPU_TIMEOUT": "1"]
        let count = try Self.count(scratch, arguments, .threads, variables.merging(["FROST_GPU_TIMEOUT": "30"]) { $1 })
        let right = try scratch.bytes("out.png")
        for number in TestCases.every ? Array(0..<count) : [2] {
            for failure in TestCases.every ? [Failure.call(number), .callsFrom(number)] : [.call(number)] {
                _ = try scratch.run("/bin/rm", ["-f", "out.png"])
                let outcome = try Self.run(scratch, arguments, .threads, failure, variables)
                if outcome.code == 0 {
                    #expect(try scratch.bytes("out.png") == right, "\(failure)")
                } else {
                    outcome.expectError(5)
                    #expect(try scratch.entries() == ["a.png"], "\(failure)")
                }
                if TestCases.every {
                    print("driver threads, \(failure) of \(count): exit \(outcome.code ?? -1) \(outcome.errors)")
                }
            }
        }
    }

    /// The calls to let fail: all, or a sample that is the same in every run.
    private static func sample(_ count: Int) -> [Int] {
        if TestCases.every { return Array(0..<count) }
        let step = max(1, count / 8) | 1
        return Array(stride(from: step / 2, to: count, by: step))
    }

    private static let formats = ["png", "jpg", "qoi", "ppm", "pam", "pfm", "webp", "tiff", "avif", "jxl"]

    /// Whether the format's library survives every lack of memory. libtiff 4.5.0, libjxl 0.7, the libraries of AVIF and
    /// the lossless encoder of libwebp 1.2.4 do not check all of their allocations, so they crash after some failures.
    private static func isReliable(_ format: String, lossless: Bool) -> Bool {
        !["tiff", "avif", "jxl"].contains(format) && !lossless
    }

    @Test(
        "if an allocation of a library fails, the result is right, or there is an error and no file", arguments: formats
    )
    func library(_ format: String) throws {
        try memory(format, .library)
    }

    /// The number of allocations of the program before its first line, in Swift's runtime.
    private static let allocationsBeforeMain = 64

    // Swift cannot report that an allocation has failed, so the program ends with an error.
    @Test("if an allocation of the program fails, there is an error, and no incomplete file stays", arguments: formats)
    func program(_ format: String) throws {
        try memory(format, .program)
    }

    @Test(
        "if an allocation fails while a lossless WebP is written, the result is right, or there is an error and no file"
    )
    func lossless() throws { try memory("webp", .library, lossless: true) }

    private func memory(_ format: String, _ kind: Kind, lossless: Bool = false) throws {
        let scratch = try Scratch()
        let (input, output) = ("in.\(format)", "out.\(format)")
        try scratch.picture("a.png", 60, 40)
        let made = try scratch.frost("blur", "a.png", "-o", input, "--sigma", "1")
        try #require(made.code == 0, "\(made.errors)")
        let arguments =
            ["blur", input, "-o", output, "--sigma", "8", "--threads", "2", "--backend", "cpu", "--force"]
            + (lossless ? ["--lossless"] : [])
        let count = try Self.count(scratch, arguments, kind)
        #expect(count > 0)
        let right = try scratch.bytes(output)
        let others = try scratch.entries().filter { $0 != output }
        var outcomes: [String: Int] = [:]
        // libwebp enlarges the memory of a lossless file at the end.
        let numbers = lossless && !TestCases.every ? Array(max(0, count - 4)..<count) : Self.sample(count)
        for number in numbers {
            _ = try scratch.run("/bin/rm", ["-f", output])
            let outcome = try Self.run(scratch, arguments, kind, .call(number))
            let fault = """
                \(format), \(kind) call \(number) of \(count), exit \(outcome.code ?? -1), \(try scratch.entries()): \
                \(outcome.errors)
                """
            #expect(outcome.code != 124, "\(fault): it hangs")
            let hasOutput = scratch.exists(output)
            // `timeout` reports a signal as 128 and its number.
            let hasCrashed = outcome.code == nil || outcome.code.map { $0 > 128 } == true
            // If a library has destroyed the memory that the process needs to clean up, the next run does.
            if hasCrashed, kind == .library, !hasOutput, try scratch.entries() != others {
                #expect(try scratch.run(Program.path, arguments).code == 0)
                #expect(try scratch.entries() == (others + [output]).sorted(), "\(fault)")
                outcomes["signal, with a temporary file", default: 0] += 1
                continue
            }
            #expect(try scratch.entries() == (hasOutput ? others + [output] : others).sorted(), "\(fault)")
            if hasOutput { #expect(try scratch.bytes(output) == right, "\(fault)") }
            if kind == .library, Self.isReliable(format, lossless: lossless) { #expect(!hasCrashed, "\(fault)") }
            // At the end of the program, the file is complete already.
            let isLate = kind == .program && outcome.code == 4
            if kind == .program { #expect(!hasCrashed || number < Self.allocationsBeforeMain, "\(fault)") }
            if !hasCrashed {
                #expect((outcome.code == 0) == hasOutput || isLate && hasOutput, "\(fault)")
                #expect(outcome.code == 0 || outcome.errors.hasPrefix("frost: "), "\(fault)")
            }
            outcomes[hasCrashed ? "signal" : outcome.code == 0 ? "right" : "error", default: 0] += 1
        }
        if TestCases.every {
            print(format, lossless ? "lossless" : "", kind.rawValue, count, outcomes.sorted { $0.key < $1.key })
        }
    }
}
