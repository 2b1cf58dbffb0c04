import FrostCLI

/// One finding of `frost doctor`.
struct Finding: Equatable {
    enum Status: String {
        case ok
        /// Information.
        case note
        /// Something does not work, but it was not asked for.
        case warning
        /// Something that was asked for does not work.
        case problem

        var ink: Ink? {
            switch self {
            case .ok: .green
            case .note: nil
            case .warning: .yellow
            case .problem: .red
            }
        }
    }

    /// What was looked at: "cpu", "device 0".
    var check: String
    var status: Status
    /// What was found, in a line.
    var text: String
    /// What shows it, in lines.
    var evidence: [String] = []
    /// What to do about it, in a line.
    var advice: String?

    var json: JSON {
        .object([
            ("schema", .string("frost.doctor/1")), ("check", .string(check)), ("status", .string(status.rawValue)),
            ("finding", .string(text)), ("evidence", .array(evidence.map { .string($0) })),
            ("advice", .optional(advice)),
        ])
    }

    /// - Parameter paint: gives the mark its colour.
    func lines(paint: (Ink, String) -> String) -> [String] {
        let mark = status.rawValue
        let space = String(repeating: " ", count: Self.markWidth - mark.count)
        let indent = String(repeating: " ", count: Self.markWidth)
        return [(status.ink.map { paint($0, mark) } ?? mark) + space + "\(check): \(text)"]
            + evidence.map { "\(indent)  \($0)" } + (advice.map { ["\(indent)-> \($0)"] } ?? [])
    }

    private static let markWidth = 9
}

extension Finding {
    private static let separator: Character = "\u{1F}"

    /// The finding as a line between processes.
    var wire: String {
        ([check, status.rawValue, text, advice ?? ""] + evidence).map { field in
            String(field.map { $0 == Self.separator || $0.isNewline ? " " : $0 })
        }.joined(separator: String(Self.separator))
    }

    /// nil for other lines.
    init?(wire: Substring) {
        let fields = wire.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 4, let status = Status(rawValue: fields[1]) else { return nil }
        self.init(
            check: fields[0], status: status, text: fields[2], evidence: Array(fields[4...]),
            advice: fields[3].isEmpty ? nil : fields[3])
    }
}
