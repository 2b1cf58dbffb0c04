import Frost
import FrostCLI

/// One finding of `frost doctor`.
struct Finding: Equatable {
    enum Status: String {
        case ok
        /// Information that is neither good nor bad.
        case note
        /// A feature does not work, but the user did not request it.
        case warning
        /// A feature that the user requested does not work.
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

    /// The name of the check, for example "cpu" or "device 0".
    var check: String
    var status: Status
    /// The finding in one line.
    var text: String
    /// The evidence for the finding, as lines.
    var evidence: [String] = []
    /// Advice on what to do about the finding, in one line.
    var advice: String?

    var json: JSONValue {
        [
            "schema": "frost.doctor/1", "check": .string(check), "status": .string(status.rawValue),
            "finding": .string(text), "evidence": .strings(evidence), "advice": .optional(advice),
        ]
    }

    /// Returns the finding as lines of text.
    ///
    /// - Parameter paint: returns the status mark in a colour.
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

    /// The finding as a line of text, for the transfer between processes.
    var wire: String {
        ([check, status.rawValue, text, advice ?? ""] + evidence).map { field in
            String(field.map { $0 == Self.separator || $0.isNewline ? " " : $0 })
        }.joined(separator: String(Self.separator))
    }

    /// Parses a line in the form of ``wire``. Returns nil if the line has another form.
    init?(wire: Substring) {
        let fields = wire.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 4, let status = Status(rawValue: fields[1]) else { return nil }
        self.init(
            check: fields[0], status: status, text: fields[2], evidence: Array(fields[4...]),
            advice: fields[3].isEmpty ? nil : fields[3])
    }
}
