import Frost
import FrostCLI
import FrostImages

/// How a request wants its result.
struct RequestedResult: Sendable {
    /// The formats that the client accepts.
    let accepted: AcceptedFormats
    /// Whether the header Accept decides about the format.
    let isNegotiated: Bool
    /// Whether the exact backend computes the result. The page asks for that.
    let isExact: Bool

    /// The name of the option for the exact backend.
    private static let exactOption = "exact"

    init(accepted: AcceptedFormats) { (self.accepted, isNegotiated, isExact) = (accepted, true, false) }

    /// - Parameter options: all options of the request.
    /// - Throws: ``Refusal`` if the client accepts no format that the server writes.
    init(
        _ head: RequestHead, _ options: [RequestOption], isExact: Bool, _ settings: ServiceSettings
    ) throws(Refusal) {
        let writable = settings.writable
        accepted = AcceptedFormats(head["accept"], allowed: writable)
        isNegotiated = !options.contains { $0.name == Option.pictureFormat.name }
        self.isExact = isExact
        if isNegotiated, accepted.isEmpty { throw Self.notAcceptable(writable) }
    }

    private static func notAcceptable(_ formats: Set<ImageFormat>) -> Refusal {
        Refusal(
            406, "not-acceptable", "the server writes none of the types that the field Accept lists",
            range: formats.map(\.mediaType).sorted().joined(separator: ", "), headers: [Header("Vary", "Accept")])
    }

    /// Returns the format of an animation. If the client accepts both, that is WebP, because it is smaller.
    ///
    /// - Throws: ``Refusal`` if the client accepts none.
    func animation() throws(Refusal) -> SequenceFormat {
        let known = TransitionRequest.animations
        let types = Set(known.compactMap(\.metadataFormat))
        let choice = accepted.choice(source: .webp) { types.contains($0) }
        guard let format = known.first(where: { $0.metadataFormat == choice }) else { throw Self.notAcceptable(types) }
        return format
    }

    /// Returns the format that the client accepts and that suits a result best.
    ///
    /// - Parameters:
    ///   - source: the format of the picture that the request brings; nil if it is unknown.
    ///   - isTransparent: whether the result has transparent pixels.
    func format(from source: ImageFormat?, isTransparent: Bool, _ settings: ServiceSettings) -> ImageFormat {
        let own = source?.ofResult ?? .png
        let usual = settings.formats.contains(own) ? own : .png
        let choice = accepted.choice(source: usual) { format in
            !isTransparent || format.traits.channels.contains(where: \.hasAlpha)
        }
        return choice ?? usual
    }

    /// The options of a query for the work itself, and whether the query asks for the exact backend.
    static func options(_ target: RequestTarget, _ settings: ServiceSettings) -> ([RequestOption], isExact: Bool) {
        let all = target.query.map(\.option).filter { $0.name != Signature.option }
        guard settings.hasPage else { return (all, false) }
        let rest = all.filter { $0.name != exactOption }
        return (rest, rest.count < all.count)
    }
}
