import FrostGLES

extension Pipeline {
    /// Writes the taps of all draws into one buffer. Each draw binds a whole uniform block that starts at the draw's
    /// taps. The buffer is therefore one block longer than the taps.
    func prepareTaps(_ values: [Float], in gl: borrowing CurrentContext) throws(GPUError) {
        try fromGL { () throws(GLError) in
            let size = 4 * (values.count + programs.weightCapacity)
            if (taps?.size ?? 0) < size { taps = try Buffer(.uniforms, size: size, in: gl) }
            try unsafe taps?.withMapped(count: 4 * max(1, values.count), in: gl) { memory in
                // SAFETY: the array and the mapped memory both have 4 bytes for each value.
                unsafe values.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
            }
        }
    }

    /// Binds the uniform block of taps.
    ///
    /// - Parameter start: the index of the draw's first tap.
    func bindTaps(at start: Int, in gl: borrowing CurrentContext) throws(GLError) {
        try taps?.bindUniforms(
            4 * start..<4 * (start + programs.weightCapacity), binding: UniformBlock.taps.rawValue, in: gl)
    }
}
