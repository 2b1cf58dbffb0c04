import FrostCore

/// How long a backend takes for a blur, as far as is known.
struct Prospect: Sendable, Hashable {
    /// Seconds by the model.
    var estimate: Double
    /// Seconds of the fastest run of the same blur.
    var measured = Double.infinity
    /// The number of runs.
    var runs = 0

    /// With so many runs one is undisturbed: the first creates textures and touches new memory.
    static let enoughRuns = 3
    /// The fraction of the estimate that the real time may be.
    static let optimism = 0.7

    var isKnown: Bool { runs >= Self.enoughRuns }

    /// The best known value.
    var seconds: Double { isKnown ? measured : estimate }
}

extension Prospect: CustomStringConvertible {
    /// "8.1 ms estimated", "8.1 ms measured".
    var description: String {
        "\(milliseconds(seconds)) \(isKnown ? "measured" : "estimated")"
    }
}

/// What is known of both backends for one blur.
struct Prospects: Sendable, Hashable {
    var cpu: Prospect
    var gpu: Prospect

    /// The values to compare; the lower one wins.
    ///
    /// At first they are the estimates. A blur that is repeated has been measured on one backend. The other backend
    /// then counts with an optimistic estimate until it has been measured too, because otherwise an estimate that is
    /// too high would never be corrected. So a stream of similar images settles within six images on the backend that
    /// is measurably faster, unless the other one's estimate was too high by a half.
    var cpuValue: Double { value(cpu) }
    var gpuValue: Double { value(gpu) }

    private func value(_ prospect: Prospect) -> Double {
        if prospect.isKnown { return prospect.measured }
        if cpu.runs + gpu.runs == 0 { return prospect.estimate }
        return min(prospect.measured, prospect.estimate * Prospect.optimism)
    }
}

/// How long blurs took in this process.
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

    /// More shapes than this are a stream of images that all differ, from which nothing can be learnt.
    static let capacity = 256

    /// What is known of a blur, given the models' estimates.
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
