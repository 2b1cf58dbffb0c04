import FrostCore

/// What Frost has measured on this machine: the times of both backends for each shape class.
struct Experience: Sendable, Hashable {
    /// The time of the first measurement, in seconds since 1970.
    let created: Int
    /// The measured GPU and its driver's version, which are known after opening EGL; nil until a GPU was opened.
    private(set) var device: String?
    /// The times of each shape class.
    private(set) var times: [String: BlurTimes] = [:]

    /// The time after which everything is measured again: a week, in seconds. Measurements that were disturbed are therefore
    /// used for at most a week.
    static let lifetime = 7 * 86400
    /// The maximum number of shape classes.
    static let capacity = 256

    init(created: Int) { self.created = created }

    func isFresh(at now: Int) -> Bool { (created...created + Self.lifetime).contains(now) }

    /// Replaces the times of a class. If there are too many classes, the others are forgotten.
    mutating func keep(_ new: BlurTimes, of shape: String) {
        if times.count >= Self.capacity, times[shape] == nil { times = [:] }
        times[shape] = new
    }

    /// Notes which GPU was opened. Times of another GPU or driver are forgotten.
    mutating func open(_ device: String) {
        // A driver's name may contain any character, but the text has one line for each value.
        let device = String(device.map { $0.isNewline ? " " : $0 })
        if self.device != device { times = times.filter { $0.value.gpu.count == 0 } }
        self.device = device
    }
}

extension Experience {
    /// The first line of a file. The number changes when the meaning of a shape class changes.
    private static let magic = "frost-choice 2"
    /// The possible seconds per pixel.
    private static let allowedRates = 0.0...1.0

    /// Returns the settled classes as a file's text: one line for each value, and at the end a checksum of the machine's
    /// name and all other lines. Returns nil if no GPU was opened.
    func text(machine: String) -> String? {
        guard let device else { return nil }
        // A backend that failed may work in another process, so its infinite time is not kept.
        let settled = times.filter { $0.value.isSettled && max($0.value.cpu.best, $0.value.gpu.best).isFinite }
        let lines =
            [Self.magic, device, "\(created)"]
            + settled.sorted { $0.key < $1.key }.map { "\($0.value.cpu.best) \($0.value.gpu.best) \($0.key)" }
        return (lines + [Self.sum(machine, lines), ""]).joined(separator: "\n")
    }

    /// Reads a file's text. Returns nil if the text is damaged, of another version or of another machine.
    init?(_ text: String, machine: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.popLast() == "", let sum = lines.popLast(), sum == Self.sum(machine, lines), lines.count >= 3,
            lines[0] == Self.magic, let created = Int(lines[2]), (0...1 << 40).contains(created)
        else { return nil }
        self.init(created: created)
        device = lines[1]
        for line in lines[3...].prefix(Self.capacity) {
            let words = line.split(separator: " ", maxSplits: 2)
            let rates = words.prefix(2).compactMap { Double($0) }.filter(Self.allowedRates.contains)
            guard words.count == 3, rates.count == 2 else { return nil }
            let runs = rates.map { BlurTimes.Runs(best: $0, count: BlurTimes.Runs.enough) }
            times[String(words[2])] = BlurTimes(cpu: runs[0], gpu: runs[1])
        }
    }

    private static func sum(_ machine: String, _ lines: [String]) -> String {
        FNVHash(of: ([machine] + lines).joined(separator: "\n")).hexadecimal
    }
}
