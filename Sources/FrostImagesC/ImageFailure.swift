import CFrostImages
import FrostCSupport
import FrostImages
import FrostPipeline

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
        self.init(Int(status), Failure.withOptionNames(error.description))
    }

    init(_ error: PipelineError) {
        switch error {
        case .image(let error): self.init(error)
        case .frost(let error): self.init(error)
        case .regions(let error): self.init(error)
        }
    }

    /// Replaces the options of the command that a message names, such as "--first-frame", by the fields of
    /// frost_encoded_options, such as "first_frame", which have the same names otherwise.
    static func withOptionNames(_ message: String) -> String {
        message.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.hasPrefix("--"), word.dropFirst(2).first?.isLetter == true else { return String(word) }
            return word.dropFirst(2).map { $0 == "-" ? "_" : String($0) }.joined()
        }.joined(separator: " ")
    }
}
