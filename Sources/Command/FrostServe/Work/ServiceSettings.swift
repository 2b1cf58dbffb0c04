import Frost
import FrostCLI
import FrostImages

/// How a service works, from the options of `frost serve`.
struct ServiceSettings: Sendable {
    /// The folder whose pictures clients may ask for; nil for none.
    var root: SourceFolder?
    /// The key of the signatures that requests for sources need; nil if they need none.
    var signature: Signature?
    var hosts: HostCheck
    var presets: [Preset]
    /// Whether requests may name presets only.
    var presetsOnly: Bool
    /// The page of `frost open`; nil for `frost serve`.
    var openPage: OpenPage?
    /// Whether the service has a page.
    var hasPage: Bool
    /// The limits on pictures. The service writes only those formats that it may read.
    var limits: ImageLimits
    /// The memory, in bytes, of all pictures in progress, and that of all bodies. They are apart: if bodies that wait could take all
    /// memory, no picture could be worked on, and the bodies would wait for ever.
    var memoryShare: Int { limits.maximumMemory ?? ImageLimits.defaultMemory }
    /// The largest body of a request, in bytes.
    var maximumBody: Int
    /// The seconds for which caches may keep a result without asking again.
    var maximumAge: Int
    /// The secret key of effects such as `redact`.
    var key: SecretKey
    /// The renderer of a picture that is alone, and that of one of several pictures.
    var alone, shared: Renderer
    /// The renderer of requests that ask for the exact backend, as the page does for a comparison.
    var exact: Renderer
    /// The number of pictures that are worked on at a time.
    var workers: Int
}
