import FrostCore

/// The measurements of this machine: cost models of both backends for some pixel formats.
struct CostProfile: Sendable, Hashable {
    /// The cost models of both backends for one pixel format.
    struct Pair: Sendable, Hashable {
        var cpu: CostModel
        var gpu: CostModel
    }

    /// The properties of the machine that are known without opening EGL: processor, threads, device nodes, and Frost's
    /// version.
    var machine: String
    /// The properties that are known after opening EGL: the device and its driver's version.
    var device: String
    /// The device's name, for messages.
    var deviceName: String
    /// The seconds that opening the device takes, including compiling its programs.
    var opening: Double
    /// The time of the measurement, in seconds since 1970.
    var made: Int
    /// The cost models of each pixel format. The keys are values of `PixelFormat.description`.
    var pairs: [String: Pair] = [:]

    /// The time after which a profile is measured again: a week, in seconds. Measurements that were disturbed are therefore
    /// used for at most a week.
    static let lifetime = 7 * 86400

    func isFresh(at now: Int) -> Bool { (made...made + Self.lifetime).contains(now) }
}

extension CostProfile {
    private static let magic = "frost-choice"
    private static let allowedOpening = 0.0...600.0
    /// The maximum number of formats in a file. There are fewer pixel formats than this.
    private static let maximumPairs = 64

    /// The profile as a file's text: one line for each value, and at the end a checksum of all other lines.
    var text: String {
        var lines = [
            "\(Self.magic) \(CostModel.version)", "machine \(Self.line(machine))", "device \(Self.line(device))",
            "name \(Self.line(deviceName))", "opening \(opening)", "made \(made)",
        ]
        for (format, pair) in pairs.sorted(by: { $0.key < $1.key }) {
            let numbers = (pair.cpu.coefficients + pair.gpu.coefficients).map { "\($0)" }
            lines.append("format \(numbers.joined(separator: " ")) \(format)")
        }
        let body = lines.joined(separator: "\n") + "\n"
        return body + "sum \(FNVHash(of: body).hexadecimal)\n"
    }

    /// Reads a profile from a file's text.
    ///
    /// - Returns: nil if the text is incomplete or of another version, if its checksum is wrong, or if a number is out of
    ///   range.
    init?(_ text: String) {
        guard let sum = text.range(of: "\nsum ") else { return nil }
        let body = text[..<text.index(after: sum.lowerBound)]
        guard text[sum.upperBound...] == "\(FNVHash(of: body).hexadecimal)\n" else { return nil }
        var lines = body.split(separator: "\n", omittingEmptySubsequences: false)[...]
        func value(_ name: String) -> Substring? {
            guard let line = lines.popFirst(), line.hasPrefix(name + " ") else { return nil }
            return line.dropFirst(name.count + 1)
        }
        guard value(Self.magic) == "\(CostModel.version)", let machine = value("machine"),
            let device = value("device"), let name = value("name"),
            let opening = value("opening").flatMap({ Double($0) }), Self.allowedOpening.contains(opening),
            let made = value("made").flatMap({ Int($0) }), (0...1 << 40).contains(made), lines.popLast() == "",
            lines.count <= Self.maximumPairs
        else { return nil }
        self.init(
            machine: String(machine), device: String(device), deviceName: String(name), opening: opening, made: made)
        while !lines.isEmpty {
            guard let line = value("format") else { return nil }
            let words = line.split(separator: " ", maxSplits: 2 * Workload.termCount, omittingEmptySubsequences: false)
            let numbers = words.prefix(2 * Workload.termCount).compactMap { Double($0) }
            guard words.count == 2 * Workload.termCount + 1, numbers.count == 2 * Workload.termCount,
                let cpu = CostModel(coefficients: Array(numbers.prefix(Workload.termCount))),
                let gpu = CostModel(coefficients: Array(numbers.suffix(Workload.termCount)))
            else { return nil }
            pairs[String(words[words.count - 1])] = Pair(cpu: cpu, gpu: gpu)
        }
    }

    /// Replaces line breaks and NUL by spaces, because a driver's name may contain any character.
    static func line(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\0" ? " " : $0 })
    }
}

extension StringProtocol {
    /// Returns the range of the last occurrence of `part`.
    fileprivate func range(of part: String) -> Range<Index>? { ranges(of: part).last }
}
