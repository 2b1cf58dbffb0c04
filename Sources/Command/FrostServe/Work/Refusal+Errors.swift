import Frost
import FrostCLI
import FrostImages
import FrostPipeline

extension Refusal {
    /// The refusal for a picture that cannot be read or written.
    init(_ error: ImageError) {
        let text = error.descriptionWithFirstFrame
        switch error {
        case .unrecognised: self.init(415, "unknown-format", text)
        case .unsupported, .badStream: self.init(422, "unsupported", text)
        case .animated: self.init(422, "animated", text, option: "first-frame")
        case .corrupt, .truncated, .decoderEnded: self.init(422, "damaged", text)
        case .overLimit(_, let what, _, let limit):
            self.init(413, "over-limit", text, range: "\(what) of at most \(limit)")
        case .tooComplex, .overMemory: self.init(413, "over-limit", text)
        case .overTime: self = .unavailable("over-time", text)
        case .outOfMemory, .encoderEnded: self = .unavailable("memory", text)
        case .cannotHold, .cannotEncode: self.init(422, "cannot-encode", text)
        case .cannotRead, .isDirectory, .cannotIsolate, .cannotWrite, .unknownSuffix: self.init(500, "internal", text)
        }
    }

    /// The refusal for a picture to which the effect cannot be applied.
    init(_ error: PipelineError, _ operation: RequestOperation) {
        switch error {
        case .image(let error): self.init(error)
        case .regions(.parameter(let error)): self.init(422, "bad-rectangle", "\(error)", option: "rect")
        case .regions(.box(let error)): self.init(422, "bad-rectangle", "\(error)", option: "rect")
        case .frost(.parameter(let error)): self.init(422, "bad-parameter", "\(operation.name): \(error)")
        case .frost(let error):
            switch error {
            case .pixels, .noThread: self = .unavailable("memory", "\(error)")
            case .cancelled, .busy: self = .unavailable("over-time", "\(error)")
            case .parameter, .surface, .deviceUnavailable, .deviceFailed, .forked:
                self.init(500, "internal", "\(error)")
            }
        }
    }
}
