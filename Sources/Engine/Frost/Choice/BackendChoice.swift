/// The backend for one blur, with the reason for the report. The reason does not contain the name of the backend.
enum BackendChoice: Sendable, Hashable {
    case cpu(reason: String)
    case gpu(reason: String)
}

extension BackendChoice {
    /// Chooses between the CPU and an open GPU. Backends whose times are not known yet are tried alternately, the CPU
    /// first. Then the faster backend is chosen, and the CPU if both are equal.
    ///
    /// - Parameters:
    ///   - mayTry: whether a backend may be tried that is slower as far as is known.
    ///   - device: the GPU's name.
    init(_ times: BlurTimes, pixels: Double, mayTry: Bool, device: String) {
        let cpu = Self.text(times.cpu, pixels)
        let gpu = Self.text(times.gpu, pixels)
        let isCPUKnown = times.cpu.isKnown(against: times.gpu)
        let isGPUKnown = times.gpu.isKnown(against: times.cpu)
        if mayTry, !isCPUKnown, isGPUKnown || times.cpu.count <= times.gpu.count {
            self = .cpu(reason: "on trial, against \(gpu) on \(device)")
        } else if mayTry, !isGPUKnown {
            self = .gpu(reason: "hardware GPU: on trial, against \(cpu) on the CPU")
        } else if times.gpu.best < times.cpu.best {
            self = .gpu(reason: "hardware GPU: \(gpu), against \(cpu) on the CPU")
        } else {
            self = .cpu(reason: "\(cpu), against \(gpu) on \(device)")
        }
    }

    /// Chooses the CPU because a GPU was not worth opening yet.
    ///
    /// - Parameters:
    ///   - missed: the seconds that a GPU might have saved so far.
    init(_ times: BlurTimes, pixels: Double, missed: Double) {
        let opening = milliseconds(ChoiceBudget.opening)
        guard times.isSettled else {
            self = .cpu(
                reason: "too little work so far to open a GPU: \(milliseconds(missed)) of work, "
                    + "against \(opening) to open it")
            return
        }
        let first = times.gpu.best < times.cpu.best ? " and \(opening) to open it first" : ""
        self = .cpu(
            reason: "\(Self.text(times.cpu, pixels)), against \(Self.text(times.gpu, pixels)) on the GPU\(first)")
    }

    /// The time of the fastest run, for a number of pixels.
    private static func text(_ runs: BlurTimes.Runs, _ pixels: Double) -> String {
        if runs.best.isFinite { return milliseconds(runs.best * pixels) }
        return runs.count == 0 ? "an unknown time" : "a failure"
    }
}

/// Formats seconds as milliseconds, for example "0.12 ms", "8.1 ms" or "31 ms".
func milliseconds(_ seconds: Double) -> String {
    let value = seconds * 1000
    guard value.isFinite, value < 1e15 else { return "\(value) ms" }
    if value >= 10 { return "\(Int(value.rounded())) ms" }
    let digits = value < 1 ? 100 : 10
    let whole = Int((value * Double(digits)).rounded())
    let fraction = String(whole % digits)
    let zeros = String(repeating: "0", count: (digits == 100 ? 2 : 1) - fraction.count)
    return "\(whole / digits).\(zeros)\(fraction) ms"
}
