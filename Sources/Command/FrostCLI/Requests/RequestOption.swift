import Frost

/// An option of a request: its name without dashes, and its value, which is empty for a switch.
package struct RequestOption: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// The error about an option of a request. Its text is that of the command.
package struct RequestError: Error {
    package let message: String
    /// The name of the option without dashes; nil if the error is about none.
    package let option: String?
    /// The values that the option allows; nil if they are not the cause, or not a range or a list.
    package let range: String?

    package init(_ message: String, option: String? = nil, range: String? = nil) {
        (self.message, self.option, self.range) = (message, option, range)
    }

    /// Creates the error for one of the command, which names options with their dashes.
    package init(_ error: CommandError, _ options: [Option]) {
        message = "\(error)"
        let words = message.split { $0 == " " || $0 == ":" || $0 == "," || $0 == "=" }
        let option = words.lazy.filter { $0.hasPrefix("--") }
            // A request brings the files of options as fields of a form.
            .compactMap { word in
                (options + Option.inputFiles + [.shading, .backside]).first { "--\($0.name)" == word }
            }.first
        self.option = option?.name
        range = message.contains("allowed: ") ? option?.kind.allowed : nil
    }
}

extension Arguments {
    /// Parses the options of a request.
    ///
    /// - Parameters:
    ///   - options: the options that the request may have.
    ///   - remark: a text for the error about another option.
    /// - Throws: ``RequestError`` for the first option that is unknown, or whose value is not allowed.
    init(_ given: [RequestOption], of options: [Option], remark: String) throws(RequestError) {
        var words: [String] = []
        for item in given {
            let isName = !item.name.isEmpty && item.name.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }
            guard isName else { throw RequestError("unknown option \(item.name.shownName)", option: item.name) }
            let option = options.first { $0.name == item.name }
            guard let word = Self.word(item, option) else { continue }
            do throws(CommandError) {
                _ = try Arguments(
                    [word], options: option.map { [$0] } ?? options, remark: remark,
                    environment: { _ in nil })
            } catch {
                throw RequestError("\(error)", option: item.name, range: option?.kind.allowed)
            }
            words.append(word)
        }
        do throws(CommandError) {
            self = try Arguments(
                words[...], options: options, remark: remark, environment: { _ in nil })
        } catch {
            throw RequestError(error, options)
        }
    }

    /// Returns the word of the command line for an option; nil for a switch that is off.
    private static func word(_ item: RequestOption, _ option: Option?) -> String? {
        guard let option, option.value == nil else { return "--\(item.name)=\(item.value)" }
        switch item.value {
        case "", "1", "true", "on": return "--\(item.name)"
        case "0", "false", "off": return nil
        case let other: return "--\(item.name)=\(other)"
        }
    }
}
