import FrostCore

/// The expected time of a blur on one backend.
struct Prospect: Sendable, Hashable {
    /// The seconds that the cost model estimates.
    var estimate: Double
    /// The seconds of the fastest run of the same blur.
    var measured = Double.infinity
    /// The number of measured runs.
    var runs = 0

    /// The number of runs after which the fastest run is reliable. Earlier runs may be slow, because the first run creates
    /// textures and touches new memory.
    static let enoughRuns = 3
    /// An optimistic factor: the real time may be as low as this fraction of the estimate.
    static let optimism = 0.7

    var isKnown: Bool { runs >= Self.enoughRuns }

    /// The measured seconds if enough runs were measured, otherwise the estimated seconds.
    var seconds: Double { isKnown ? measured : estimate }
}

extension Prospect: CustomStringConvertible {
    /// The time, and whether it is estimated or measured: for example "8.1 ms estimated" or "8.1 ms measured".
    var description: String {
        "\(milliseconds(seconds)) \(isKnown ? "measured" : "estimated")"
    }
}

/// The expected times of both backends for one blur.
struct Prospects: Sendable, Hashable {
    var cpu: Prospect
    var gpu: Prospect

    /// The CPU's time in seconds for the comparison with ``gpuValue``. The backend with the lower value is chosen.
    ///
    /// At first both values are estimates. When a blur is repeated, it has been measured on one backend. Until the other
    /// backend has been measured too, its value is an optimistic estimate. Otherwise an estimate that is too high would
    /// never be corrected. A stream of similar images therefore settles within six images on the backend that is measurably
    /// faster. This can fail only if the estimate for the faster backend was about 1.5 times its real time, or more.
    var cpuValue: Double { value(cpu) }
    /// The GPU's time in seconds for the comparison with ``cpuValue``.
    var gpuValue: Double { value(gpu) }

    private func value(_ prospect: Prospect) -> Double {
        if prospect.isKnown { return prospect.measured }
        if cpu.runs + gpu.runs == 0 { return prospect.estimate }
        return min(prospect.measured, prospect.estimate * Prospect.optimism)
    }
}

/// The measured times of blurs in this process.
struct Experience: Sendable {
    /// Everything that the time of a blur depends on.
    struct Shape: Sendable, Hashable {
        let effect: Effect
        let accuracy: Accuracy
        let sourceWidth: Int
        let sourceHeight: Int
        let width: Int
        let height: Int
        let format: String
    }

    private struct Times {
        var cpu = Double.infinity
        var cpuRuns = 0
        var gpu = Double.infinity
        var gpuRuns = 0
    }

    private var times: [Shape: Times] = [:]

    /// The maximum number of different blurs to remember. A larger number occurs only in a stream of images whose blurs all
    /// differ, and from such a stream nothing can be learned.
    static let capacity = 256

    /// Returns the expected times of a blur, given the cost models' estimates.
    func prospects(_ shape: Shape, cpu: Double, gpu: Double) -> Prospects {
        let known = times[shape] ?? Times()
        return Prospects(
            cpu: Prospect(estimate: cpu, measured: known.cpu, runs: known.cpuRuns),
            gpu: Prospect(estimate: gpu, measured: known.gpu, runs: known.gpuRuns))
    }

    mutating func add(_ shape: Shape, seconds: Double, on backend: Backend) {
        if times.count >= Self.capacity, times[shape] == nil { times.removeAll(keepingCapacity: true) }
        if backend == .gpu {
            times[shape, default: Times()].gpu = min(times[shape]?.gpu ?? .infinity, seconds)
            times[shape, default: Times()].gpuRuns += 1
        } else {
            times[shape, default: Times()].cpu = min(times[shape]?.cpu ?? .infinity, seconds)
            times[shape, default: Times()].cpuRuns += 1
        }
    }
}
