import FrostGLES

/// The programs of a pipeline, each made at its first use. Lives on the context's thread.
struct ProgramStore {
    /// Where programs come from that are not there yet.
    var binaries: ProgramBinaries
    /// Weights that the shader has room for in one pass: a multiple of 4.
    let weightCapacity: Int
    private var programs: [ProgramKey: DrawProgram] = [:]

    init(_ binaries: ProgramBinaries, weightCapacity: Int) {
        self.binaries = binaries
        self.weightCapacity = weightCapacity
    }

    mutating func program(_ key: ProgramKey, in gl: borrowing CurrentContext) throws(GLError) -> DrawProgram {
        if let program = programs[key] { return program }
        let program = try DrawProgram(key, weights: weightCapacity, from: &binaries, in: gl)
        programs[key] = program
        return program
    }
}
