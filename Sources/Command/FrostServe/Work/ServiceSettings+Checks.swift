import Frost
import FrostCLI
import FrostImages

// What a service checks beyond the command: the options and the formats that it allows.

extension ServiceSettings {
    /// The formats that the service writes.
    var writable: Set<ImageFormat> { formats.intersection(ImageFormat.allCases) }

    /// Throws if the options of a client, in a query or a form, are more than the service allows.
    func check(_ options: [RequestOption]) throws(Refusal) {
        guard presetsOnly, let other = options.first(where: { $0.name != Option.pictureFormat.name }) else { return }
        throw Refusal(
            400, "presets-only", "this server takes no option but format beside a preset", option: other.name)
    }

    /// Checks all options of a request, and returns what they ask for.
    func request(
        _ operation: RequestOperation, _ options: [RequestOption], hasMask: Bool = false, hasContent: Bool = false
    ) throws(Refusal) -> PictureRequest {
        do throws(RequestError) {
            let request = try PictureRequest(
                operation, options, limits: limits, key: key, hasMask: hasMask, hasContent: hasContent)
            guard let format = request.format, !formats.contains(format) else { return request }
            throw RequestError(
                "--format \(format.rawValue) is not allowed here", option: Option.pictureFormat.name,
                range: writable.map(\.rawValue).sorted().joined(separator: ", "))
        } catch {
            throw Refusal(error)
        }
    }
}
