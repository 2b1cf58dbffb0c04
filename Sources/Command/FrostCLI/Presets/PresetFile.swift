package import Frost
import FrostImages
import Glibc

/// The presets of Frost, and those of the user's file.
///
/// The file has a line with the name of each preset in brackets, and lines of options as on a command line below it. A line may
/// begin with the command that the options belong to. Words with spaces stand in quotation marks, and # begins a comment.
///
/// ```
/// [lock]
/// blur --sigma 24 --tint black,0.3
///
/// [bar]
/// effect blur-dark
/// --rect 0,0,100%,48    # the height of the panel
/// ```
package enum PresetFile {
    /// The largest file that is read, in bytes.
    private static let sizeLimit = 1 << 20

    /// The text of the presets that are part of Frost.
    private static let shipped = """
        [lock-screen]
        blur --sigma 24 --tint black,0.3
        [hero]
        effect material-thick-light --rect center,60%x40% --corner-radius 24 --corner-smoothing 0.6
        [placeholder]
        blur --resize 20 --sigma 1 --format webp --quality 40 --keep none --data-uri
        [redact]
        effect redact --fill black --keep none
        """

    /// The user's file; nil if neither XDG_CONFIG_HOME nor HOME is an absolute path.
    package static var path: FilePath? { CacheFolder.configuration().map { FilePath("\($0)/presets") } }

    /// Returns all presets: those of the user's file, which may replace those of Frost, and the others of Frost.
    package static func all() throws(CommandError) -> [Preset] {
        let own = try users()
        let names = Set(own.map(\.name))
        return own + (try presets(in: Array(shipped.utf8), of: nil)).filter { !names.contains($0.name) }
    }

    /// Returns a preset by its name.
    ///
    /// - Parameter presets: all presets.
    static func preset(_ name: String, of presets: [Preset]) throws(CommandError) -> Preset {
        guard let preset = presets.first(where: { $0.name == name }) else {
            let near = Suggestion.phrase(for: name, among: presets.map(\.name))
            throw .usage("unknown preset \(name.shownName)\(near); 'frost presets' lists the presets")
        }
        return preset
    }

    private static func users() throws(CommandError) -> [Preset] {
        guard let path else { return [] }
        let bytes: [UInt8]
        do throws(Errno) {
            let descriptor = try path.open(O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            bytes = try Descriptor.readAll(descriptor, limit: sizeLimit + 1)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return [] }
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
        guard bytes.count <= sizeLimit else {
            throw .usage("\(path.shownName): the file has more than \(sizeLimit) bytes")
        }
        return try presets(in: bytes, of: path)
    }

    /// Parses a file.
    static func presets(in bytes: [UInt8], of file: FilePath?) throws(CommandError) -> [Preset] {
        var presets: [Preset] = []
        func failure(_ line: Int, _ reason: String) -> CommandError {
            .usage("\(file?.shownName ?? "presets"):\(line): \(reason)")
        }
        // Editors may begin a file with a byte order mark.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        for (index, text) in content.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            guard var words = words(of: FileName.decode(text)) else {
                throw failure(number, "a quotation mark is not closed, or the line ends in a backslash")
            }
            guard let first = words.first else { continue }
            if first.hasPrefix("[") {
                let name = first.dropFirst().dropLast()
                guard first.hasSuffix("]"), words.count == 1, !name.isEmpty,
                    name.unicodeScalars.allSatisfy({
                        $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
                    })
                else {
                    throw failure(
                        number, "the name of a preset is a line such as [lock-screen], of letters, digits, - and _")
                }
                guard !presets.contains(where: { $0.name == name }) else {
                    throw failure(number, "the preset \(name) is defined twice")
                }
                presets.append(Preset(name: String(name), command: [], lines: [], file: file))
                continue
            }
            guard let last = presets.popLast() else {
                throw failure(number, "options stand before the first name, which is a line such as [lock-screen]")
            }
            var command = last.command
            if last.lines.isEmpty, command.isEmpty {
                command = Array(words.prefix { !$0.hasPrefix("-") })
                words.removeFirst(command.count)
            }
            let lines = last.lines + (words.isEmpty ? [] : [(number, words)])
            presets.append(Preset(name: last.name, command: command, lines: lines, file: file))
        }
        return presets
    }

    /// Splits a line at spaces, as shells do: with quotation marks of both kinds, and a backslash before a character. Returns nil
    /// if a quotation mark is not closed, or if no character follows a backslash.
    static func words(of line: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch (scalar, quote) {
            case ("\\", nil), ("\\", "\""):
                guard let next = rest.popFirst() else { return nil }
                word = (word ?? .init()) + CollectionOfOne(next)
            case (let scalar, let open?) where scalar == open: quote = nil
            case ("'", nil), ("\"", nil): (quote, word) = (scalar, word ?? .init())
            case (" ", nil), ("\t", nil), ("\r", nil):
                if let done = word { words.append(String(done)) }
                word = nil
            case ("#", nil) where word == nil: return words
            case (let scalar, _): word = (word ?? .init()) + CollectionOfOne(scalar)
            }
        }
        if let word { words.append(String(word)) }
        return quote == nil ? words : nil
    }
}
