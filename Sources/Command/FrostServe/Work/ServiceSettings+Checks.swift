import Frost
import FrostCLI
import FrostImages

// What a service checks beyond the command: the options and the formats that it allows.

extension ServiceSettings {
    /// The formats of the pictures that the service reads and writes.
    var formats: Set<ImageFormat> { limits.allowed?.pictures ?? Set(ImageFormat.readable) }

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
            throw notAllowed(format.rawValue)
        } catch {
            throw Refusal(error)
        }
    }

    /// Adds the formats that the service reads to the refusal of a picture of another one.
    func explained(_ refusal: Refusal) -> Refusal {
        guard refusal.code == Refusal.formatNotAllowed else { return refusal }
        var refusal = refusal
        refusal.range = formats.map(\.rawValue).sorted().joined(separator: ", ")
        return refusal
    }

    /// Checks all options of a request for a transition, and returns what they ask for.
    ///
    /// - Parameter roles: the pictures that come with the request.
    func request(
        _ description: TransitionDescription, _ options: [RequestOption], with roles: Set<TransitionRole>
    ) throws(Refusal) -> TransitionRequest {
        do throws(RequestError) {
            let request = try TransitionRequest(description, options, limits: limits, with: roles)
            guard let format = request.format, let file = format.metadataFormat, !formats.contains(file) else {
                return request
            }
            throw notAllowed(format.suffix)
        } catch {
            throw Refusal(error)
        }
    }

    private func notAllowed(_ format: String) -> RequestError {
        RequestError(
            "--format \(format) is not allowed here", option: Option.pictureFormat.name,
            range: writable.map(\.rawValue).sorted().joined(separator: ", "))
    }
}
