import FrostGLES

/// The programs of a pipeline. Each program is loaded or compiled when it is used for the first time. Used only on the
/// context's thread.
struct ProgramStore {
    /// Loads or compiles the programs that the store does not have yet.
    var binaries: ProgramBinaries
    /// The maximum number of filter weights in one pass: the number for which the shader's uniform block has room. A
    /// multiple of 4.
    let weightCapacity: Int
    private var programs: [ProgramKey: DrawProgram] = [:]

    init(_ binaries: ProgramBinaries, weightCapacity: Int) {
        self.binaries = binaries
        self.weightCapacity = weightCapacity
    }

    /// Calls `body` with each program and the source of its fragment shader.
    func forEach(_ body: (borrowing Program, String) throws(GLError) -> Void) throws(GLError) {
        for (key, program) in programs {
            try body(program.program, ProgramSource.fragment(key, weights: weightCapacity))
        }
    }

    mutating func program(_ key: ProgramKey, in gl: borrowing CurrentContext) throws(GLError) -> DrawProgram {
        if let program = programs[key] { return program }
        let program = try DrawProgram(key, weights: weightCapacity, from: &binaries, in: gl)
        programs[key] = program
        return program
    }
}
