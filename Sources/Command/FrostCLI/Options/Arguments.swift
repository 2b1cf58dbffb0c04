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
    ///   has a value, an option that may not repeat occurs twice, or an option does not allow its value. The last case
    ///   is not checked if the command line contains --help or --version.
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
            var name = word
            var attached: String?
            if word.hasPrefix("--") {
                // A value may begin with a combining mark, which would be part of the character "=". So the word is
                // split at its code points.
                if let equals = word.unicodeScalars.firstIndex(of: "=") {
                    name = String(word[..<equals])
                    attached = String(word.unicodeScalars[equals...].dropFirst())
                }
            } else if word.unicodeScalars.count > 2 {
                name = String(word.unicodeScalars.prefix(2))
                attached = String(word.unicodeScalars.dropFirst(2))
            }
            guard let option = options.first(where: { $0.spellings.contains(name) }) else {
                if tolerant { continue }
                // -sigma is formally the option -s with a value, but users usually mean --sigma.
                let meant = name.hasPrefix("--") ? name : "-\(word)"
                let near = Suggestion.phrase(for: meant, among: options.map { "--\($0.name)" })
                // Some users know the size of a Gaussian blur under the name "radius", and write --radius instead of
                // --sigma.
                let takesSigma = options.contains { $0.name == Option.sigma.name }
                if name == "--radius", takesSigma, remark.isEmpty {
                    throw .usage("unknown option --radius: use --sigma")
                }
                if Option.shared.contains(where: { "--\($0.name)" == name }) {
                    throw .usage("\(name) does not apply to this command")
                }
                throw .usage("unknown option \(name)\(near)\(remark)")
            }
            if option.value == nil {
                guard attached == nil || tolerant else { throw .usage("\(name) takes no value") }
                given[option.name] = [WrittenValue(text: "", origin: .line(name))]
                continue
            }
            guard let value = attached ?? rest.popFirst() else {
                if tolerant { return }
                throw .usage("\(name) needs a value")
            }
            guard !value.isEmpty || tolerant else { throw .usage("\(name) needs a value that is not empty") }
            guard option.repeats || tolerant || given[option.name] == nil else {
                throw .usage("\(name) is given twice")
            }
            given[option.name, default: []].append(WrittenValue(text: value, origin: .line("--\(option.name)")))
        }
    }

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

    /// Splits the value of an option at its commas and returns the parts; nil if the option has no value.
    package func list<Value: OptionValue>(_ option: Option, of type: Value.Type) -> [Value]? {
        value(option)?.split(separator: ",").compactMap { Value(written: String($0)) }
    }
}

extension Arguments {
    /// Checks that standard input is used at most once.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if more than one of the inputs, masks and contents is "-".
    package func checkStandardInput(_ inputs: [FilePath]) throws(CommandError) {
        guard
            (inputs + values(.mask, as: FilePath.self) + values(.content, as: FilePath.self)).filter({ $0 == "-" })
                .count <= 1
        else {
            throw .usage("standard input can be used only once")
        }
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
