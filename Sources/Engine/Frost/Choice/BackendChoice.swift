/// The choice between the CPU and the GPU for one blur, with its reason. The choice depends only on the values that are
/// passed to its initializer.
struct BackendChoice: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        case cpu
        /// Use the GPU, which is already open.
        case gpu
        /// Open the GPU: by now it would have saved more time than opening it costs.
        case openGPU
        /// Open and measure a GPU: by now the blurs on the CPU have taken longer than opening and measuring a GPU takes.
        case measureGPU
    }

    var action: Action
    /// The reason for the choice, for the report. It does not contain the name of the chosen backend.
    var reason: String
}

extension BackendChoice {
    /// Chooses between the CPU and an open GPU from their known costs. If the costs are equal, the CPU is chosen. If a
    /// backend is chosen only to measure it, although it seems to be slower, the reason contains the words "on trial".
    init(_ prospects: Prospects, device: String) {
        let (cpu, gpu) = (prospects.cpu, prospects.gpu)
        if prospects.gpuValue < prospects.cpuValue {
            let trial = gpu.seconds > cpu.seconds ? "on trial, " : ""
            self.init(action: .gpu, reason: "hardware GPU: \(trial)\(gpu), against \(cpu) on the CPU")
        } else {
            let trial = cpu.seconds > gpu.seconds ? "on trial, " : ""
            self.init(action: .cpu, reason: "\(trial)\(cpu), against \(gpu) on \(device)")
        }
    }

    /// Chooses between the CPU and a GPU that was measured before and is not open.
    ///
    /// - Parameter missed: the seconds that the GPU would have saved in all blurs before this one. The initializer adds the
    ///   seconds that the GPU would save in this blur.
    init(cpu: Double, gpu: Double, opening: Double, missed: inout Double, device: String) {
        let estimates = "\(milliseconds(cpu)) estimated, against \(milliseconds(gpu)) estimated on \(device)"
        guard gpu < cpu else {
            self.init(action: .cpu, reason: estimates)
            return
        }
        missed += cpu - gpu
        if missed > opening {
            self.init(action: .openGPU, reason: estimates)
        } else {
            self.init(action: .cpu, reason: "\(estimates) and \(milliseconds(opening)) to open it first")
        }
    }

    /// Chooses between the CPU and a GPU that was never measured.
    ///
    /// - Parameters:
    ///   - cpu: the estimated seconds of this blur on the CPU.
    ///   - spent: the seconds that the CPU has worked so far.
    ///   - price: the seconds that opening and measuring a GPU may take.
    init(cpu: Double, spent: Double, price: Double) {
        self.init(
            action: spent + cpu > price ? .measureGPU : .cpu,
            reason: "too little work so far to measure a GPU: \(milliseconds(spent + cpu)) of work, "
                + "against \(milliseconds(price)) for the measurement")
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
