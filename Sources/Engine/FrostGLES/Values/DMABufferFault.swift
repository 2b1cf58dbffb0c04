/// Describes why a dma-buf cannot be used: it is invalid, or the driver lacks a feature.
public struct DMABufferFault: Sendable, Hashable {
    /// The reason why a dma-buf cannot be used.
    public enum Reason: Sendable, Hashable {
        /// The driver does not support the named extension, which is needed to import, sample or export the dma-buf.
        case missingExtension(String)
        /// Frost does not know the format.
        case unknownFormat
        /// The driver does not list the format.
        case unsupportedFormat
        /// The driver lists the format, but with other modifiers.
        case unsupportedModifier(supported: [DRMModifier])
        /// The buffer can only be sampled as an external texture, and another use was requested.
        case externalOnly
        /// The driver would accept the buffer, but is known to fail in the described way. The planes of YUV formats can be
        /// imported one by one with ``DMABuffer/component(_:)``.
        case unreliable(String)
        /// The buffer has too many or too few planes.
        case planeCount(found: Int, expected: ClosedRange<Int>)
        /// A width, height, stride or offset is impossible.
        case geometry(String)
        /// A plane extends past the end of its memory.
        case tooSmall(plane: Int, bytes: Int, needed: Int)
        /// A file descriptor is not open or does not refer to memory. `reason` is the kernel's message.
        case badDescriptor(plane: Int, reason: String)
        /// The memory cannot be mapped. The value is the kernel's message.
        case unmappable(String)
        /// The driver rejected the buffer.
        case refused(GLEvidence)
        /// The driver exported the buffer, but returned no file descriptor.
        case noDescriptor(call: String)
    }

    /// The width of the buffer in pixels.
    public var width: Int
    /// The height of the buffer in pixels.
    public var height: Int
    /// The pixel format of the buffer.
    public var fourcc: FourCC
    /// The modifier of the buffer, which describes its memory layout.
    public var modifier: DRMModifier
    /// The reason why the buffer cannot be used.
    public var reason: Reason

    /// Creates a description of a fault.
    public init(width: Int, height: Int, fourcc: FourCC, modifier: DRMModifier, reason: Reason) {
        self.width = width
        self.height = height
        self.fourcc = fourcc
        self.modifier = modifier
        self.reason = reason
    }
}

extension DMABufferFault: CustomStringConvertible {
    /// The fault as one line of text, for example "dma-buf 64x48 XR24, modifier 0x0 (linear): the driver refuses it:
    /// eglCreateImageKHR: EGL_BAD_MATCH (0x3009)".
    public var description: String {
        "dma-buf \(width)x\(height) \(fourcc), modifier \(modifier): \(reason)"
    }
}

extension DMABufferFault.Reason: CustomStringConvertible {
    /// The reason as text. In messages this text follows the description of the buffer.
    public var description: String {
        switch self {
        case .missingExtension(let name): "the driver does not support \(name)"
        case .unknownFormat: "Frost does not support the format"
        case .unsupportedFormat: "the driver does not support the format"
        case .unsupportedModifier(let supported):
            "the driver does not support the modifier for this format (supported: "
                + (supported.isEmpty ? "none" : supported.map(\.description).joined(separator: ", ")) + ")"
        case .externalOnly: "it can only be sampled as an external texture, not used as a 2D texture or a target"
        case .unreliable(let what): what
        case .planeCount(let found, let expected):
            "it has \(found) planes, but needs \(expected.lowerBound)"
                + (expected.count > 1 ? " to \(expected.upperBound)" : "")
        case .geometry(let what): what
        case .tooSmall(let plane, let bytes, let needed):
            "plane \(plane) needs \(needed) bytes, but its memory has \(bytes)"
        case .badDescriptor(let plane, let reason): "invalid descriptor of plane \(plane): \(reason)"
        case .unmappable(let reason): "it cannot be mapped: \(reason)"
        case .refused(let evidence): "the driver refuses it: \(evidence)"
        case .noDescriptor(let call): "\(call) returned no descriptor"
        }
    }
}

extension DMABuffer {
    func fault(_ reason: DMABufferFault.Reason) -> GLError {
        .dmaBuffer(
            DMABufferFault(width: width, height: height, fourcc: fourcc, modifier: modifier, reason: reason))
    }
}
