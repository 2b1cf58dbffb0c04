import FrostGLES

/// How pixels are transferred between the caller's memory and the GPU.
public enum TransferPath: String, Sendable, Hashable, CaseIterable {
    /// Transfers pixels through the GL's pixel buffers. Hardware GPUs copy these buffers while they compute something else.
    case buffers
    /// Transfers pixels by GL calls that copy them immediately.
    case direct
}

/// A transfer path, and the reason why it was chosen.
struct TransferChoice: Hashable, CustomStringConvertible {
    let path: TransferPath
    let description: String

    init(_ wanted: TransferPath?, _ device: DeviceInfo) {
        switch wanted {
        case .buffers: (path, description) = (.buffers, "pixel buffers, as requested")
        case .direct: (path, description) = (.direct, "direct, as requested")
        case nil where device.isSoftware:
            path = .direct
            description = "direct: software GL copies on the same cores that compute, so pixel buffers save no time"
        case nil: (path, description) = (.buffers, "pixel buffers: the GPU copies while it computes")
        }
    }
}
