import Frost
import FrostCLI
import FrostImages

/// What a path names.
enum Route {
    case page
    /// The list of effects and their options.
    case effects
    /// The picture of `frost open`.
    case picture(OpenPage.Picture)
    case alive
    case ready
    case metrics
    /// An effect, for a picture in the body of the request.
    case body(Operation)
    /// A transition, for the pictures of a form in the body of the request.
    case transition(TransitionDescription)
    /// An effect, and the path of a source below the root.
    case source(Operation, ArraySlice<[UInt8]>)

    enum Operation {
        case blur
        case effect(EffectDescription)
        case preset(String)
    }

    /// - Throws: ``Refusal`` if the path names nothing.
    init(_ segments: [[UInt8]], _ settings: ServiceSettings) throws(Refusal) {
        let words = segments.prefix(2).map { String(decoding: $0, as: UTF8.self) }
        let unknown = Refusal.notFound(
            "there are /blur, /redact, /effect/NAME and /preset/NAME, each alone or with the path of a picture, and "
                + "/transition/NAME")
        switch (words.first, segments.count) {
        case (nil, _):
            guard settings.hasPage else { throw unknown }
            self = .page
            return
        case ("effects", 1):
            guard settings.hasPage else { throw unknown }
            self = .effects
            return
        case ("picture", 1):
            guard let picture = settings.openPage?.picture else { throw unknown }
            self = .picture(picture)
            return
        case ("healthz", 1):
            self = .alive
            return
        case ("readyz", 1):
            self = .ready
            return
        case ("metrics", 1):
            self = .metrics
            return
        case ("transition", 2):
            guard !settings.presetsOnly else { throw unknown }
            self = .transition(try Self.transition(words[1]))
            return
        case (_, _): break
        }
        let (operation, used): (Operation, Int)
        switch (words[0], words.dropFirst().first) {
        case ("blur", _): (operation, used) = (.blur, 1)
        case ("redact", _): (operation, used) = (.effect(try Self.effect("redact")), 1)
        case ("effect", let name?): (operation, used) = (.effect(try Self.effect(name)), 2)
        case ("preset", let name?): (operation, used) = (.preset(name), 2)
        case (_, _): throw unknown
        }
        if settings.presetsOnly {
            guard case .preset = operation else { throw .notFound("this server has only /preset/NAME") }
        }
        let rest = segments.dropFirst(used)
        self = rest.isEmpty ? .body(operation) : .source(operation, rest)
    }

    private static func effect(_ name: String) throws(Refusal) -> EffectDescription {
        do throws(CommandError) { return try EffectCatalog.named(name) } catch { throw .notFound("\(error)") }
    }

    private static func transition(_ name: String) throws(Refusal) -> TransitionDescription {
        do throws(CommandError) { return try TransitionCatalog.named(name) } catch { throw .notFound("\(error)") }
    }

    private var methods: [String] {
        switch self {
        case .page, .effects, .picture, .alive, .ready, .metrics, .source: ["GET", "HEAD"]
        case .body, .transition: ["POST"]
        }
    }

    /// Decides about a request for this route.
    func reception(
        _ head: RequestHead, _ target: RequestTarget, _ client: String, _ service: Service
    ) throws(Refusal) -> Reception {
        guard methods.contains(head.method) else { throw .methodNotAllowed(head.method, allowed: methods) }
        // The content of a GET has no meaning.
        let ignored = 1 << 16
        switch self {
        case .page: return .respond(ServicePage.response)
        case .effects: return .respond(EffectList.response(service.settings.openPage))
        case .picture(let picture):
            return .respond(
                Response(
                    200, [Header("Content-Type", picture.mediaType), Header("Cache-Control", "no-store")],
                    picture.bytes))
        case .alive: return .respond(Response(200, "application/json", "{\"status\":\"alive\"}\n"))
        case .metrics: return .respond(Response(200, "text/plain; version=0.0.4; charset=utf-8", service.metricsText()))
        case .ready: return .read(limit: ignored) { _, _ in service.ready() }
        case .body(let operation):
            try service.checkRoom()
            let request = try RequestedPicture(operation, head, target, service.settings)
            guard service.queue.hasRoom(for: client) else { throw service.busy }
            let boundary = try Self.boundary(head)
            if boundary == nil { try request.check(service.settings) }
            return .read(limit: service.settings.maximumBody) { body, connection in
                let source = boundary.map { PictureWork.Source.form(body, boundary: $0) } ?? .bytes(body)
                return service.picture(source, request, connection)
            }
        case .transition(let description):
            try service.checkRoom()
            let request = try RequestedTransition(description, head, target, service.settings)
            guard service.queue.hasRoom(for: client) else { throw service.busy }
            guard let boundary = try Self.boundary(head) else {
                throw Refusal(415, "content-type", "a transition needs a form (multipart/form-data) with two pictures")
            }
            return .read(limit: service.settings.maximumBody) { body, connection in
                service.transition(body, boundary, request, connection)
            }
        case .source(let operation, let path):
            guard let root = service.settings.root else { throw .notFound("this server has no sources") }
            if let signature = service.settings.signature {
                guard signature.isValid(target) else {
                    throw Refusal(
                        403, "bad-signature", "the signature of the path and the options is missing or wrong",
                        option: Signature.option)
                }
            } else {
                try service.settings.hosts.checkSite(head)
            }
            try service.checkRoom()
            let request = try RequestedPicture(operation, head, target, service.settings)
            let checked = try request.check(service.settings)
            let file = try root.open(path)
            let tag = request.tag(of: file, checked, service.settings)
            switch EntityTag.verdict(head, tag) {
            case .failed: throw Refusal(412, "changed", "the picture has another entity tag than If-Match lists")
            case .notModified:
                let vary = request.result.isNegotiated ? [Header("Vary", "Accept")] : []
                var response = Response(304, PictureWork.caching(tag, service.settings) + vary, [])
                response.knownLength = service.lengths[tag]
                response.closes = response.knownLength == nil
                return .respond(response)
            case .send: break
            }
            return .read(limit: ignored) { _, connection in
                service.picture(.file(file, tag: tag), request, connection)
            }
        }
    }

    /// Returns the boundary of a form; nil if the body is a picture.
    private static func boundary(_ head: RequestHead) throws(Refusal) -> String? {
        if let coding = head["content-encoding"], coding.lowercased() != "identity" {
            throw Refusal(
                415, "content-encoding", "the body must not be compressed",
                headers: [Header("Accept-Encoding", "identity")])
        }
        guard let type = head["content-type"]?.lowercased() else { return nil }
        if type.hasPrefix("multipart/") || type.hasPrefix("text/") || type.hasPrefix("application/json") {
            guard let boundary = Multipart.boundary(head["content-type"] ?? "") else {
                throw Refusal(
                    415, "content-type", "the body must be a picture, or a form (multipart/form-data) with a boundary")
            }
            return boundary
        }
        return nil
    }
}
