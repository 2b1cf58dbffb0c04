import CGLES

/// A linked program as the driver serialized it: only the same driver on the same device understands it.
public struct ProgramBinary: Sendable, Hashable {
    /// The driver's name for the encoding.
    public let format: UInt32
    /// The encoding.
    public let bytes: [UInt8]

    /// A binary that was kept elsewhere.
    public init(format: UInt32, bytes: [UInt8]) {
        self.format = format
        self.bytes = bytes
    }
}

extension Program {
    /// Loads a program that the driver serialized earlier. Its uniforms and blocks are as after linking: not set.
    ///
    /// A driver may refuse a binary for any reason; the caller then compiles the sources. The bytes should be known to
    /// be undamaged, since not every driver checks.
    ///
    /// - Throws: ``GLError/link(log:)`` for one that the driver refuses, ``GLError/outOfMemory(_:)``,
    ///   ``GLError/contextLost(reason:)``.
    public init(_ binary: ProgramBinary, in current: borrowing CurrentContext) throws(GLError) {
        guard current.limits.programBinaryFormats.contains(binary.format) else {
            throw .link(log: "the driver has no program binaries of format \(binary.format)")
        }
        let gl = current.gl
        current.context.drainErrors()
        let object = OwnedObject(.program, UInt(gl.createProgram()), in: current)
        // SAFETY: the driver reads as many bytes as the array has.
        unsafe binary.bytes.withUnsafeBytes { bytes in
            unsafe gl.programBinary(object.name, binary.format, bytes.baseAddress, GLsizei(bytes.count))
        }
        do throws(GLError) {
            try current.checkErrors(after: "glProgramBinary")
        } catch .callFailed(let evidence) {
            throw .link(log: evidence.description)
        }
        var linked: GLint = 0
        // SAFETY: the name has one value.
        unsafe gl.getProgramiv(object.name, GL.linkStatus, &linked)
        guard linked != 0 else {
            let log = unsafe Self.log(of: object.name, gl.getProgramiv, gl.getProgramInfoLog)
            current.context.drainErrors()
            throw .link(log: log)
        }
        self.object = object
    }

    /// The program as the driver would load it again; nil from drivers that serialize nothing.
    public func binary(in current: borrowing CurrentContext) throws(GLError) -> ProgramBinary? {
        guard !current.limits.programBinaryFormats.isEmpty else { return nil }
        let gl = current.gl
        current.context.drainErrors()
        var length: GLint = 0
        // SAFETY: the name has one value.
        unsafe gl.getProgramiv(name, GL.programBinaryLength, &length)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        var written: GLsizei = 0
        var format: GLenum = 0
        // SAFETY: the array holds as many bytes as the driver is told, and the other two have one value each.
        unsafe bytes.withUnsafeMutableBytes {
            unsafe gl.getProgramBinary(name, length, &written, &format, $0.baseAddress)
        }
        try current.checkErrors(after: "glGetProgramBinary")
        guard written > 0, written <= length else { return nil }
        bytes.removeLast(Int(length - written))
        return ProgramBinary(format: format, bytes: bytes)
    }
}
