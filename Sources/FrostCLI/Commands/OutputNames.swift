import Frost
package import FrostImages
import Glibc

/// An input and where its result goes.
struct Work {
    let input: Input
    let output: String
    /// The format of the result; nil for that of the input.
    let format: ImageFormat?
    /// Whether missing folders of the output are made.
    let makesFolders: Bool
    /// Whether the result replaces the input.
    let replacesInput: Bool
}

/// Where each input's result goes: `--output` as a file, a folder or a template.
package struct OutputNames {
    private let pattern: String
    /// Whether the pattern makes a name for each input. Such files are overwritten only with `--force`.
    let isTemplate: Bool
    /// Placeholders with the same value in every name.
    private let constants: [(name: String, text: String)]
    /// Whether the pattern ends in a slash, so that the folder is made if it is missing.
    private let namesFolder: Bool
    /// The format given by `--format`.
    private let format: ImageFormat?

    /// - Parameter constants: such as sigma, with its text. `dir`, `tree`, `stem` and `ext` are the input's.
    /// - Throws: ``CommandError/usage(_:)`` for unknown placeholders, and one file for several inputs.
    init(
        _ pattern: String, inputs: [Input], format: ImageFormat?, constants: [(name: String, text: String)]
    ) throws(CommandError) {
        self.format = format
        let isFolder = Self.isFolder(pattern)
        namesFolder = pattern.hasSuffix("/")
        self.pattern = isFolder ? (pattern.hasSuffix("/") ? pattern : pattern + "/") + "{tree}{stem}.{ext}" : pattern
        isTemplate = self.pattern.contains("{")
        self.constants = constants
        let known = ["dir", "tree", "stem", "ext"] + constants.map(\.name)
        guard isTemplate || inputs.count <= 1 && inputs.first?.isFound != true else {
            throw .usage(
                "several inputs need --output to be a folder or a template, such as out/ or {stem}-blurred.png")
        }
        for placeholder in Self.placeholders(in: self.pattern) where !known.contains(placeholder) {
            let names = known.map { "{\($0)}" }.joined(separator: " ")
            throw .usage("--output: unknown placeholder {\(placeholder)}; known are \(names)")
        }
    }

    private static func isFolder(_ pattern: String) -> Bool {
        if pattern.hasSuffix("/") { return true }
        var status = stat()
        return unsafe stat(pattern.fileName, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The folder of all outputs, if the pattern has one.
    static func folder(of pattern: String) -> String? {
        if isFolder(pattern) { return pattern }
        let fixed = pattern.prefix { $0 != "{" }
        return fixed.lastIndex(of: "/").map { String(fixed[...$0]) }
    }

    /// Makes the missing folders of a path. If that fails, writing the file fails with the reason.
    static func makeFolders(for path: String) {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            // SAFETY: the string is passed as a C string for the duration of the call.
            _ = unsafe mkdir(String(path[..<slash]).fileName, 0o777)
            end = slash
        }
    }

    /// The output of an input.
    func name(for input: Input) -> String {
        guard isTemplate else { return pattern }
        let (input, tree) = (input.path, input.tree)
        let slash = input.lastIndex(of: "/")
        let file = slash.map { input[input.index(after: $0)...] } ?? input[...]
        let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
        let values: [(String, String)] =
            [
                ("dir", slash.map { $0 == input.startIndex ? "/" : String(input[..<$0]) } ?? "."),
                ("tree", tree),
                ("stem", input == "-" ? "stdin" : String(dot.map { file[..<$0] } ?? file)),
                ("ext", suffix(for: input)),
            ] + constants.map { ($0.name, $0.text) }
        var name = ""
        var rest = pattern[...]
        // One pass from left to right, so that a file name with braces in it is never taken for a placeholder.
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let key = rest[rest.index(after: open)..<close]
            name += rest[..<open] + (values.first { $0.0 == key }?.1 ?? "")
            rest = rest[rest.index(after: close)...]
        }
        return name + rest
    }

    /// The suffix of `--format`, else the input's if Frost writes that format, else PNG's, which can hold every
    /// picture.
    private func suffix(for input: String) -> String {
        if let format, ImageFormat(suffixOf: input) != format { return format.traits.suffixes[0] }
        if input == "-" { return (StandardInput.format ?? .png).traits.suffixes[0] }
        let own = ImageFormat.suffix(of: input)
        return ImageFormat(suffixOf: input) == nil ? ImageFormat.png.traits.suffixes[0] : own ?? ""
    }

    /// The format of an output by its name and `--format`; nil for pipes and devices without `--format`, which take
    /// the input's.
    ///
    /// - Throws: ``CommandError/usage(_:)`` for a name without a known suffix, or one that contradicts `--format`.
    package static func format(of path: String, stated: ImageFormat?) throws(CommandError) -> ImageFormat? {
        let named = path == "-" || path.hasPrefix("/dev/") ? nil : ImageFormat(suffixOf: path)
        if let stated {
            if let named, named != stated {
                throw .usage(
                    "\(path.shownName): the name means \(named.traits.title), but --format \(stated.traits.title)")
            }
            return stated
        }
        if named == nil, path != "-", !path.hasPrefix("/dev/") {
            let error = ImageError.unknownSuffix(path: path).description
            guard OptionalFormat.missing(suffixOf: path) == nil else { throw .usage(error) }
            let near = ImageFormat.suffix(of: path).map {
                Suggestion.phrase(for: $0, among: ImageFormat.allCases.flatMap(\.traits.suffixes))
            }
            throw .usage(error + (near ?? ""))
        }
        return named
    }

    private static func placeholders(in pattern: String) -> [String] {
        pattern.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
            String($0.prefix { $0 != "}" })
        }
    }

    /// One name for every path to a file: links and `..` are resolved, also in the folder of a file that does not
    /// exist yet.
    private static func canonical(_ path: String) -> String {
        // SAFETY: realpath returns a C string that is freed here, or null.
        if let real = unsafe realpath(path.fileName, nil) {
            defer { unsafe free(real) }
            return unsafe String(fileName: real)
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // SAFETY: as above.
        guard let real = unsafe realpath(folder.fileName, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(fileName: real) + "/" + (slash.map { path[path.index(after: $0)...] } ?? path[...])
    }

    /// Whether there is anything at a path, a broken link included.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path.fileName, &status) == 0
    }

    /// Refuses existing files whose names come from a template.
    func checkAbsent(_ works: [Work]) throws(CommandError) {
        for work in works where isTemplate && Self.exists(work.output) { throw .exists(path: work.output) }
    }

    /// The output of every input, checked before any work: all differ, and none is the input of another.
    func resolve(_ inputs: [Input]) throws(CommandError) -> [Work] {
        var works: [Work] = []
        var seen: [String: Input] = [:]
        let read = Dictionary(inputs.map { (Self.canonical($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        for input in inputs {
            let output = name(for: input)
            let format = try Self.format(of: output, stated: format)
            let place = output == "-" ? output : Self.canonical(output)
            if let other = seen.updateValue(input, forKey: place), output != "-" {
                throw .usage(
                    "\(other.path.shownName) and \(input.path.shownName) would both be written to \(output.shownName)")
            }
            let replaced = read[place]
            if let replaced, replaced.path != input.path {
                throw .usage("\(input.path.shownName) would be written to \(output.shownName), which is also an input")
            }
            works.append(
                Work(
                    input: input, output: output, format: format,
                    makesFolders: input.isFound || namesFolder, replacesInput: replaced != nil))
        }
        return works
    }
}

extension Arguments {
    /// `--format`, by the format's name or by a suffix.
    func format() throws(CommandError) -> ImageFormat? {
        guard let text = value(.format) else { return nil }
        guard let format = ImageFormat(named: text.lowercased()) else {
            let names = ImageFormat.allCases.map(\.rawValue)
            let near = Suggestion.phrase(for: text, among: names)
            throw .usage("--format \(text): allowed are \(names.joined(separator: ", "))\(near)")
        }
        return format
    }
}
