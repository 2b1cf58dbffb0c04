import Foundation
@testable import Frost
import FrostGLES
import FrostGPU
@testable import FrostLog
import FrostTestSupport
import FrostThreads
import Synchronization
import Testing

/// Tests the log. The log belongs to the process, so other tests that run at the same time may log too. The tests therefore
/// look for their own messages.
@Suite(.serialized) struct LogTests {
    /// A handler that keeps the messages.
    private final class Notes: Sendable {
        private let kept = Mutex<[(level: LogLevel, text: String)]>([])
        func add(_ level: LogLevel, _ text: String) { kept.withLock { $0.append((level, text)) } }
        func find(_ text: String) -> [LogLevel] {
            kept.withLock { $0.filter { $0.text.contains(text) }.map(\.level) }
        }
    }

    /// Calls `body` while a handler is set, and returns what the handler received.
    private func logged(upTo level: LogLevel, _ body: () throws -> Void) rethrows -> Notes {
        let notes = Notes()
        Log.setHandler(upTo: level) { notes.add($0, $1) }
        defer { Log.setHandler(nil) }
        try body()
        return notes
    }

    @Test("a handler receives its level and the more important ones, and nothing else is worded")
    func levels() {
        for level in LogLevel.allCases {
            let notes = logged(upTo: level) {
                for written in LogLevel.allCases {
                    Log.write(
                        written, "law \(written <= level ? "" : { Issue.record("worded"); return "" }())\(written)")
                }
            }
            #expect(notes.find("law ") == LogLevel.allCases.filter { $0 <= level })
        }
        Log.write(
            .error,
            {
                Issue.record("worded without a handler"); return ""
            }())
    }

    @Test("after it was replaced, a handler is not called again, and its calls never overlap")
    func threads() {
        let running = Atomic<Int>(0)
        let overlaps = Atomic<Int>(0)
        let late = Atomic<Int>(0)
        let isReplaced = Atomic<Bool>(false)
        Log.setHandler(upTo: .debug) { _, _ in
            if running.add(1, ordering: .relaxed).oldValue > 0 { overlaps.add(1, ordering: .relaxed) }
            if isReplaced.load(ordering: .sequentiallyConsistent) { late.add(1, ordering: .relaxed) }
            running.subtract(1, ordering: .relaxed)
        }
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for count in 0..<200 {
                Log.write(.debug, "thread \(index)")
                if index == 0, count == 100 {
                    Log.setHandler(nil)
                    isReplaced.store(true, ordering: .sequentiallyConsistent)
                }
            }
        }
        #expect(overlaps.load(ordering: .relaxed) == 0)
        #expect(late.load(ordering: .relaxed) == 0)
    }

    @Test("a handler may call Frost, and cannot replace itself")
    func reentrance() {
        let result = Mutex<[Bool]>([])
        let notes = Notes()
        Log.setHandler(upTo: .info) { level, text in
            notes.add(level, text)
            Log.write(.error, "from the handler")
            result.withLock { $0.append(Log.setHandler(nil)) }
        }
        Log.write(.error, "outer")
        Log.setHandler(nil)
        #expect(notes.find("outer") == [.error])
        #expect(notes.find("from the handler").isEmpty)
        result.withLock { #expect(!$0.isEmpty && !$0.contains(true)) }
    }

    /// Work of a handler may run on a thread of Frost that logs too, as the thread of a GPU does.
    @Test("a handler may wait for a thread that logs, and gets its message afterwards", .timeLimit(.minutes(1)))
    func waitingForAThread() throws {
        let notes = Notes()
        Log.setHandler(upTo: .info) { level, text in
            notes.add(level, text)
            guard text == "outer", let thread = try? FrostThreads.Thread.start("other", { Log.write(.info, "inner") })
            else { return }
            thread.join()
            #expect(notes.find("inner").isEmpty)
        }
        defer { Log.setHandler(nil) }
        Log.write(.info, "outer")
        #expect(notes.find("outer") == [.info] && notes.find("inner") == [.info])
    }

    @Test("messages that find no room while the handler runs are counted")
    func lostMessages() {
        let notes = Notes()
        Log.setHandler(upTo: .info) { level, text in
            notes.add(level, text)
            guard text == "outer",
                let thread = try? FrostThreads.Thread.start(
                    "other",
                    {
                        for index in 0..<300 { Log.write(.info, "inner \(index)") }
                    })
            else { return }
            thread.join()
        }
        defer { Log.setHandler(nil) }
        Log.write(.info, "outer")
        Log.write(.info, "last")
        // Other tests may log meanwhile.
        #expect((200...256).contains(notes.find("inner").count))
        #expect(notes.find("messages are missing") == [.warning] && notes.find("last") == [.info])
    }

    @Test("the choice of the backend is logged with its reason")
    func choice() throws {
        let image = try TestImage.make(.uniformNoise, 23, 17)
        let renderer = try Renderer(backend: .cpu)
        let notes = try logged(upTo: .debug) { _ = try renderer.render(image, Effect(GaussianBlur(sigma: 3))) }
        #expect(notes.find("gaussian, 23x17: cpu, as requested") == [.debug])
        let quiet = try logged(upTo: .info) { _ = try renderer.render(image, Effect(GaussianBlur(sigma: 3))) }
        #expect(quiet.find("23x17").isEmpty)
    }

    @Test("the opened GPU is logged", .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
    func opening() throws {
        var name = ""
        let notes = try logged(upTo: .info) { name = try #require(Renderer(backend: .gpu).deviceName) }
        #expect(notes.find("opened a GPU").contains(.info))
        #expect(!notes.find(name).isEmpty)
    }

    @Test("messages of the driver are logged", .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
    func driver() throws {
        let notes = try logged(upTo: .debug) {
            let thread = try GLThread.open(.any, options: ContextOptions(checksEveryCall: true))
            defer { thread.shutdown() }
            // The source is no GLSL, so compiling it fails.
            #expect(throws: GLError.self) {
                try thread.perform { (gl) throws(GLError) in
                    _ = try Program(vertex: "nonsense", fragment: "nonsense", in: gl)
                }
            }
        }
        #expect(!notes.find("GL driver: ").isEmpty)
    }

    @Test("a damaged program in the cache is logged", .needsProgramBinaries)
    func programCache() throws {
        let scratch = try ScratchFolder()
        var options = GPUOptions()
        options.programCache = .folder(scratch.path)
        let image = try TestImage.make(.uniformNoise, 40, 30)
        func render() throws -> GPUStatistics? {
            let renderer = try Renderer(backend: .gpu, options: options)
            _ = try renderer.render(image, Effect(GaussianBlur(sigma: 3)))
            return try renderer.slot.executor?.statistics
        }
        #expect(try render()?.programCacheProblem == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            try Data("damaged".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/\(name)"))
        }
        var statistics: GPUStatistics?
        let notes = try logged(upTo: .warning) { statistics = try render() }
        let rejected = try #require(statistics?.programsRejected)
        #expect(rejected > 0)
        #expect(notes.find("program cache: \(scratch.path)/").count == rejected)
    }
}
