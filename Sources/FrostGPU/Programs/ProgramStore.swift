import FrostGLES

/// The programs of a pipeline. Each is loaded or compiled at its first use. Used only on the context's thread.
struct ProgramStore {
    /// Loads or compiles the programs that the store does not have yet.
    var binaries: ProgramBinaries
    /// The maximum number of filter weights in one pass, which the shader's uniform block has room for; a multiple of 4.
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
