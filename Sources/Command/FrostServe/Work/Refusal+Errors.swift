import Frost
import FrostCLI
import FrostImages
import FrostPipeline

extension Refusal {
    /// The code for a picture whose format `--allow` does not list.
    static let formatNotAllowed = "format-not-allowed"

    /// The refusal for a picture that cannot be read or written.
    init(_ error: ImageError) {
        let text = error.descriptionWithFirstFrame
        switch error {
        case .unrecognised: self.init(415, "unknown-format", text)
        case .notAllowed: self.init(415, Self.formatNotAllowed, text)
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
        case .frost(let error): self.init(error, operation.name)
        }
    }

    /// The refusal for pictures from which no transition can be made.
    init(_ error: CommandError, _ description: TransitionDescription) {
        switch error {
        case .usage: self.init(RequestError(error, TransitionRequest.options(of: description)))
        case .image(let error), .severalFrames(let error, _): self.init(error)
        case .frost(let error), .picture(_, let error): self.init(error, description.name)
        case .isFolder, .noPictures, .noFolder, .exists, .boxes, .scene, .video: self.init(500, "internal", "\(error)")
        }
    }

    /// The refusal for work that failed.
    ///
    /// - Parameter name: the name of the effect or the transition.
    private init(_ error: FrostError, _ name: String) {
        switch error {
        case .parameter(let error): self.init(422, "bad-parameter", "\(name): \(error)")
        case .pixels, .noThread, .outOfMemory: self = .unavailable("memory", "\(error)")
        case .cancelled, .busy: self = .unavailable("over-time", "\(error)")
        case .surface, .deviceUnavailable, .deviceFailed, .forked: self.init(500, "internal", "\(error)")
        }
    }
}
