import CGLES

/// A linked program in the driver's own binary form. Only the same driver on the same device can load it.
package struct ProgramBinary: Sendable, Hashable {
    /// The driver's identifier of the binary format.
    package let format: UInt32
    /// The bytes of the binary.
    package let bytes: [UInt8]

    /// Creates a value from a stored binary.
    package init(format: UInt32, bytes: [UInt8]) {
        self.format = format
        self.bytes = bytes
    }
}

extension Program {
    /// Loads a program that the driver serialized earlier. As after linking, the caller still has to set the program's
    /// uniforms and to assign its uniform blocks.
    ///
    /// A driver may reject a binary for any reason. The caller should then compile the sources. The caller must ensure
    /// that the bytes of the binary are not damaged, because not every driver checks this.
    ///
    /// - Throws: ``GLError/link(log:)`` if the driver rejects the binary, ``GLError/outOfMemory(_:)``,
    ///   ``GLError/contextLost(reason:)``.
    package init(_ binary: ProgramBinary, in current: borrowing CurrentContext) throws(GLError) {
        guard current.limits.programBinaryFormats.contains(binary.format) else {
            throw .link(log: "the driver does not support program binaries of format \(binary.format)")
        }
        let gl = current.gl
        try current.checkPending()
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
        try Self.checkLinked(object.name, current)
        self.object = object
    }

    /// Returns the program in the driver's binary form; nil if the driver does not support program binaries.
    package func binary(in current: borrowing CurrentContext) throws(GLError) -> ProgramBinary? {
        guard !current.limits.programBinaryFormats.isEmpty else { return nil }
        let gl = current.gl
        try current.checkPending()
        var length: GLint = 0
        // SAFETY: the queried parameter has one value.
        unsafe gl.getProgramiv(name, GL.programBinaryLength, &length)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        var written: GLsizei = 0
        var format: GLenum = 0
        // SAFETY: the array has as many bytes as the driver is told. The other two pointers have room for one value
        // each.
        unsafe bytes.withUnsafeMutableBytes {
            unsafe gl.getProgramBinary(name, length, &written, &format, $0.baseAddress)
        }
        try current.checkErrors(after: "glGetProgramBinary")
        guard written > 0, written <= length else { return nil }
        bytes.removeLast(Int(length - written))
        return ProgramBinary(format: format, bytes: bytes)
    }
}
