import Frost

/// The words that can complete a command line. The hidden command `frost __complete WORD...` prints them for the shells.
struct Completion: Equatable {
    struct Word: Equatable {
        let text: String
        var explanation = ""

        /// The word and its explanation, separated by a tab.
        var line: String { explanation.isEmpty ? text : "\(text)\t\(explanation)" }
    }

    /// What the completed word is. The raw values are the first line that `frost __complete` prints.
    enum Form: String {
        /// One of the words.
        case words
        /// A list that ends in one of the words. More words can follow, separated by commas.
        case list
        /// A file name behind the text of the only word, which is empty or an option such as "--output=".
        case files
    }

    let form: Form
    let words: [Word]

    /// The lines that `frost __complete` prints.
    var lines: [String] { [form.rawValue] + words.map(\.line) }

    /// Creates the words that can complete a command line.
    ///
    /// - Parameters:
    ///   - line: the words behind the name of the program, up to the cursor. The last word is to be completed, and may be
    ///     empty.
    ///   - commands: the commands of the program.
    init(of line: ArraySlice<String>, among commands: [Command]) {
        // Bash splits words at "=".
        var line = line.filter { $0 != "=" } + (line.last == "=" ? [""] : [])
        let current = line.popLast() ?? ""
        let names = commands.map { Word(text: $0.name, explanation: Self.summary($0.summary)) }
        switch line.first {
        case nil:
            let others =
                [Word(text: "help", explanation: "Explain a command")] + Self.words([.help, .version], short: false)
            self.init(.words, names + others, current)
        case "help": self.init(.words, line.count == 1 ? names : [], current)
        case let name?:
            guard let command = commands.first(where: { $0.name == name }) else {
                self.init(.words, [], current)
                return
            }
            let rest = line.dropFirst()
            // An effect on the command line adds its parameters. An unknown one adds none.
            self.init(after: rest, of: (try? command.specialized?(rest)) ?? command, current)
        }
    }

    private init(after line: ArraySlice<String>, of command: Command, _ current: String) {
        let options = command.options + Command.common + command.parameters
        var pending: Option?
        var operands = 0
        var onlyOperands = false
        for word in line {
            if pending != nil {
                pending = nil
            } else if onlyOperands || !word.hasPrefix("-") || word == "-" {
                operands += 1
            } else if word == "--" {
                onlyOperands = true
            } else {
                pending = options.first { $0.value != nil && $0.spellings.contains(word) }
            }
        }
        if let pending {
            self.init(pending.kind, "", current)
        } else if !onlyOperands, current.hasPrefix("-") {
            if let (option, prefix) = Self.attachedValue(current, options) {
                self.init(option.kind, prefix, String(current.dropFirst(prefix.count)))
            } else {
                self.init(.words, Self.words(options), current)
            }
        } else {
            // A command whose options depend on its first operand stays general until that operand is known.
            let isFirst = operands == 0 || command.specialized != nil
            self.init((isFirst ? command.firstOperand : nil) ?? command.otherOperands, "", current)
        }
    }

    /// Creates the words for a value.
    ///
    /// - Parameter prefix: the text before the value in the same word, for example "--edge=".
    private init(_ kind: ValueKind, _ prefix: String, _ current: String) {
        switch kind {
        case .file: self.init(.files, [Word(text: prefix)], "")
        case .word(let words): self.init(.words, words.map { Word(text: prefix + $0) }, prefix + current)
        case .effect, .effectGroup:
            let groups = kind == .effectGroup ? EffectCatalog.groups.map { Word(text: prefix + $0) } : []
            let effects = EffectCatalog.all.map { Word(text: prefix + $0.name, explanation: Self.summary($0.summary)) }
            self.init(.words, groups + effects, prefix + current)
        case .list(let kind, _):
            let known = current.lastIndex(of: ",").map { current[...$0] } ?? ""
            let last = Completion(kind, prefix + known, String(current.dropFirst(known.count)))
            self.init(.list, last.words, "")
        case .preset:
            let presets = (try? PresetFile.all()) ?? []
            self.init(
                .words, presets.map { Word(text: prefix + $0.name, explanation: Self.summary($0.text)) },
                prefix + current)
        case .colorOr(let words): self.init(.words, words.map { Word(text: prefix + $0) }, prefix + current)
        case .anything, .integer, .number, .bytes, .color, .stops, .size, .rect, .resize, .cornerRadius, .shard:
            self.init(.words, [], current)
        }
    }

    private init(_ form: Form, _ words: [Word], _ current: String) {
        self.form = form
        self.words = words.filter { $0.text.hasPrefix(current) }
    }

    /// Returns the option and the text before its value, if the word contains both an option and its value, as
    /// "--edge=mirror" or "-oout.png" do.
    private static func attachedValue(_ word: String, _ options: [Option]) -> (Option, prefix: String)? {
        let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
        let name = equals.map { word[..<$0] } ?? word.prefix(2)
        guard name.count < word.count else { return nil }
        let option = options.first { $0.value != nil && $0.spellings.contains(String(name)) }
        return option.map { ($0, equals.map { String(word[...$0]) } ?? String(name)) }
    }

    private static func words(_ options: [Option], short: Bool = true) -> [Word] {
        options.flatMap { option in
            option.spellings.prefix(short ? 2 : 1).map { Word(text: $0, explanation: summary(option.help)) }
        }
    }

    /// Returns the first part of a help text, up to the first semicolon, colon or parenthesis.
    private static func summary(_ help: String) -> String {
        let part = help.prefix { !";:(".contains($0) }
        return String(part.hasSuffix(" ") ? part.dropLast() : part)
    }
}
