package import Frost

/// Options under a name, which `--preset NAME` puts before those of the command line. So the command line overrides them.
package struct Preset {
    package let name: String
    /// The command that the options belong to, such as "blur", or "effect redact"; empty if it is that of the command line.
    package let command: [String]
    /// The words of each line of options, and the number of the line in its file.
    let lines: [(number: Int, words: [String])]
    /// The file; nil for a preset of Frost.
    package let file: FilePath?

    /// The command and the options in one line, as one would write them.
    package var text: String {
        (command + lines.flatMap(\.words)).map { word in
            word.isEmpty || word.contains { " \t'\"\\#".contains($0) }
                ? "'\(word.replacing("'", with: "'\\''"))'" : word
        }.joined(separator: " ")
    }

    /// The number of the first line; nil for a preset of Frost.
    package var line: Int? { file == nil ? nil : lines.first.map(\.number) }

    /// Returns the error for a line of the preset.
    private func error(_ line: Int, _ reason: String) -> CommandError {
        .usage("\(file.map { "\($0.shownName):\(line)" } ?? "preset \(name)"): \(reason)")
    }

    /// Returns the words of the options, checked against the options of a command.
    func words(for command: Command) throws(CommandError) -> [String] {
        for line in lines {
            let arguments: Arguments
            do throws(CommandError) {
                arguments = try Arguments(
                    line.words[...], options: command.parameters + command.options + Command.common,
                    remark: command.remark, environment: { _ in nil })
            } catch {
                throw self.error(line.number, "\(error)")
            }
            if let operand = arguments.operands.first {
                throw error(line.number, "\(operand.shownName) is not an option; a preset has options only")
            }
            if arguments.has(.preset) { throw error(line.number, "a preset cannot contain --preset") }
        }
        return lines.flatMap(\.words)
    }
}

extension Option {
    package static let preset = Option(
        "preset", value: "NAME", kind: .preset,
        "put the options of this preset before the others; the last value of an option counts, and --rect adds a rectangle. "
            + "'frost presets' lists the presets of Frost and of the file $XDG_CONFIG_HOME/frost/presets")
}

extension Preset {
    /// Replaces `--preset NAME` in a command line by the options of the preset. If the command line has no command, it gets
    /// that of the preset.
    static func expand(_ words: [String], among commands: [Command]) throws(CommandError) -> [String] {
        guard let (name, rest) = try taken(from: words) else { return words }
        let preset = try PresetFile.preset(name, of: PresetFile.all())
        let leading = Command.leadingOptions(rest, of: commands)
        var line = Array(rest.dropFirst(leading.count))
        if let first = line.first, commands.contains(where: { $0.name == first }) {
            line.removeFirst()
            let own = preset.command.first ?? first
            guard own == first else {
                throw .usage(
                    "--preset \(name) is for frost \(preset.command.joined(separator: " ")), not frost \(first)")
            }
            return try preset.inserted(into: line, of: first, leading, among: commands)
        }
        guard let command = preset.command.first else {
            throw .usage("--preset \(name) needs a command, such as frost blur --preset \(name)")
        }
        return try preset.inserted(into: line, of: command, leading, among: commands)
    }

    /// Takes `--preset NAME` or `--preset=NAME` out of a command line.
    private static func taken(from words: [String]) throws(CommandError) -> (name: String, rest: [String])? {
        var (names, rest): ([String], [String]) = ([], [])
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--" {
                rest += [word] + words
                break
            }
            if word == "--preset", let value = words.popFirst() {
                names.append(value)
            } else if word.hasPrefix("--preset=") {
                names.append(String(word.dropFirst("--preset=".count)))
            } else {
                rest.append(word)
            }
        }
        guard names.count <= 1 else { throw .usage("--preset is given twice: \(names[0]) and \(names[1])") }
        return names.first.map { ($0, rest) }
    }

    /// Returns the command line with the options of the preset behind its command.
    private func inserted(
        into line: [String], of name: String, _ leading: ArraySlice<String>, among commands: [Command]
    ) throws(CommandError) -> [String] {
        var own = Array(command.dropFirst())
        // The effect may be on the command line, too.
        if let effect = own.first, line.first.map({ Synonyms.name(for: $0, among: [effect]) }) == effect { own = [] }
        var command = try Command.named(name, among: commands)
        if let specialized = command.specialized { command = try specialized((own + line)[...]) }
        return Array(leading) + [name] + own + (try words(for: command)) + line
    }
}
