import FrostCore

/// How long a backend takes for a blur, as far as is known.
struct Prospect: Sendable, Hashable {
    /// Seconds by the model.
    var estimate: Double
    /// Seconds of the fastest run of the same blur.
    var measured = Double.infinity
    /// How many runs there were.
    var runs = 0

    /// As many as it takes for one to be undisturbed: the first makes textures and touches memory.
    static let enoughRuns = 3
    /// How far below the estimate the truth may lie.
    static let optimism = 0.7

    var isKnown: Bool { runs >= Self.enoughRuns }

    /// The best that is known.
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

    /// What to choose by; the lower is the better.
    ///
    /// At first that is the estimate. A blur that is repeated was measured on one backend, and gives the other the
    /// benefit of the doubt until it was measured too: an estimate that is too high would otherwise never be found out.
    /// So a stream of like images settles, within six of them, on the backend that is measurably the faster, unless the
    /// other's estimate was too high by a half.
    var cpuValue: Double { value(cpu) }
    var gpuValue: Double { value(gpu) }

    private func value(_ prospect: Prospect) -> Double {
        if prospect.isKnown { return prospect.measured }
        if cpu.runs + gpu.runs == 0 { return prospect.estimate }
        return min(prospect.measured, prospect.estimate * Prospect.optimism)
    }
}

/// How long blurs took, in this process.
struct Experience: Sendable {
    /// All that the time of a blur depends on.
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

    /// More are a stream of images that are all different, of which nothing is to be learnt.
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
