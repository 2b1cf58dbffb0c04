/// What is wrong with a dma-buf or its use, or what the driver lacks for it.
public struct DMABufferFault: Sendable, Hashable {
    /// Why.
    public enum Reason: Sendable, Hashable {
        /// The driver cannot import, or export, any.
        case missingExtension(String)
        /// Frost does not know the format.
        case unknownFormat
        /// The driver does not list the format.
        case unsupportedFormat
        /// The driver lists the format, but with other modifiers.
        case unsupportedModifier(supported: [DRMModifier])
        /// It can be sampled as an external texture only, and another use was requested.
        case externalOnly
        /// The driver would accept it, and is known to fail in this way. The planes of YUV formats can be imported one
        /// by one: ``DMABuffer/component(_:)``.
        case unreliable(String)
        /// Too many planes, or too few.
        case planeCount(found: Int, expected: ClosedRange<Int>)
        /// An impossible width, height, stride or offset.
        case geometry(String)
        /// A plane reaches beyond its memory.
        case tooSmall(plane: Int, bytes: Int, needed: Int)
        /// A descriptor is not open, or does not refer to memory; the kernel's message.
        case badDescriptor(plane: Int, reason: String)
        /// The memory cannot be mapped; the kernel's message.
        case unmappable(String)
        /// The driver refused.
        case refused(GLEvidence)
        /// The driver exported it, but returned no descriptor.
        case noDescriptor(call: String)
    }

    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// The format.
    public var fourcc: FourCC
    /// Its arrangement.
    public var modifier: DRMModifier
    /// What is wrong.
    public var reason: Reason

    /// A fault.
    public init(width: Int, height: Int, fourcc: FourCC, modifier: DRMModifier, reason: Reason) {
        self.width = width
        self.height = height
        self.fourcc = fourcc
        self.modifier = modifier
        self.reason = reason
    }
}

extension DMABufferFault: CustomStringConvertible {
    /// "dma-buf 64x48 XR24, modifier 0x0 (linear): the driver refuses it: eglCreateImageKHR: EGL_BAD_MATCH (0x3009)".
    public var description: String {
        "dma-buf \(width)x\(height) \(fourcc), modifier \(modifier): \(reason)"
    }
}

extension DMABufferFault.Reason: CustomStringConvertible {
    /// Follows the buffer's own description.
    public var description: String {
        switch self {
        case .missingExtension(let name): "the driver lacks \(name)"
        case .unknownFormat: "the format is none that Frost knows"
        case .unsupportedFormat: "the driver does not list the format"
        case .unsupportedModifier(let supported):
            "the driver does not list the modifier for this format, but "
                + (supported.isEmpty ? "none" : supported.map(\.description).joined(separator: ", "))
        case .externalOnly: "it can be sampled as an external texture only, not as a 2D texture or a target"
        case .unreliable(let what): what
        case .planeCount(let found, let expected):
            "it has \(found) planes where \(expected.lowerBound)"
                + (expected.count > 1 ? " to \(expected.upperBound)" : "") + " are needed"
        case .geometry(let what): what
        case .tooSmall(let plane, let bytes, let needed):
            "plane \(plane) needs \(needed) bytes of its memory, which has \(bytes)"
        case .badDescriptor(let plane, let reason): "the descriptor of plane \(plane): \(reason)"
        case .unmappable(let reason): "it cannot be mapped: \(reason)"
        case .refused(let evidence): "the driver refuses it: \(evidence)"
        case .noDescriptor(let call): "\(call) succeeded without a descriptor"
        }
    }
}

extension DMABuffer {
    func fault(_ reason: DMABufferFault.Reason) -> GLError {
        .dmaBuffer(
            DMABufferFault(width: width, height: height, fourcc: fourcc, modifier: modifier, reason: reason))
    }
}
