import Frost
import FrostCLI
import FrostImages

/// A picture that a request asks for.
struct RequestedPicture: Sendable {
    let operation: RequestOperation
    let options: [RequestOption]
    let result: RequestedResult

    /// - Throws: ``Refusal`` for a preset that is unknown or does not fit, and if the client accepts no format.
    init(
        _ operation: Route.Operation, _ head: RequestHead, _ target: RequestTarget, _ settings: ServiceSettings
    ) throws(Refusal) {
        var (own, isExact) = RequestedResult.options(target, settings)
        let named: RequestOperation?
        var preset: String?
        switch operation {
        case .blur: named = .blur
        case .effect(let description): named = .effect(description)
        case .preset(let name): (named, preset) = (nil, name)
        }
        let given = own.filter { $0.name == Option.preset.name }
        if let first = given.first {
            guard preset == nil, given.count == 1 else {
                throw Refusal(400, "invalid-option", "a request can have one preset", option: Option.preset.name)
            }
            preset = first.value
            own.removeAll { $0.name == Option.preset.name }
        }
        try settings.check(own)
        do throws(CommandError) {
            let (chosen, options): (RequestOperation, [RequestOption])
            if let preset {
                (chosen, options) = try RequestOperation.preset(preset, among: settings.presets, for: named)
            } else {
                (chosen, options) = (named ?? .blur, [])
            }
            self.operation = chosen
            self.options = options + own
        } catch {
            throw preset == nil || named != nil
                ? Refusal(400, "invalid-option", "\(error)", option: Option.preset.name) : .notFound("\(error)")
        }
        result = try RequestedResult(head, options, isExact: isExact, settings)
    }

    /// Checks all options, before the body of the request arrives.
    @discardableResult
    func check(_ settings: ServiceSettings) throws(Refusal) -> PictureRequest {
        try settings.request(operation, options)
    }

    /// The entity tag of the result. It changes with all that the result's bytes depend on.
    ///
    /// - Parameter request: the checked options.
    func tag(of file: SourceFile, _ request: PictureRequest, _ settings: ServiceSettings) -> String {
        let parts =
            [
                frostVersion, file.identity, operation.name, result.isNegotiated ? result.accepted.key : "",
                (result.isExact ? settings.exact : settings.shared).backend.rawValue,
                request.usesKey ? "\(settings.key.words)" : "",
            ] + options.map { "\($0.name)=\($0.value)" }
        // The lengths separate the parts without doubt.
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        let digits = Array("0123456789abcdef")
        let digest = FileHash.sha256(Array(text.utf8)).prefix(16)
        return "\"" + String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) + "\""
    }
}

/// A transition that a request asks for.
struct RequestedTransition: Sendable {
    let description: TransitionDescription
    let options: [RequestOption]
    let result: RequestedResult

    /// - Throws: ``Refusal`` if the client accepts no format.
    init(
        _ description: TransitionDescription, _ head: RequestHead, _ target: RequestTarget, _ settings: ServiceSettings
    ) throws(Refusal) {
        let (own, isExact) = RequestedResult.options(target, settings)
        try settings.check(own)
        self.description = description
        options = own
        result = try RequestedResult(head, own, isExact: isExact, settings)
    }
}
