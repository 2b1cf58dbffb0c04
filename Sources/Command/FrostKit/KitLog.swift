import Frost
import FrostCLI
import FrostImages
import Glibc

/// A result of `gpu-kit run`: a file of flat JSON objects, one per line. The first describes the run, the others
/// describe the devices, the steps and the end of the run.
struct KitLog {
    static let runSchema = "frost.kit.run/1"
    static let deviceSchema = "frost.kit.device/1"
    static let stepSchema = "frost.kit.step/1"
    static let endSchema = "frost.kit.end/1"

    /// The members of one line, as text.
    typealias Record = [String: String]

    private(set) var lines: [String] = []
    private(set) var run: Record = [:]
    private(set) var devices: [Record] = []
    private(set) var steps: [Record] = []
    /// The last line; nil if the run was interrupted.
    private(set) var end: Record?

    init() {}

    /// Reads a result.
    init(path: FilePath) throws(CommandError) {
        guard let text = TextFile.content(path.text, limit: 1 << 24) else {
            throw .image(.cannotRead(path: path.text, errno: errno))
        }
        for line in text.split(separator: "\n") {
            guard add(String(line)) else {
                throw .usage("\(path.shownName): not a result of 'gpu-kit run': \(line.prefix(60))")
            }
        }
        guard !run.isEmpty else { throw .usage("\(path.shownName): the line '\(Self.runSchema)' is missing") }
    }

    /// Adds a line. Returns false, and adds nothing, if it is not part of a result.
    mutating func add(_ line: String) -> Bool {
        guard let record = FlatJSON.members(line[...], all: true) else { return false }
        switch record["schema"] {
        case Self.runSchema: run = record
        case Self.deviceSchema: devices.append(record)
        case Self.stepSchema: steps.append(record)
        case Self.endSchema: end = record
        default: return false
        }
        lines.append(line)
        return true
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    func count(_ outcome: KitResult.Outcome) -> Int { steps.count { $0["outcome"] == outcome.rawValue } }

    var hasHardware: Bool { devices.contains { $0["software"] == "false" } }
}
