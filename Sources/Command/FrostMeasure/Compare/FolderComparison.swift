import Frost
import FrostCLI
import FrostImages

/// The comparison of the pictures of two folders that have the same names.
struct FolderComparison {
    private let arguments: Arguments
    private let folders: [FilePath]
    private let reports: CheckReports
    /// The pictures of each folder, by their names in it.
    private let pictures: [[FilePath: FilePath]]

    init(_ arguments: Arguments, _ a: FilePath, _ b: FilePath, _ reports: CheckReports) throws(CommandError) {
        (self.arguments, self.reports) = (arguments, reports)
        folders = [a, b]
        if let diff = arguments.path(.diff), !OutputNames.isFolder(diff) {
            throw .usage("--diff \(diff.shownName): the differences of two folders need a folder, such as differences/")
        }
        if let diff = arguments.path(.diff) { try ReportFile.refuse(.diff, diff, over: folders) }
        pictures = try folders.map { (folder) throws(CommandError) in
            let found = try InputList([folder], recursive: true, output: nil).inputs
            if let fault = found.compactMap(\.fault).first { throw fault }
            return Dictionary(uniqueKeysWithValues: found.map { ("\($0.tree)\($0.path.name)", $0.path) })
        }
        try reports.refuse(over: pictures.flatMap(\.values))
    }

    /// Compares all pairs. A picture that only one folder has counts as a difference.
    ///
    /// - Parameter log: gets the results.
    func run(_ console: Console, _ log: inout CheckLog) throws(CommandError) -> ExitCode {
        var (equal, different, alone, failed) = (0, 0, 0, 0)
        for name in Set(pictures[0].keys).union(pictures[1].keys).sorted() {
            guard let a = pictures[0][name], let b = pictures[1][name] else {
                alone += 1
                let folder = folders[pictures[0][name] == nil ? 1 : 0]
                console.fail("\(name.shownName): only in \(folder.shownName)")
                log.add(.failed(input: name.text, error: "only in \(folder.shownName)"))
                if console.json {
                    console.result(
                        [
                            "schema": "frost.compare/1", "a": pictures[0][name].map { .path($0) } ?? .null,
                            "b": pictures[1][name].map { .path($0) } ?? .null, "status": "failed",
                            "reason": "only in one folder",
                        ])
                }
                continue
            }
            // Two pictures may differ in their suffixes only, so the whole name is kept.
            let diff = arguments.path(.diff).map { $0.appending("\(name).png") }
            do throws(CommandError) {
                let code = try PictureComparison(arguments, diff: diff, reports, console).run(
                    a, b, &log, name: name)
                if code == .done { equal += 1 } else { different += 1 }
            } catch {
                failed += 1
                console.report(error)
                log.add(.failed(input: name.text, error: error.description))
            }
        }
        let parts = [
            (equal, "equal"), (different, "different"), (alone, "in one folder only"), (failed, "not compared"),
        ].filter { $0.0 > 0 }
        let isEqual = different + alone + failed == 0
        if console.json {
            console.result([
                "schema": "frost.compare-summary/1", "a": .path(folders[0]), "b": .path(folders[1]),
                "equal": .int(equal), "different": .int(different), "alone": .int(alone),
                "failed": .int(failed), "status": .string(isEqual ? "ok" : "failed"),
            ])
        }
        console.note(parts.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
        return isEqual ? .done : .someFailed
    }
}
