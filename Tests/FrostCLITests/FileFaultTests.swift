import CFiles
import Foundation
import FrostCLITestSupport
import FrostCore
import FrostTestSupport
import Glibc
import Testing

/// The library that makes calls for files fail; see Tests/faulty-files. Tools/test builds it.
private let faultyFiles = ProcessInfo.processInfo.environment["FROST_FAULTY_FILES"]

/// Makes each call for files fail in each way, or kills the program there. The output must be the old file or the new
/// file, whole, and nothing else may be left.
@Suite(.enabled(if: faultyFiles != nil, "FROST_FAULTY_FILES is not set")) struct FileFaultTests {
    /// What happens to a call.
    private enum Fault: CustomStringConvertible {
        case error(Int32), short, before, after

        static let all: [Fault] = [
            .error(ENOSPC), .error(EIO), .error(EDQUOT), .error(EINTR), .short, .before, .after,
        ]

        var description: String {
            switch self {
            case .error(let number): "\(number)"
            case .short: "short"
            case .before: "before"
            case .after: "after"
            }
        }

        /// Whether the program must do its work nevertheless.
        var isHarmless: Bool {
            switch self {
            case .error(let number): number == EINTR
            case .short: true
            case .before, .after: false
            }
        }

        var kills: Bool {
            switch self {
            case .before, .after: true
            case .error, .short: false
            }
        }
    }

    private struct Case {
        let call: String
        let number: Int
        let fault: Fault
        /// Whether the program makes no later call of this kind.
        var isLast = false
    }

    private static let note = Array("a note".utf8)

    private func run(_ scratch: Scratch, _ words: [String], _ variables: [String]) throws -> Outcome {
        let preload = "LD_PRELOAD=" + (faultyFiles ?? "")
        return try scratch.run("/usr/bin/env", [preload] + variables + [Program.path] + words)
    }

    /// Returns all cases of a command line, or a sample of them.
    private func cases(_ scratch: Scratch, _ words: [String], sample: Int) throws -> [Case] {
        let outcome = try run(scratch, words, ["FROST_FAULT_LOG=calls"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let calls = String(decoding: try scratch.bytes("calls"), as: UTF8.self).split(separator: "\n").map(String.init)
        var seen: [String: Int] = [:]
        var cases: [Case] = []
        for call in calls {
            seen[call, default: 0] += 1
            for fault in Fault.all {
                if case .short = fault, call != "write" { continue }
                cases.append(Case(call: call, number: seen[call] ?? 0, fault: fault))
            }
        }
        for call in ["open", "write", "fsync", "rename", "close"] { #expect(seen[call] != nil, "\(call)") }
        for index in cases.indices { cases[index].isLast = cases[index].number == seen[cases[index].call] }
        var generator = SeededGenerator(seed: 22)
        return TestCases.every ? cases : Array(cases.shuffled(using: &generator).prefix(sample))
    }

    private func bytes(_ path: String) -> [UInt8]? {
        guard let file = try? FilePath(path).open(O_RDONLY) else { return nil }
        defer { close(file) }
        return try? Descriptor.readAll(file)
    }

    @Test("replacing a file through a link leaves the old file or the new one")
    func replacing() throws {
        let words = [
            "blur", "a.png", "-o", "link.png", "--sigma", "2", "--backend", "cpu", "--threads", "1", "--keep", "times",
        ]
        let scratch = try Scratch()
        try scratch.picture("a.png")
        let old: [UInt8] = [1, 2, 3]
        let file = scratch.file("b.png")
        var hasAttributes = false
        func reset() throws {
            for name in try scratch.entries() where name != "a.png" { unsafe unlink(scratch.file(name)) }
            try scratch.write(old, "b.png")
            #expect(unsafe symlink("b.png", scratch.file("link.png")) == 0)
            #expect(unsafe chmod(file, 0o640) == 0)
            // Not every file system has extended attributes.
            hasAttributes = unsafe setxattr(file, "user.note", Self.note, Self.note.count, 0) == 0
        }
        try reset()
        let cases = try cases(scratch, words, sample: 40)
        let new = try #require(bytes(file))
        var (kept, replaced) = (0, 0)
        for test in cases {
            try reset()
            let name = "\(test.call) \(test.number) \(test.fault)"
            let outcome = try run(scratch, words, ["FROST_FAULT=\(test.call):\(test.number):\(test.fault)"])
            let found = bytes(file)
            if test.fault.kills {
                #expect(outcome.signal == SIGKILL, "\(name): \(outcome.errors)")
                #expect(found == old || found == new, "\(name)")
                // The next run removes the temporary file.
                #expect(try scratch.run(Program.path, words).code == 0, "\(name)")
                #expect(bytes(file) == new, "\(name)")
            } else {
                #expect(outcome.code == 0 || !test.fault.isHarmless, "\(name): \(outcome.errors)")
                // At the end the program opens and syncs the folder, so that the name of the new file is durable.
                let isNew = outcome.code == 0 || test.isLast && ["open", "fsync"].contains(test.call)
                #expect(found == (isNew ? new : old), "\(name): \(outcome.errors)")
                #expect([0, 3, 6].contains(outcome.code), "\(name): \(outcome.errors)")
            }
            kept += found == old ? 1 : 0
            replaced += found == new ? 1 : 0
            #expect(try scratch.entries() == ["a.png", "b.png", "link.png"], "\(name)")
            #expect(try FilePath(scratch.file("link.png")).linkContent() == "b.png", "\(name)")
            #expect(try FilePath(file).status().st_mode & 0o777 == 0o640, "\(name)")
            var value = [UInt8](repeating: 0, count: 100)
            let count = unsafe getxattr(file, "user.note", &value, value.count)
            #expect(!hasAttributes || count == Self.note.count && value[..<count].elementsEqual(Self.note), "\(name)")
        }
        if TestCases.every { print("replacing a file: \(cases.count) cases, \(kept) old files, \(replaced) new files") }
    }

    @Test("a batch with a manifest leaves whole files, and --resume completes it")
    func batch() throws {
        let words = [
            "blur", "a.png", "b.png", "-o", "out/", "--sigma", "2", "--backend", "cpu", "--jobs", "1", "--threads", "1",
            "--manifest", "m.jsonl", "--resume",
        ]
        let scratch = try Scratch()
        try scratch.picture("a.png")
        try scratch.picture("b.png", seed: 2)
        let outputs = ["a.png", "b.png"].map { scratch.file("out/\($0)") }
        func reset() {
            for path in outputs + [scratch.file("m.jsonl"), scratch.file("calls")] { unsafe unlink(path) }
            unsafe rmdir(scratch.file("out"))
        }
        let cases = try cases(scratch, words, sample: 25)
        let new = outputs.map(bytes)
        var (missing, written) = (0, 0)
        for test in cases {
            reset()
            let name = "\(test.call) \(test.number) \(test.fault)"
            let outcome = try run(scratch, words, ["FROST_FAULT=\(test.call):\(test.number):\(test.fault)"])
            if test.fault.kills {
                // What the process of a decoder sends may arrive in fewer reads than when they were counted.
                let isUnreached = test.call == "read" && outcome.code == 0
                #expect(outcome.signal == SIGKILL || isUnreached, "\(name): \(outcome.errors)")
            } else {
                #expect(outcome.code == 0 || !test.fault.isHarmless, "\(name): \(outcome.errors)")
                // The code is 3 if the manifest cannot be read.
                #expect([0, 1, 3, 6].contains(outcome.code), "\(name): \(outcome.errors)")
                let left = (try? scratch.entries("out")) ?? []
                #expect(!left.contains { $0.hasSuffix(".tmp") }, "\(name): \(left)")
            }
            let found = outputs.map(bytes)
            for (found, new) in zip(found, new) {
                #expect(found == nil && outcome.code != 0 || found == new, "\(name)")
            }
            missing += found.count { $0 == nil }
            written += found.count { $0 != nil }
            let again = try scratch.run(Program.path, words)
            #expect(again.code == 0, "\(name): \(again.errors)")
            #expect(outputs.map(bytes) == new, "\(name)")
            #expect(try scratch.entries("out") == ["a.png", "b.png"], "\(name)")
            #expect(try scratch.entries() == ["a.png", "b.png", "m.jsonl", "out"], "\(name)")
            let last = try scratch.run(Program.path, words + ["--json"])
            #expect(last.text.contains("\"skipped\":2"), "\(name): \(last.text)")
        }
        if TestCases.every { print("a batch: \(cases.count) cases, \(missing) missing files, \(written) new files") }
    }

    @Test("the command line is read without /proc")
    func withoutProc() throws {
        let scratch = try Scratch()
        try scratch.picture("a.png")
        let outcome = try run(scratch, ["blur", "a.png", "-o", "b.png", "--sigma", "2"], ["FROST_FAULT_NO_PROC=1"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(scratch.exists("b.png"))
    }
}
