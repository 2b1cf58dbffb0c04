import Frost
import FrostImages
import Glibc

extension Rendering {
    /// Applies an effect to the pictures of a command line and returns the exit code.
    ///
    /// - Parameter names: placeholders for output templates, in addition to those that describe the input.
    static func run(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ words: [FilePath],
        names: [(name: String, text: String)]
    ) throws(CommandError) -> ExitCode {
        // In other programs, -q sets the quality.
        if arguments.has(.quiet), let number = words.first(where: { Int($0.text) != nil && !$0.exists }) {
            throw .usage("\(number.shownName): no such file; the quality is set by --quality \(number.text)")
        }
        guard !words.isEmpty else { throw .usage("an input is required: a file, or - for standard input") }
        try arguments.checkStandardInput(words)
        if words.contains("-") { StandardInput.announce(console) }
        if arguments.has(.dataURI) { return try dataURIs(arguments, console, effect, words) }
        if let stream = try VideoStream(arguments, words) {
            return try stream.run(arguments, console, effect)
        }
        let pattern = try arguments.output(besides: words)
        let found = try InputList(
            words, recursive: arguments.has(.recursive), output: OutputNames.folder(of: pattern))
        let inputs = found.inputs
        let output = try OutputNames(
            pattern, inputs: inputs, format: try arguments.format(), constants: names,
            followsLinks: arguments.replacement.followsLinks)
        let all = try output.resolve(inputs)
        let items = part(of: all, arguments)
        if !arguments.has(.force), !arguments.has(.resume) { try output.checkAbsent(items) }
        if !arguments.has(.force), items.contains(where: { $0.output == "-" }), isatty(1) == 1 {
            throw .usage("-o -: standard output is a terminal; redirect it, name a file, or use --force")
        }
        let threads = arguments.threads
        let jobs = max(1, min(items.count, arguments.value(.jobs, as: Int.self) ?? threads))
        var console = console
        console.outputIsPicture = items.contains { $0.output.isStandardOutput }
        let rendering = try Rendering(
            arguments, console, effect, items, of: inputs.map(\.path), jobs: jobs)
        return try Batch(arguments, items, ignored: found.ignored, rendering, jobs: jobs, console).run()
    }
}

extension Rendering {
    /// Returns the part of the work that `--shard` selects.
    private static func part(of all: [BatchItem], _ arguments: Arguments) -> [BatchItem] {
        guard let shard = arguments.value(.shard, as: Shard.self) else { return all }
        return stride(from: shard.index, to: all.count, by: shard.count).map { all[$0] }
    }

    /// Prints the results as data URIs, a line for each.
    private static func dataURIs(
        _ arguments: Arguments, _ console: Console, _ effect: Effect, _ words: [FilePath]
    ) throws(CommandError) -> ExitCode {
        if let other = [Option.output, .manifest, .resume].first(where: { arguments.has($0) }) {
            throw .usage("--data-uri prints the result, so it cannot be combined with --\(other.name)")
        }
        let found = try InputList(words, recursive: arguments.has(.recursive), output: nil)
        let format = try arguments.format()
        let all = found.inputs.map { input in
            BatchItem(input: input, output: "-", format: format, makesFolders: false, replacesInput: false)
        }
        let items = part(of: all, arguments)
        // The lines have the order of the inputs.
        let rendering = try Rendering(arguments, console, effect, items, of: all.map(\.input.path), jobs: 1)
        return try Batch(arguments, items, ignored: found.ignored, rendering, jobs: 1, console).run()
    }
}

extension Arguments {
    /// Returns the value of `--output`. If it is missing and the last input may be meant as the output, the error states the
    /// option.
    func output(besides inputs: [FilePath]) throws(CommandError) -> FilePath {
        if !has(.output), inputs.count > 1, let last = inputs.last, !last.exists, Command.isPicture(last.text) {
            throw .usage("--output OUTPUT is required (did you mean -o \(last.shownName)?)")
        }
        return try requiredPath(.output)
    }
}
