package import Frost
import FrostCPU
import FrostGPU

/// The words of a command line, checked against the options that a command declares.
package struct Arguments {
    private var given: [String: [WrittenValue]] = [:]
    /// Values from environment variables, for options that are not on the command line.
    private var inherited: [String: WrittenValue] = [:]
    /// The words that are neither options nor values of options, in their order on the command line.
    package private(set) var operands: [String] = []
    /// The operands as paths.
    package var paths: [FilePath] { operands.map { FilePath($0) } }

    /// Parses and checks a command line.
    ///
    /// - Parameters:
    ///   - remark: text that is appended to the error about an unknown option.
    ///   - tolerant: whether to ignore errors. Commands whose options depend on the named effect parse their words
    ///     twice. The first parsing is tolerant, because not all options are known yet.
    ///   - environment: returns the value of an environment variable; nil if the variable is not set.
    /// - Throws: ``CommandError/usage(_:)`` in these cases: an option is unknown, an option lacks its value, a switch
    ///   has a value, or an option does not allow its value. The last case is not checked if the command line contains
    ///   --help or --version.
    package init(
        _ words: ArraySlice<String>, options: [Option], remark: String = "", tolerant: Bool = false,
        environment: (String) -> String? = Environment.value
    ) throws(CommandError) {
        try read(words, options, remark, tolerant)
        guard !tolerant, !has(.help), !has(.version) else { return }
        for option in options {
            for value in given[option.name] ?? [] { try value.check(option.kind) }
            guard given[option.name] == nil, let variable = option.environment, let text = environment(variable),
                !text.isEmpty
            else { continue }
            let value = WrittenValue(text: text, origin: .environment(variable))
            try value.check(option.kind)
            inherited[option.name] = value
        }
    }

    private mutating func read(
        _ words: ArraySlice<String>, _ options: [Option], _ remark: String, _ tolerant: Bool
    ) throws(CommandError) {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            try read(word, &rest, options, remark, tolerant)
        }
    }

    /// Reads a word that begins with a dash, and the value that follows it, if the word has none.
    private mutating func read(
        _ word: String, _ rest: inout ArraySlice<String>, _ options: [Option], _ remark: String, _ tolerant: Bool
    ) throws(CommandError) {
        var (name, attached) = Self.split(word)
        while true {
            guard let option = options.first(where: { $0.spellings.contains(name) }) else {
                if tolerant { return }
                throw Self.unknown(name, in: word, options, remark)
            }
            if option.value == nil {
                given[option.name] = [WrittenValue(text: "", origin: .line(name))]
                guard let more = attached else { return }
                guard !name.hasPrefix("--"), !more.hasPrefix("=") else {
                    if tolerant { return }
                    throw .usage("\(name) takes no value")
                }
                // Short switches combine: -rn is -r -n. The last one may be an option with a value: -qo out.png.
                (name, attached) = Self.split("-\(more)")
                continue
            }
            guard let value = attached.map({ Self.value($0, of: name) }) ?? rest.popFirst() else {
                if tolerant { return }
                throw .usage("\(name) needs a value")
            }
            guard !value.isEmpty || tolerant else { throw .usage("\(name) needs a value that is not empty") }
            let written = WrittenValue(text: value, origin: .line("--\(option.name)"))
            // The last value counts, so that an alias can set a default that its user overrides.
            given[option.name] = (option.repeats ? given[option.name] ?? [] : []) + [written]
            return
        }
    }

    /// Divides a word into the name of an option, with its dashes, and the value in the same word.
    private static func split(_ word: String) -> (name: String, attached: String?) {
        // A value may begin with a combining mark, which would be part of the character "=". So the word is split at its
        // code points.
        let scalars = word.unicodeScalars
        if word.hasPrefix("--") {
            guard let equals = scalars.firstIndex(of: "=") else { return (word, nil) }
            return (String(word[..<equals]), String(scalars[equals...].dropFirst()))
        }
        guard scalars.count > 2 else { return (word, nil) }
        return (String(scalars.prefix(2)), String(scalars.dropFirst(2)))
    }

    /// Returns the value that is attached to the name of an option. `-o=x` means the same as `--output=x`.
    private static func value(_ attached: String, of name: String) -> String {
        guard !name.hasPrefix("--"), attached.unicodeScalars.first == "=" else { return attached }
        return String(attached.unicodeScalars.dropFirst())
    }

    /// Returns the error about an unknown option in a word.
    private static func unknown(_ name: String, in word: String, _ options: [Option], _ remark: String) -> CommandError
    {
        // -sigma is formally the option -s with a value, but users usually mean --sigma.
        let meant = word.hasPrefix("--") ? name : "-\(word)"
        // Some users know the size of a Gaussian blur under the name "radius", others that of an effect under "sigma".
        let known = meant == "--radius" && remark.isEmpty ? Option.sigma.name : meant == "--sigma" ? "radius" : nil
        if let known, options.contains(where: { $0.name == known }) {
            return .usage("unknown option \(name): use --\(known)")
        }
        if Option.shared.contains(where: { "--\($0.name)" == name }) {
            return .usage("\(name) does not apply to this command")
        }
        let names = options.map { "--\($0.name)" }
        let near =
            names.contains(meant)
            ? " (did you mean \(meant)?)" : Suggestion.phrase(for: meant, among: names, beginnings: false)
        let place = word.hasPrefix(name) ? "" : " in \(word)"
        return .usage("unknown option \(name)\(place)\(near)\(remark)")
    }

    /// Returns the arguments without the first operand.
    func droppingFirstOperand() -> Arguments {
        var rest = self
        rest.operands.removeFirst()
        return rest
    }

    /// Whether the command line asks for help by `-h`, not by `--help`.
    var asksForShortHelp: Bool { written(.help)?.isShort == true }

    /// Returns whether the option is on the command line.
    package func has(_ option: Option) -> Bool { given[option.name] != nil }

    /// Returns the last value that the command line gives to the option. If the command line gives none, returns the
    /// value of the option's environment variable. The result also contains the origin of the value, for error
    /// messages.
    package func written(_ option: Option) -> WrittenValue? { given[option.name]?.last ?? inherited[option.name] }

    /// Returns the last value that the command line gives to the option. If the command line gives none, returns the
    /// value of the option's environment variable. If that is not set either, returns the default.
    package func value(_ option: Option) -> String? {
        if let written = written(option) { return written.text }
        if case .value(let text) = option.default { return text }
        return nil
    }

    /// Returns the value of an option, parsed as the given type; nil if the option has no value.
    package func value<Value: OptionValue>(_ option: Option, as type: Value.Type) -> Value? {
        value(option).flatMap(Value.init(written:))
    }

    /// Returns the value of an option that must have one, from the command line, the environment or the default. Throws
    /// if the option has no value.
    package func required<Value: OptionValue>(_ option: Option, as type: Value.Type) throws(CommandError) -> Value {
        guard let value = value(option, as: type) else {
            throw .usage("--\(option.name) \(option.value ?? "") is required")
        }
        return value
    }

    package func required(_ option: Option) throws(CommandError) -> String { try required(option, as: String.self) }

    /// Returns the value of an option as a path; nil if the option has no value.
    package func path(_ option: Option) -> FilePath? { value(option, as: FilePath.self) }

    /// Returns the value of an option that must have one, as a path.
    package func requiredPath(_ option: Option) throws(CommandError) -> FilePath {
        try required(option, as: FilePath.self)
    }

    /// Returns all values that the command line gives to the option, in order.
    package func values<Value: OptionValue>(_ option: Option, as type: Value.Type = String.self) -> [Value] {
        (given[option.name] ?? []).compactMap { Value(written: $0.text) }
    }

    /// Returns the options on the command line with their values, sorted by name. Leaves out the options whose names
    /// are in `except`.
    package func written(except: Set<String>) -> [(name: String, values: [String])] {
        given.filter { !except.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.map(\.text)) }
    }

    /// Returns the options that ``written(except:)`` returns, and those that environment variables set.
    func effective(except: Set<String>) -> [(name: String, values: [String])] {
        let others = inherited.filter { given[$0.key] == nil && !except.contains($0.key) }.map {
            ($0.key, [$0.value.text])
        }
        return (written(except: except) + others).sorted { $0.name < $1.name }
    }

    /// Splits the value of an option at its commas and returns the parts; nil if the option has no value.
    package func list<Value: OptionValue>(_ option: Option, of type: Value.Type) -> [Value]? {
        value(option)?.split(separator: ",").compactMap { Value(written: String($0)) }
    }
}

extension Arguments {
    /// Checks that standard input is used at most once.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if more than one of the inputs and ``inputFiles`` is "-".
    package func checkStandardInput(_ inputs: [FilePath]) throws(CommandError) {
        guard (inputs + inputFiles).filter({ $0 == "-" }).count <= 1 else {
            throw .usage("standard input can be used only once")
        }
    }

    /// The files that options other than the operands name. The word for the depth of each picture is not a file.
    package var inputFiles: [FilePath] {
        Option.inputFiles.filter { !usesDepth || $0.name != Option.mask.name }.flatMap { values($0, as: FilePath.self) }
    }

    /// Returns the Gaussian blur that `--sigma S[,SY]` and `--edge` describe.
    func gaussian() throws(CommandError) -> GaussianBlur {
        _ = try required(.sigma)
        let sigmas = list(.sigma, of: Double.self) ?? []
        let edge = try required(.edge, as: EdgeMode.self)
        return try rethrow(
            GaussianBlur(sigmaX: sigmas[0], sigmaY: sigmas[sigmas.count - 1], edge: edge),
            as: CommandError.refused)
    }

    /// The value of `--threads`, or ``CPUExecutor/defaultThreads``.
    var threads: Int { value(.threads, as: Int.self) ?? CPUExecutor.defaultThreads }

    /// Creates the renderer that `--backend`, `--device` and `--threads` select. A device and a backend contradict each
    /// other if the backend uses no GPU. If one of the two comes from the command line and the other from an
    /// environment variable, the command line wins.
    ///
    /// - Parameter jobs: the number of renderers that share the threads.
    package func renderer(jobs: Int = 1) throws(CommandError) -> Renderer {
        var backend = try required(.backend, as: Backend.self)
        var device = value(.device)
        if device != nil, backend == .cpu || backend == .exact {
            switch (has(.device), has(.backend)) {
            case (true, false): backend = .auto
            case (false, true): device = nil
            default:
                let names = [Option.device, .backend].map { written($0)?.name ?? "" }
                throw .usage("\(names[0]) selects a GPU, but \(names[1]) does not use one")
            }
        }
        do throws(FrostError) {
            let threads = value(.threads, as: Int.self)
            let share = jobs == 1 ? threads : max(1, self.threads / jobs)
            return try Renderer(backend: backend, device: device, threads: share, options: gpuOptions)
        } catch {
            throw .frost(error)
        }
    }
}
