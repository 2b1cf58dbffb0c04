package import Foundation
package import FrostCore
package import FrostImages
import FrostTestSupport
package import Testing

/// The program that users run.
package enum Program {
    /// FROST_BINARY, or the product beside the tests.
    package static let path: String = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["FROST_BINARY"], !path.isEmpty { return path }
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("frost").path
    }()
}

/// How a program ended, and what it said.
package struct Outcome {
    /// The exit code; nil if a signal ended it.
    package let code: Int32?
    package let signal: Int32?
    package let output: Data
    package let errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    /// The output as one paragraph: with a space for each run of spaces and line breaks.
    package var paragraph: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }
    package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// Every line of the output as a JSON object.
    package var objects: [[String: Any]] {
        get throws {
            try lines.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
            }
        }
    }
}

/// A folder of its own for a test, in which programs run, removed with everything in it.
package final class Scratch {
    package let path: String

    package init() throws {
        path = "/tmp/frost-cli-\(getpid())-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }

    package func folder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    }

    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    package func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    package func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    /// The names of everything in the folder, hidden files included.
    package func entries(_ folder: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
    }

    package func image(_ name: String) throws -> PixelBuffer { try PNG.read(path: file(name)).pixels }

    /// Makes a picture.
    @discardableResult
    package func picture(
        _ name: String, _ width: Int = 24, _ height: Int = 18, _ format: PixelFormat = PixelFormat(.rgb),
        seed: UInt64 = 1, metadata: ImageMetadata = ImageMetadata()
    ) throws -> PixelBuffer {
        let pixels = try noise(width, height, format, seed: seed)
        try PNG.write(DecodedImage(pixels: pixels, metadata: metadata), path: file(name))
        return pixels
    }

    /// Runs frost in the folder.
    package func frost(
        _ arguments: String..., input: String = "/dev/null", environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(Program.path, arguments, input: input, environment: environment)
    }

    /// Runs a line of the shell, in which $FROST is the program.
    package func shell(_ line: String) throws -> Outcome { try run("/bin/sh", ["-c", line]) }

    /// Runs a program to its end.
    package func run(
        _ program: String, _ arguments: [String], input: String = "/dev/null", environment: [String: String] = [:]
    ) throws -> Outcome {
        try start(program, arguments, input: input, environment: environment).wait()
    }

    /// Starts a program. Its output goes to files, which never fill up as pipes do.
    package func start(
        _ program: String, _ arguments: [String], input: String = "/dev/null", environment: [String: String] = [:]
    ) throws -> Child {
        let id = UInt64.random(in: .min ... .max)
        let (output, errors) = ("\(path).\(id).out", "\(path).\(id).err")
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // The threads that tests run on block signals, and programs inherit that.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var variables = ProcessInfo.processInfo.environment
        variables["FROST"] = Program.path
        // A crash is a failure by itself; a backtrace of it takes seconds.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        variables.merge(environment) { $1 }
        // The shell only changes the folder, which posix_spawn has no portable way to, and becomes the program.
        var pid: pid_t = 0
        let error = try unsafe withStrings(["sh", "-c", "cd \"$0\" && exec \"$@\"", path, program] + arguments) {
            words in
            try unsafe withStrings(variables.map { "\($0)=\($1)" }) { variables in
                unsafe posix_spawn(&pid, "/bin/sh", &actions, &attributes, words, variables)
            }
        }
        try #require(error == 0, "\(program) cannot be started: \(error)")
        return Child(pid: pid, output: output, errors: errors)
    }

    /// A C array of C strings.
    private func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) throws -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return try unsafe body(copies)
    }
}

/// A program that runs.
package struct Child {
    package let pid: pid_t
    fileprivate let output: String
    fileprivate let errors: String

    package func kill(_ signal: Int32) { _ = Foundation.kill(pid, signal) }

    package func wait() throws -> Outcome {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        defer {
            unsafe unlink(output)
            unsafe unlink(errors)
        }
        let signal = status & 0x7F
        return Outcome(
            code: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal,
            output: try Data(contentsOf: URL(fileURLWithPath: output)),
            errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self))
    }
}

/// Noise in every sample, alpha included, alike in every run.
package func noise(_ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.rgb), seed: UInt64 = 1) throws
    -> PixelBuffer
{
    var state = seed
    let layout = try PixelLayout(width: width, height: height, format: format)
    let bytes = (0..<layout.byteCount).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
    }
    return try PixelBuffer(layout: layout, bytes: bytes)
}

package func crop(_ image: PixelBuffer, _ rect: Rect) throws -> PixelBuffer {
    let size = image.format.bytesPerPixel
    let bytes = rect.rows.flatMap { y in
        let row = y * image.layout.bytesPerRow
        return image.bytes[row + rect.x * size..<row + (rect.x + rect.width) * size]
    }
    let layout = try PixelLayout(width: rect.width, height: rect.height, format: image.format)
    return try PixelBuffer(layout: layout, bytes: bytes)
}

/// Whether there is an EGL device; with FROST_REQUIRE_GPU=1 it has to be.
package enum TestGPU {
    package static let isWanted: Bool = {
        if GPURequirement.isForced { return true }
        return (try? Scratch().frost("devices", "--json").text.contains("\"usable\"")) ?? false
    }()
}

extension Outcome {
    /// An error, and nothing but: the code, one line that begins with the program's name and contains the evidence,
    /// and no output.
    package func expectError(_ code: Int32, _ evidence: String..., location: SourceLocation = #_sourceLocation) {
        #expect(self.code == code, "\(errors)", sourceLocation: location)
        #expect(errorLines.count == 1, "\(errors)", sourceLocation: location)
        #expect(errors.hasPrefix("frost: "), "\(errors)", sourceLocation: location)
        for part in evidence { #expect(errors.contains(part), "\(errors)", sourceLocation: location) }
        #expect(output.isEmpty, sourceLocation: location)
    }
}
