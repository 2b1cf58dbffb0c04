package import Frost
package import FrostImages
import Glibc
import Synchronization

/// An input picture and the destination of its result.
struct BatchItem {
    let input: Input
    let output: FilePath
    /// The format of the result; nil if the result has the format of the input.
    let format: ImageFormat?
    /// Whether missing folders of the output path are created.
    let makesFolders: Bool
    /// Whether the result replaces the input file.
    let replacesInput: Bool
}

/// Maps each input to an output path. The value of `--output` is a file, a folder or a template.
package struct OutputNames {
    private let pattern: FilePath
    /// Whether the pattern yields a different name for each input. Existing files with such names are overwritten only
    /// with `--force`.
    let isTemplate: Bool
    /// The placeholders that have the same value in every name.
    private let constants: [(name: String, text: String)]
    /// The format that `--format` names; nil without this option.
    private let format: ImageFormat?
    /// Whether an output that is a symbolic link stands for the file that it leads to.
    private let followsLinks: Bool

    /// Parses the value of `--output`.
    ///
    /// - Parameters:
    ///   - constants: names and values of additional placeholders, for example sigma. The placeholders `dir`, `tree`,
    ///     `stem` and `ext` describe the input.
    ///   - followsLinks: whether an output that is a symbolic link stands for the file that it leads to.
    /// - Throws: ``CommandError/usage(_:)`` for unknown placeholders, or if there are several inputs but only one
    ///   output file.
    init(
        _ pattern: FilePath, inputs: [Input], format: ImageFormat?, constants: [(name: String, text: String)],
        followsLinks: Bool = true
    ) throws(CommandError) {
        (self.format, self.followsLinks) = (format, followsLinks)
        let isFolder = Self.isFolder(pattern)
        self.pattern = isFolder ? Self.escaped(pattern).appending("{tree}{stem}.{ext}") : pattern
        isTemplate = self.pattern.bytes.contains(Self.opening)
        self.constants = constants
        let known = [Self.folderName, "tree", "stem", "ext"] + constants.map(\.name)
        guard isTemplate || inputs.count <= 1 && inputs.first?.isFound != true else {
            throw .usage(
                "several inputs need --output to be a folder or a template, such as out/ or {stem}-blurred.png")
        }
        for case .unfinished(let name) in Self.pieces(self.pattern.bytes) {
            throw .usage("--output: the brace of {\(name) is not closed; {{ stands for a brace")
        }
        for placeholder in Self.placeholders(in: self.pattern) where !known.contains(placeholder) {
            let names = known.map { "{\($0)}" }.joined(separator: " ")
            throw .usage("--output: unknown placeholder {\(placeholder)}; allowed: \(names)")
        }
    }

    /// Returns whether the value of `--output` names a folder: it ends in a slash, or a folder of this name exists.
    package static func isFolder(_ pattern: FilePath) -> Bool {
        pattern.endsInSlash || pattern.isFolder
    }

    /// Returns the folder that contains all outputs; nil if the pattern does not determine such a folder.
    static func folder(of pattern: FilePath) -> FilePath? {
        if isFolder(pattern) { return pattern }
        let fixed = FilePath(bytes: pattern.bytes.prefix { $0 != opening })
        return fixed.name == fixed ? nil : fixed.folder
    }

    /// Held while folders are created, so that no other thread finds a folder that is not yet durable.
    private static let creation = Mutex(())

    /// Creates the missing folders of a path. The new folders are durable when this function returns, as the files will be
    /// that are written to them.
    ///
    /// - Throws: ``ImageError/cannotWrite(path:errno:)`` for the path, with the reason why a folder cannot be created.
    package static func createFolders(for path: FilePath) throws(ImageError) {
        try creation.withLock { (_) throws(ImageError) in try createFolders(of: path) }
    }

    private static func createFolders(of path: FilePath) throws(ImageError) {
        for (index, byte) in path.bytes.enumerated() where index > 0 && byte == UInt8(ascii: "/") {
            let folder = FilePath(bytes: path.bytes[..<index])
            do throws(Errno) { try Folder.make(folder, mode: 0o777) } catch {
                // If a file of this name exists, creating the next folder or the output fails with the reason. Some file
                // systems report another error than EEXIST for a folder that exists.
                guard error.code == EEXIST || (try? folder.status())?.kind == S_IFDIR else {
                    throw .cannotWrite(path: path.text, errno: error.code)
                }
            }
        }
    }

    /// Returns the output path of an input.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if a value of the template would lead out of the folder that the template
    ///   names; see ``expand(_:_:)``.
    func name(for input: Input) throws(CommandError) -> FilePath {
        guard isTemplate else { return pattern }
        let path = input.path
        // A folder has no name for the template.
        if path.endsInSlash { throw .isFolder(path: path.text) }
        let values =
            [
                Substitution(name: Self.folderName, bytes: path.folder.bytes),
                Substitution(name: "tree", bytes: input.tree.bytes),
                Substitution(name: "stem", bytes: path == "-" ? Array("stdin".utf8) : path.stem.bytes),
                Substitution(name: "ext", bytes: Array(suffix(for: path).utf8)),
            ] + constants.map { Substitution(name: $0.name, bytes: Array($0.text.utf8)) }
        guard let name = Self.expand(pattern, values) else {
            throw .usage(
                "\(path.shownName): a part of its name is '..', which --output \(pattern.shownName) would use as a folder"
            )
        }
        return name
    }

    /// A placeholder and its value.
    struct Substitution {
        let name: String
        let bytes: [UInt8]
    }

    /// The placeholder for the input's folder.
    private static let folderName = "dir"

    /// Replaces the placeholders of a template by their values, component by component. Values never lead out of the
    /// folder that the template names: if a component with placeholders becomes empty or ".", it is left out. The only
    /// exception is `{dir}` at the start of the template, which stands for the input's folder as it is, for example "/"
    /// or "..".
    ///
    /// - Returns: nil if a component with placeholders becomes "..".
    private static func expand(_ pattern: FilePath, _ values: [Substitution]) -> FilePath? {
        let slash = UInt8(ascii: "/")
        let start = Array("{\(folderName)}".utf8)
        var components: [[UInt8]] = []
        for (index, component) in pattern.bytes.split(separator: slash, omittingEmptySubsequences: false).enumerated() {
            guard component.contains(opening) || component.contains(closing) else {
                components.append(Array(component))
                continue
            }
            var parts = substitute(component, values).split(separator: slash, omittingEmptySubsequences: false)
            if index == 0, component.starts(with: start) {
                let isWhole = component.count == start.count
                // The folder "/" consists of two empty components, and the first one is the root.
                if isWhole, parts.last?.isEmpty == true { parts.removeLast() }
                let kept = isWhole ? parts.count : parts.count - 1
                components += parts[..<kept].map { Array($0) }
                parts.removeFirst(kept)
            }
            for part in parts where !part.isEmpty && !part.elementsEqual(".".utf8) {
                if part.elementsEqual("..".utf8) { return nil }
                components.append(Array(part))
            }
        }
        return FilePath(bytes: components.joined(separator: [slash]))
    }

    /// A part of a template.
    private enum Piece {
        case text([UInt8])
        case placeholder(String)
        /// A placeholder that does not end.
        case unfinished(String)
    }

    /// Divides a template into its parts. A doubled brace stands for one brace of the name.
    private static func pieces(_ pattern: some Collection<UInt8>) -> [Piece] {
        var (pieces, text): ([Piece], [UInt8]) = ([], [])
        var rest = Array(pattern)[...]
        while let byte = rest.popFirst() {
            guard byte == opening || byte == closing else {
                text.append(byte)
                continue
            }
            if rest.first == byte {
                rest.removeFirst()
                text.append(byte)
            } else if byte == closing {
                text.append(byte)
            } else {
                pieces.append(.text(text))
                text = []
                let name = FilePath(bytes: rest.prefix { $0 != closing }).text
                guard let end = rest.firstIndex(of: closing) else { return pieces + [.unfinished(name)] }
                pieces.append(.placeholder(name))
                rest = rest[(end + 1)...]
            }
        }
        return pieces + [.text(text)]
    }

    /// Returns a path with doubled braces, for a template in which they stand for themselves.
    private static func escaped(_ path: FilePath) -> FilePath {
        FilePath(bytes: path.bytes.flatMap { $0 == opening || $0 == closing ? [$0, $0] : [$0] })
    }

    /// Replaces the placeholders of a template by their values. Unknown placeholders become empty. A value that contains
    /// braces is never taken for a placeholder.
    private static func substitute(_ pattern: some Collection<UInt8>, _ values: [Substitution]) -> [UInt8] {
        pieces(pattern).flatMap { piece -> [UInt8] in
            switch piece {
            case .text(let bytes): bytes
            case .placeholder(let name): values.first { $0.name == name }?.bytes ?? []
            case .unfinished(let name): [opening] + FilePath(name).bytes
            }
        }
    }

    /// Replaces each occurrence of one placeholder by a text without slashes, which is not empty and not a dot.
    static func substitute(_ pattern: FilePath, _ placeholder: String, _ text: String) -> FilePath {
        FilePath(bytes: substitute(pattern.bytes, [Substitution(name: placeholder, bytes: Array(text.utf8))]))
    }

    private static let opening = UInt8(ascii: "{")
    private static let closing = UInt8(ascii: "}")

    /// Returns the suffix of the output for an input. With `--format`, the suffix is one of that format. Otherwise it
    /// is the suffix of the input if Frost can write the format of the input. If Frost cannot, the suffix is that of
    /// PNG, which can store most pictures.
    private func suffix(for input: FilePath) -> String {
        if let format, ImageFormat(suffixOf: input) != format { return format.traits.suffixes[0] }
        if input == "-" { return (StandardInput.format?.ofResult ?? .png).traits.suffixes[0] }
        let own = ImageFormat.suffix(of: input)
        return ImageFormat(suffixOf: input) == nil ? ImageFormat.png.traits.suffixes[0] : own ?? ""
    }

    /// Returns the format of an output, as its name and `--format` determine it. Returns nil for pipes and devices if
    /// `--format` is not given. Such an output has the format of the input.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if the name has no known suffix, or if the suffix contradicts `--format`.
    package static func format(of path: FilePath, stated: ImageFormat?) throws(CommandError) -> ImageFormat? {
        let named = path == "-" ? nil : ImageFormat(suffixOf: path)
        if let stated {
            if let named, named != stated {
                throw .usage(
                    "\(path.shownName): the file name means \(named.traits.title), but --format selects \(stated.traits.title)"
                )
            }
            return stated
        }
        if named == nil, !path.isStream {
            let error = ImageError.unknownSuffix(path: path.text).description
            guard ImageFormat.missing(suffixOf: path) == nil else { throw .usage(error) }
            let suffix = ImageFormat.suffix(of: path) ?? ""
            throw .usage(error + suggestion(for: suffix, among: ImageFormat.allCases.flatMap(\.traits.suffixes)))
        }
        return named
    }

    /// Whether an output is a GIF, which ffmpeg writes.
    private static func isGIF(_ path: FilePath) -> Bool {
        !path.isStream && ImageFormat.gif.hasSuffix(of: path)
    }

    /// Formats of other programs, and what to write instead.
    private static let remedies: [(suffixes: [String], remedy: String)] = [
        (["gif"], "only frost blur and frost effect write a GIF; animations are .webp or .apng"),
        (["bmp", "tga", "ico"], "use .png"), (["heic", "heif", "jp2"], "use .avif or .jxl"),
        (
            ["mp4", "mov", "mkv", "webm", "avi"],
            "write .y4m and encode it with ffmpeg, or process a video file with frost video"
        ),
    ]

    /// Returns a phrase about a suffix that Frost does not write: what to use instead, or the closest suffix.
    static func suggestion(for suffix: String, among known: [String]) -> String {
        let remedy = remedies.first { $0.suffixes.contains(suffix.lowercased()) }?.remedy
        return remedy.map { "; \($0)" } ?? Suggestion.phrase(for: suffix, among: known)
    }

    /// Returns the names of all placeholders in a template.
    static func placeholders(in pattern: FilePath) -> [String] {
        pieces(pattern.bytes).compactMap {
            switch $0 {
            case .text: nil
            case .placeholder(let name), .unfinished(let name): name
            }
        }
    }

    /// Converts a path to the canonical path of its file. All paths to the same file have the same canonical path.
    /// Links and `..` are resolved. If the file does not exist yet, they are resolved in the path of its folder.
    ///
    /// - Parameter followsLink: whether a symbolic link at the path stands for the file that it leads to.
    private static func canonical(_ path: FilePath, followsLink: Bool = true) -> FilePath {
        (followsLink ? path.canonical : nil) ?? path.folder.canonical?.appending(path.name) ?? path
    }

    /// Throws if an output file whose name comes from a template already exists.
    func checkAbsent(_ items: [BatchItem]) throws(CommandError) {
        for item in items where isTemplate && item.input.fault == nil && item.output.exists {
            throw .exists(path: item.output.text)
        }
    }

    /// Returns the item of every input. Before any work starts, this function checks that all outputs differ, and
    /// that no output would overwrite the file of another input.
    func resolve(_ inputs: [Input]) throws(CommandError) -> [BatchItem] {
        var items: [BatchItem] = []
        var seen: [FilePath: Input] = [:]
        let read = Dictionary(inputs.map { (Self.canonical($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        for input in inputs {
            guard input.fault == nil else {
                items.append(
                    BatchItem(input: input, output: input.path, format: nil, makesFolders: false, replacesInput: false))
                continue
            }
            let output = try name(for: input)
            let isGIF = format == nil && Self.isGIF(output)
            let format = try isGIF ? .gif : Self.format(of: output, stated: format)
            let place = output == "-" ? output : Self.canonical(output, followsLink: followsLinks)
            if let other = seen.updateValue(input, forKey: place), output != "-" {
                throw .usage(
                    "\(other.path.shownName) and \(input.path.shownName) would both be written to \(output.shownName)")
            }
            let replaced = read[place]
            if let replaced, replaced.path != input.path {
                throw .usage("\(input.path.shownName) would be written to \(output.shownName), which is also an input")
            }
            items.append(
                BatchItem(
                    input: input, output: output, format: format,
                    makesFolders: isTemplate, replacesInput: replaced != nil))
        }
        return items
    }
}

extension Arguments {
    /// Returns the format that `--format` names, by its name or by a suffix; nil without this option.
    func format() throws(CommandError) -> ImageFormat? {
        guard let text = value(.format) else { return nil }
        guard let format = ImageFormat(named: text.lowercased()) else {
            let names = ImageFormat.allCases.map(\.rawValue)
            let near = Suggestion.phrase(for: text, among: names)
            throw .usage("--format \(text): invalid value (allowed: \(names.joined(separator: ", ")))\(near)")
        }
        return format
    }
}
