package import FrostCore

/// A process of its own that encodes a picture. The kernel limits the memory of the process, because the memory that a
/// library takes depends on the picture: nobody can foresee it.
package struct EncoderProcess: Sendable, Hashable {
    /// The path of the command `frost` of the same version. It is the program of the process.
    package var program: FilePath
    /// The memory, in bytes, that the encoder may take.
    package var memory: Int
    /// The maximum time of the encoder.
    package var time: Duration
    /// The rights that the process gives up.
    package var isolation: Isolation

    package init(program: FilePath, memory: Int, time: Duration, isolation: Isolation = .none) {
        (self.program, self.memory, self.time, self.isolation) = (program, memory, time, isolation)
    }

    /// The estimate of an encoder's memory, in bytes, below which a process is not worth its start. An encoder that takes
    /// three times its estimate then takes 16 MiB more.
    static let smallestEstimate = 8 << 20
}

extension ImageFormat {
    /// Whether a process of its own encodes a picture, if the writer has one.
    ///
    /// - Parameters:
    ///   - estimate: the estimate of the encoder's memory, in bytes.
    ///   - isolation: the rights that the process gives up. If it keeps all, it serves to limit the memory only.
    package func isEncodedApart(_ estimate: Int, _ isolation: Isolation) -> Bool {
        switch isolation {
        case .none: traits.takesUnforeseenMemory && estimate >= EncoderProcess.smallestEstimate
        // The encoders of the other formats are written in Swift.
        case .possible, .full: traits.isWrittenByLibrary
        }
    }
}
