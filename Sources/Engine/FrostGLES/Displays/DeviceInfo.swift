/// A device with a context of OpenGL ES 3.
public struct DeviceInfo: Sendable, Hashable {
    /// The device's position in the order in which Frost tries devices. On one machine the position stays the same as long
    /// as the machine's devices do not change. The value is -1 if Frost did not open the device.
    public let index: Int
    /// The platform on which Frost opened the display; nil if the embedding program opened the display.
    public let platform: DisplayPlatform?
    /// The render node, for example "/dev/dri/renderD128"; nil if the driver does not report it.
    public let renderNode: String?
    /// The PCI path, for example "0000:01:00.0"; nil if the kernel does not report it.
    public let pciPath: String?
    /// The vendor of the EGL implementation (EGL_VENDOR).
    public let eglVendor: String
    /// The version of EGL (EGL_VERSION).
    public let eglVersion: String
    /// The vendor of the GL implementation (GL_VENDOR).
    public let vendor: String
    /// The name of the device (GL_RENDERER).
    public let renderer: String
    /// The version of the GL (GL_VERSION).
    public let version: String
    /// The version of the shading language (GL_SHADING_LANGUAGE_VERSION).
    public let shadingLanguage: String
    /// Whether the device is a software renderer on the CPU, such as llvmpipe.
    public let isSoftware: Bool

    /// The name of the platform, or "host" if the embedding program opened the display.
    public var platformName: String { platform?.rawValue ?? "host" }

    /// An identifier with which the same device can be selected again: the render node, or else the PCI path, or else the
    /// index.
    public var id: String { renderNode ?? pciPath ?? String(index) }

    /// The names of renderers that run on the CPU, in lower case.
    private static let softwareRenderers = ["llvmpipe", "softpipe", "swiftshader", "swrast", "software rasterizer"]

    /// Whether GL_RENDERER contains the name of a renderer that runs on the CPU. The name may be anywhere in the text. For
    /// example, SwiftShader's text is "ANGLE (Google, Vulkan 1.3 (SwiftShader Device …".
    package static func namesSoftware(_ renderer: String) -> Bool {
        let renderer = renderer.lowercased()
        return softwareRenderers.contains { renderer.contains($0) }
    }
}

extension DeviceInfo: CustomStringConvertible {
    /// The device as one line of text, for example "0: llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6 (device,
    /// software)".
    public var description: String {
        let place = renderNode.map { "\(platformName) \($0)" } ?? platformName
        return (platform == nil ? "" : "\(index): ")
            + "\(renderer), \(version) (\(place)\(isSoftware ? ", software" : ""))"
    }
}

/// The result of trying one device.
public enum DeviceReport: Sendable, Hashable {
    /// The device works.
    case usable(DeviceInfo)
    /// The device does not work. `what` names the device as far as its name is known, and `reason` describes the failure.
    case unusable(index: Int, what: String, reason: String)
    /// An earlier report already lists this device as usable. `of` is the index of the device in the earlier report.
    case duplicate(index: Int, what: String, of: Int)
}

/// Selects the device for a context.
public enum DeviceSelector: Sendable, Hashable {
    /// Selects the first device that is not a software renderer.
    case anyHardware
    /// Selects the first hardware device, or else the first software renderer.
    case any
    /// Selects a device by its index, its render node, its PCI path, or a part of the renderer's name in upper or lower
    /// case.
    case id(String)
}

extension DeviceSelector {
    /// Creates a selector from an option's text.
    ///
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
    /// The selector as text for messages, for example "EGL device \"renderD129\"".
    public var description: String {
        switch self {
        case .anyHardware: "hardware GPU"
        case .any: "EGL device"
        case .id(let id): "EGL device \"\(id)\""
        }
    }
}
