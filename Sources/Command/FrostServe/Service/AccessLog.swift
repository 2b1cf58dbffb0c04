import Frost
import FrostCLI
import FrostThreads
import Glibc

/// Writes a line of JSON for each request. A thread of its own writes the lines, so that a slow reader delays no request. If the
/// reader is too slow, lines are left out, and the next line says how many.
///
/// Thread-safety: may be used from any thread.
final class AccessLog: Sendable {
    private struct State {
        var lines: [String] = []
        var dropped = 0
        var isClosed = false
        var isDone = false
    }
    private let state = Monitor(State())
    private let descriptor: Int32
    private let secret: String?

    /// The largest number of lines that wait.
    private static let capacity = 10_000

    /// - Parameters:
    ///   - descriptor: where the lines are written.
    ///   - secret: a part of targets that is left out: a reader of the log could use the page of `frost open` with it.
    init(_ descriptor: Int32, secret: String?) throws(ThreadError) {
        (self.descriptor, self.secret) = (descriptor, secret)
        try Thread.start("frost-log") { [self] in run() }.detach()
    }

    func write(_ record: ExchangeRecord) {
        let line = json(record).line + "\n"
        state.update { state in
            guard state.lines.count < Self.capacity, !state.isClosed else {
                state.dropped += 1
                return
            }
            state.lines.append(line)
        }
    }

    /// Writes the lines that wait, at most for a second.
    func close() {
        state.update { $0.isClosed = true }
        _ = state.wait(for: .seconds(1)) { $0.isDone ? true : nil }
    }

    private func run() {
        while true {
            let (text, isLast) = state.wait { state -> (String, Bool)? in
                guard !state.lines.isEmpty || state.isClosed else { return nil }
                defer { (state.lines, state.dropped) = ([], 0) }
                let dropped: JSONValue = ["dropped": .int(state.dropped)]
                return (state.lines.joined() + (state.dropped == 0 ? "" : dropped.line + "\n"), state.isClosed)
            }
            _ = unsafe Descriptor.write(descriptor, Array(text.utf8).span.bytes)
            if isLast { return state.update { $0.isDone = true } }
        }
    }

    private func json(_ record: ExchangeRecord) -> JSONValue {
        let response = record.response
        let facts = response?.facts ?? Response.Facts()
        let logged = Self.loggedTarget(record.target)
        let target = secret.map { logged.replacing($0, with: "...", maxReplacements: 1) } ?? logged
        func milliseconds(_ time: Duration) -> JSONValue { .number(time.milliseconds, decimals: 2) }
        return [
            "time": .string(Self.now()), "id": .string(record.identifier), "client": .string(record.client),
            "method": .optional(record.head?.method), "target": .string(target),
            "status": .int(response?.status), "sent": .bool(record.isSent), "received": .int(record.received),
            "bytes": .int(response?.length), "ms": milliseconds(record.time), "queue": milliseconds(facts.queued),
            "decode": milliseconds(facts.decode), "blur": milliseconds(facts.blur),
            "encode": milliseconds(facts.encode), "effect": .optional(facts.effect), "width": .int(facts.width),
            "height": .int(facts.height), "error": .optional(facts.error),
        ]
    }

    /// The target without signatures, with which a reader of the log could ask for the picture.
    static func loggedTarget(_ bytes: [UInt8]) -> String {
        let mark = "\(Signature.option)="
        // The name of the option may be written with %.
        let query = (try? RequestTarget(bytes))?.query ?? []
        let signatures = query.filter { $0.option.name == Signature.option }.map(\.raw)
        func shown(_ option: Substring) -> String {
            option.hasPrefix(mark) || signatures.contains(String(option)) ? "\(mark)..." : String(option)
        }
        return String(decoding: bytes.prefix(2048), as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false).map { part in
                guard let query = part.firstIndex(of: "?").map({ part.index(after: $0) }) else { return shown(part) }
                return part[..<query] + shown(part[query...])
            }.joined(separator: "&")
    }

    /// The time in UTC, for example "2026-11-29T22:40:12.345Z".
    private static func now() -> String {
        var time = timespec()
        var parts = unsafe tm()
        // SAFETY: both calls fill the structures that they receive.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        unsafe gmtime_r(&time.tv_sec, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = unsafe "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let clock = unsafe "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(date)T\(clock).\("\(1000 + time.tv_nsec / 1_000_000)".dropFirst())Z"
    }
}
