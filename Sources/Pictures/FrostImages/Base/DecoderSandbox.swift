public import FrostCore

/// Decodes each picture in a process of its own, which can only read the file and return the pixels. The colours of pictures are
/// converted in such processes too.
///
/// The process cannot open files, connect to a network, start programs or signal other processes: Landlock and a seccomp
/// filter refuse that. Its memory and its processor time are limited. A decoder that crashes
/// or hangs ends that process only, and the error is ``ImageError/decoderEnded(path:reason:)`` or
/// ``ImageError/overTime(path:limit:)``. If the system cannot run or isolate the process, the error is
/// ``ImageError/cannotIsolate(path:reason:)``: nothing is ever decoded without the isolation that was asked for.
///
/// The pixels are the same as without the sandbox. Each picture costs a fork of a process that is started once, and a copy of
/// its pixels; docs/Security.md has figures.
///
/// ```swift
/// let limits = ImageLimits(sandbox: DecoderSandbox(program: "/usr/bin/frost"))
/// let image = try ImageFile.read(path: "upload.jpg", options: ImageReadOptions(limits: limits))
/// ```
public struct DecoderSandbox: Sendable, Hashable {
    /// The path of the command `frost` of the same version. It is the program of the process.
    public var program: FilePath
    /// What to do if the kernel lacks seccomp or Landlock: by default, nothing is decoded.
    package var isolation = Isolation.full

    /// Creates a sandbox whose process runs a program.
    ///
    /// - Parameter program: the path of the command `frost` of the same version.
    public init(program: FilePath) { self.program = program }
}
