import Frost
import FrostCLI

/// The report files of `frost check`, which the options `--report` and `--junit` name.
struct CheckReports {
    private let page: FilePath?
    private let junit: FilePath?

    /// Checks the paths before any work is done.
    ///
    /// - Throws: ``CommandError`` if a file cannot be written, would overwrite an input, or conflicts with other
    ///   output.
    init(_ arguments: Arguments, _ inputs: [FilePath], _ console: Console) throws(CommandError) {
        page = arguments.path(.page)
        junit = arguments.path(.junit)
        let sources = inputs + Option.inputFiles.flatMap { arguments.values($0, as: FilePath.self) }
        try ReportFile.check([.page, .junit], in: arguments, over: sources)
        guard !takesOutput || !console.json else {
            throw .usage("only one of --json, --report and --junit can use standard output")
        }
    }

    var hasPage: Bool { page != nil }

    /// Whether a report goes to standard output. If so, the result lines go to standard error.
    var takesOutput: Bool { [page, junit].contains { $0?.isStandardOutput == true } }

    /// Throws if a report would use the file or the standard output of another option.
    func refuse(_ path: FilePath?, of option: Option) throws(CommandError) {
        guard let path else { return }
        for (other, report) in named { try ReportFile.refuse(other, report, beside: option, path) }
    }

    /// Throws if a report would overwrite an input.
    func refuse(over inputs: [FilePath]) throws(CommandError) {
        for (option, report) in named { try ReportFile.refuse(option, report, over: inputs) }
    }

    private var named: [(Option, FilePath)] {
        [(Option.page, page), (.junit, junit)].compactMap { option, report in report.map { (option, $0) } }
    }

    /// Writes each report file completely or not at all. If the first file cannot be written, the second file is
    /// written nevertheless.
    func write(_ log: CheckLog, _ environment: CheckEnvironment) throws(CommandError) {
        var failure: CommandError?
        for (path, text) in [(page, CheckPage.document), (junit, CheckJUnit.document)] {
            guard let path else { continue }
            do throws(CommandError) { try ReportFile.write(text(log, environment), to: path) } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
