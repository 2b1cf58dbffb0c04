import Frost
import FrostThreads
import Glibc

/// Counts what a service does, and writes the counts in the text format of Prometheus.
///
/// Thread-safety: may be used from any thread.
package final class Metrics: Sendable {
    private struct Key: Hashable {
        let code: Int
        let effect: String
    }

    private struct Counts {
        var requests: [Key: Int] = [:]
        var received = 0
        var sent = 0
        var megapixels = 0.0
        /// Seconds of the stages, in the order of ``Metrics/stages``.
        var stages = [0.0, 0.0, 0.0, 0.0]
        /// Requests for pictures by their time, in the order of ``Metrics/bounds``, and those that took longer.
        var times = [Int](repeating: 0, count: bounds.count + 1)
        var seconds = 0.0
    }
    private let counts = Lock(Counts())

    private static let stages = ["queue", "decode", "blur", "encode"]
    /// The upper bounds of the histogram of times, in seconds.
    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    package init() {}

    /// Counts a request.
    package func count(_ response: Response?, received: Int, sent: Int, time: Duration) {
        counts.withLock { counts in
            let facts = response?.facts
            let key = Key(code: response?.status ?? Job.goneStatus, effect: facts?.effect ?? "")
            counts.requests[key, default: 0] += 1
            counts.received += received
            counts.sent += sent
            guard let facts, facts.effect != nil else { return }
            counts.megapixels += Double(facts.width * facts.height) / 1e6
            for (index, part) in [facts.queued, facts.decode, facts.blur, facts.encode].enumerated() {
                counts.stages[index] += part.seconds
            }
            counts.seconds += time.seconds
            counts.times[Self.bounds.firstIndex { time.seconds <= $0 } ?? Self.bounds.count] += 1
        }
    }

    /// A value that is measured when it is asked for.
    package struct Gauge {
        let name, help: String
        let value: Double

        package init(_ name: String, _ help: String, _ value: Double) {
            (self.name, self.help, self.value) = (name, help, value)
        }
    }

    /// Returns all values as text.
    package func text(_ gauges: [Gauge]) -> String {
        let counts = counts.withLock { $0 }
        var text = ""
        func family(_ name: String, _ help: String, _ type: String, _ lines: [(labels: String, value: Double)]) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
            for line in lines { text += "\(name)\(line.labels) \(numberText(line.value))\n" }
        }
        family(
            "frost_requests_total", "Requests by status and effect; no effect for other requests.", "counter",
            counts.requests.sorted { ($0.key.code, $0.key.effect) < ($1.key.code, $1.key.effect) }.map {
                ("{code=\"\($0.key.code)\",effect=\"\($0.key.effect)\"}", Double($0.value))
            })
        family("frost_received_bytes_total", "Bytes of bodies received.", "counter", [("", Double(counts.received))])
        family("frost_sent_bytes_total", "Bytes of bodies sent.", "counter", [("", Double(counts.sent))])
        family("frost_megapixels_total", "Megapixels of results.", "counter", [("", counts.megapixels)])
        family(
            "frost_stage_seconds_total",
            "Seconds of pictures in the queue, in decoding, blurring and encoding; the last three overlap.", "counter",
            zip(Self.stages, counts.stages).map { ("{stage=\"\($0)\"}", $1) })
        histogram(counts, &text)
        for gauge in gauges { family(gauge.name, gauge.help, "gauge", [("", gauge.value)]) }
        return text
    }

    private func histogram(_ counts: Counts, _ text: inout String) {
        let name = "frost_request_seconds"
        text += "# HELP \(name) Time of requests for pictures.\n# TYPE \(name) histogram\n"
        var sum = 0
        for (bound, count) in zip(Self.bounds.map { numberText($0) } + ["+Inf"], counts.times) {
            sum += count
            text += "\(name)_bucket{le=\"\(bound)\"} \(sum)\n"
        }
        text += "\(name)_sum \(numberText(counts.seconds))\n\(name)_count \(sum)\n"
    }

    /// The memory of this process, in bytes.
    package static var residentMemory: Int {
        // The second number is the size in pages.
        let fields = (TextFile.line("/proc/self/statm") ?? "").split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
