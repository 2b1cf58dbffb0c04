/// A device on which a context of OpenGL ES 3 was made.
public struct DeviceInfo: Sendable, Hashable {
    /// The place in Frost's order of trying. Stable on one machine as long as its devices do not change. -1 where Frost
    /// did not open it.
    public let index: Int
    /// How its display was opened; nil if the embedding program has done so.
    public let platform: DisplayPlatform?
    /// "/dev/dri/renderD128"; nil if the driver does not say.
    public let renderNode: String?
    /// "0000:01:00.0"; nil if the kernel does not say.
    public let pciPath: String?
    /// EGL_VENDOR.
    public let eglVendor: String
    /// EGL_VERSION.
    public let eglVersion: String
    /// GL_VENDOR.
    public let vendor: String
    /// GL_RENDERER.
    public let renderer: String
    /// GL_VERSION.
    public let version: String
    /// GL_SHADING_LANGUAGE_VERSION.
    public let shadingLanguage: String
    /// Whether the "GPU" is the CPU: llvmpipe and its like.
    public let isSoftware: Bool

    /// The platform's name, or "host".
    public var platformName: String { platform?.rawValue ?? "host" }

    /// What to write down to find the same device again: the render node, else the PCI path, else the index.
    public var id: String { renderNode ?? pciPath ?? String(index) }

    /// Renderers that run on the CPU, lower case.
    private static let softwareRenderers = ["llvmpipe", "softpipe", "swiftshader", "swrast", "software rasterizer"]

    /// Whether GL_RENDERER names a renderer that runs on the CPU. SwiftShader's is "ANGLE (Google, Vulkan 1.3
    /// (SwiftShader Device …", so the name is looked for anywhere.
    package static func namesSoftware(_ renderer: String) -> Bool {
        let renderer = renderer.lowercased()
        return softwareRenderers.contains { renderer.contains($0) }
    }
}

extension DeviceInfo: CustomStringConvertible {
    /// "0: llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6 (device, software)".
    public var description: String {
        let place = renderNode.map { "\(platformName) \($0)" } ?? platformName
        return (platform == nil ? "" : "\(index): ")
            + "\(renderer), \(version) (\(place)\(isSoftware ? ", software" : ""))"
    }
}

/// What became of one device when Frost tried it.
public enum DeviceReport: Sendable, Hashable {
    case usable(DeviceInfo)
    /// `what` names the device as far as known, `reason` is what failed.
    case unusable(index: Int, what: String, reason: String)
    /// Another way to a device that was reported as usable before.
    case duplicate(index: Int, what: String, of: Int)
}

/// Which device a context is wanted on.
public enum DeviceSelector: Sendable, Hashable {
    /// The first that is no software renderer.
    case anyHardware
    /// The first hardware device, else the first software one.
    case any
    /// An index, a render node, a PCI path or a part of the renderer's name in any case.
    case id(String)
}

extension DeviceSelector {
    /// - Parameter text: an index, a render node, a PCI path, a part of a name, or "hardware"; nil for any device.
    package init(named text: String?) {
        self =
            switch text {
            case nil: .any
            case "hardware": .anyHardware
            case let text?: .id(text)
            }
    }
}

extension DeviceSelector: CustomStringConvertible {
    /// For messages: "device \"renderD129\"".
    public var description: String {
        switch self {
        case .anyHardware: "hardware GPU"
        case .any: "EGL device"
        case .id(let id): "EGL device \"\(id)\""
        }
    }
}
