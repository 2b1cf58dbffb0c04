import CFrostImages
package import FrostCSupport
package import FrostImages
package import FrostPipeline

extension ImageError: FailureCause { package var failure: Failure { Failure(self) } }
extension PipelineError: FailureCause { package var failure: Failure { Failure(self) } }

extension Failure {
    init(_ error: ImageError) {
        let status =
            if case .cannotIsolate = error {
                FROST_ERROR_SYSTEM
            } else {
                switch error.kind {
                case .unreadable: FROST_ERROR_UNREADABLE
                case .overLimit: FROST_ERROR_OVER_LIMIT
                case .unwritable: FROST_ERROR_UNWRITABLE
                }
            }
        self.init(Int(status), Failure.withOptionNames(error.descriptionWithFirstFrame))
    }

    init(_ error: PipelineError) {
        switch error {
        case .image(let error): self.init(error)
        case .frost(let error): self.init(error)
        case .regions(.parameter(let error)): self.init(error)
        case .regions(.box(let error)): self.init(error)
        }
    }

    init(_ error: BoxFileError) { self.init(Int(FROST_ERROR_UNREADABLE), error.description) }

    /// The fields of frost_encoded_options that have another name than the command's option.
    private static let renamed = ["rect": "rects", "linear": "light"]

    /// Replaces the options of the command that a message names, such as "--first-frame", by the fields of
    /// frost_encoded_options, such as "first_frame". The placeholder of an option's value, as in "--mask FILE", is left out.
    static func withOptionNames(_ message: String) -> String {
        var words: [String] = []
        var isAfterOption = false
        for word in message.split(separator: " ", omittingEmptySubsequences: false) {
            let name = word.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
            let isOption = word.hasPrefix("--") && name.first?.isLetter == true
            let placeholder = word.prefix { $0.isLetter }
            if isOption {
                let field = renamed[String(name)] ?? name.map { $0 == "-" ? "_" : String($0) }.joined()
                words.append(field + word.dropFirst(2 + name.count))
            } else if isAfterOption, !placeholder.isEmpty, placeholder.allSatisfy(\.isUppercase) {
                words[words.count - 1] += word.dropFirst(placeholder.count)
            } else {
                words.append(String(word))
            }
            isAfterOption = isOption
        }
        return words.joined(separator: " ")
    }
}
