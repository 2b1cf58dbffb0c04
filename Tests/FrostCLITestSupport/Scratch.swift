package import Foundation
package import FrostCore
package import FrostImages
import FrostTestSupport
package import Testing

/// The `frost` program under test.
package enum Program {
    /// The path of the program: FROST_BINARY if it is set, otherwise the `frost` executable in the folder of the test
    /// executable.
    package static let path: String = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["FROST_BINARY"], !path.isEmpty { return path }
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("frost").path
    }()
}

/// What a program's run has given: its exit code or signal, its standard output and its standard error.
package struct Outcome {
    /// The exit code; nil if a signal ended the program.
    package let code: Int32?
    package let signal: Int32?
    package let output: Data
    package let errors: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    /// The output as one paragraph: each run of spaces and line breaks becomes one space.
    package var paragraph: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }
    package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// The output parsed as JSON, one object per line.
    package var objects: [[String: Any]] {
        get throws {
            try lines.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
            }
        }
    }
}

/// A temporary folder in which a test runs programs. It is removed with its contents when the object is deallocated.
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

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

    package func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Returns the sorted names of all files in the folder, hidden files included.
    package func entries(_ folder: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
    }

    package func image(_ name: String) throws -> PixelBuffer { try PNG.read(path: file(name)).pixels }

    /// Writes a PNG file of noise and returns its pixels.
    @discardableResult
    package func picture(
        _ name: String, _ width: Int = 24, _ height: Int = 18, _ format: PixelFormat = PixelFormat(.rgb),
        seed: UInt64 = 1, metadata: ImageMetadata = ImageMetadata()
    ) throws -> PixelBuffer {
        let pixels = try noise(width, height, format, seed: seed)
        try PNG.write(DecodedImage(pixels: pixels, metadata: metadata), path: file(name))
        return pixels
    }

    /// Runs frost in the folder and waits until it ends.
    package func frost(
        _ arguments: String..., input: String = "/dev/null", environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(Program.path, arguments, input: input, environment: environment)
    }

    /// Runs a shell command line in the folder. $FROST in the command line is the path of the program.
    package func shell(_ line: String) throws -> Outcome { try run("/bin/sh", ["-c", line]) }

    /// Runs a program in the folder and waits until it ends.
    package func run(
        _ program: String, _ arguments: [String], input: String = "/dev/null", environment: [String: String] = [:]
    ) throws -> Outcome {
        try start(program, arguments, input: input, environment: environment).wait()
    }

    /// Starts a program in the folder. Its output goes to files, because a pipe can fill up and block the program.
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
        // The threads that run tests block signals, and child processes inherit the signal mask. An empty mask unblocks
        // them. Three signals get their default actions: nohup ignores SIGHUP, and shells ignore the others for programs in the
        // background.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var ignored = sigset_t()
        unsafe sigemptyset(&ignored)
        for signal in [SIGHUP, SIGINT, SIGQUIT] { unsafe sigaddset(&ignored, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var variables = ProcessInfo.processInfo.environment
        variables["FROST"] = Program.path
        // A crash fails the test anyway, and printing a backtrace takes seconds.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        variables.merge(environment) { $1 }
        // posix_spawn has no portable way to set the working folder, so a shell changes the folder and then execs the
        // program.
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

    /// Calls `body` with a null-terminated C array of C strings.
    private func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) throws -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return try unsafe body(copies)
    }
}

/// A running program.
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

/// Returns an image of noise in every channel, alpha included. The same seed gives the same image in every run.
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

/// Decides whether the tests that need a GPU run. They run if `frost devices` lists a usable EGL device. With
/// FROST_REQUIRE_GPU=1 they always run, so that they fail if the machine has no GPU.
package enum TestGPU {
    package static let isWanted: Bool = {
        if GPURequirement.isForced { return true }
        return (try? Scratch().frost("devices", "--json").text.contains("\"usable\"")) ?? false
    }()
}

extension Outcome {
    /// Expects the program to fail with the exit code, without output, and with exactly one line on standard error. The line
    /// begins with "frost: " and contains every string of `evidence`.
    package func expectError(_ code: Int32, _ evidence: String..., location: SourceLocation = #_sourceLocation) {
        #expect(self.code == code, "\(errors)", sourceLocation: location)
        #expect(errorLines.count == 1, "\(errors)", sourceLocation: location)
        #expect(errors.hasPrefix("frost: "), "\(errors)", sourceLocation: location)
        for part in evidence { #expect(errors.contains(part), "\(errors)", sourceLocation: location) }
        #expect(output.isEmpty, sourceLocation: location)
    }
}
