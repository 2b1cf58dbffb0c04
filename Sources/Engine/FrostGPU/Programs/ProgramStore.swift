import FrostCore
import FrostDrawing
import FrostGLES

/// The programs of a pipeline. Each program is loaded or compiled when it is used for the first time. Used only on the
/// context's thread.
struct ProgramStore {
    /// Loads or compiles the programs that the store does not have yet.
    var binaries: ProgramBinaries
    /// The sizes of the shaders' uniform block of taps and of the groups of compute shaders.
    let limits: DrawLimits
    /// The maximum number of programs. If it is exceeded, the least recently used program is deleted.
    private let limit: Int
    private struct Entry {
        let program: DrawProgram
        /// The number of uses of any program until the last use of this one.
        var lastUse: Int
    }
    private var programs: [ShaderKey: Entry] = [:]
    private var uses = 0
    /// The number of works so far.
    private var work = 0
    /// The programs with unrolled filters that were replaced by loops, and the number of the work that wanted them first.
    private var wanted: [ShaderKey: Int] = [:]
    /// The number of programs that were loaded or compiled, and the seconds that this took.
    private(set) var made = (count: 0, seconds: 0.0)

    init(_ binaries: ProgramBinaries, _ limits: DrawLimits, limit: Int) {
        self.binaries = binaries
        self.limits = limits
        self.limit = max(1, limit)
    }

    /// Returns a store without programs, and with the same binaries and limits.
    func emptied() -> ProgramStore { ProgramStore(binaries, limits, limit: limit) }

    /// Calls `body` with each program and the source of its shader.
    func forEach(_ body: (borrowing Program, ShaderSource) throws(GLError) -> Void) throws(GLError) {
        for (key, entry) in programs { try body(entry.program.program, key.source(limits)) }
    }

    mutating func program(
        _ shader: ShaderKey.Shader, _ entry: ShaderEntry, in gl: borrowing CurrentContext
    ) throws(GLError) -> DrawProgram {
        let key = ShaderKey(shader: shader, entry: entry)
        if let program = existing(key) { return program }
        return try create(key, in: gl)
    }

    /// Begins a work, such as the draws of an image.
    mutating func beginWork() { work += 1 }

    /// Returns the program to use for a filter. A program with an unrolled filter is compiled when a second work needs it, on
    /// software GL also in a later process. The first work uses the program with a loop: an image takes less time than
    /// compiling does, and the loop serves all filters.
    mutating func quickest(
        _ key: ProgramKey, _ entry: ShaderEntry, in gl: borrowing CurrentContext
    ) throws(GLError) -> DrawProgram {
        let unrolled = ShaderKey(shader: .filter(key), entry: entry)
        if let program = existing(unrolled) { return program }
        guard let loop = key.withLoop, !isWanted(unrolled, in: gl) else { return try create(unrolled, in: gl) }
        return try program(.filter(loop), entry, in: gl)
    }

    /// Whether an earlier work asked for a program. If not, this work is noted.
    private mutating func isWanted(_ key: ShaderKey, in gl: borrowing CurrentContext) -> Bool {
        if let first = wanted[key] {
            if first == work { return false }
            wanted[key] = nil
            return true
        }
        if binaries.isWorthUsing(key.source(limits), gl.device) { return true }
        // Programs that are wanted only once do not accumulate.
        if wanted.count >= limit { wanted = [:] }
        wanted[key] = work
        return false
    }

    private mutating func existing(_ key: ShaderKey) -> DrawProgram? {
        uses += 1
        guard let program = programs[key]?.program else { return nil }
        programs[key]?.lastUse = uses
        return program
    }

    /// Loads or compiles a program.
    private mutating func create(_ key: ShaderKey, in gl: borrowing CurrentContext) throws(GLError) -> DrawProgram {
        let start = ContinuousClock.now
        defer { made = (made.count + 1, made.seconds + (ContinuousClock.now - start).seconds) }
        let program = try DrawProgram(key, limits, from: &binaries, in: gl)
        if programs.count >= limit, let oldest = programs.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            programs[oldest.key] = nil
        }
        programs[key] = Entry(program: program, lastUse: uses)
        return program
    }
}

/// Identifies a GPU program.
struct ShaderKey: Hashable {
    let shader: Shader
    let entry: ShaderEntry

    /// What the program computes.
    enum Shader: Hashable {
        case filter(ProgramKey)
        case conversion(ConversionKey)
        case transition(TransitionProgramKey)
    }

    /// Returns the source of the shader.
    func source(_ limits: DrawLimits) -> ShaderSource {
        switch shader {
        case .filter(let key): ProgramSource.source(key, entry, limits)
        case .conversion(let key): ProgramSource.source(key, entry, limits)
        case .transition(let key): ProgramSource.source(key, entry, limits)
        }
    }

    /// The uniform blocks that the program declares.
    var blocks: [UniformBlock] {
        switch shader {
        case .filter(let key): key.blocks
        case .conversion: []
        case .transition: [.transition]
        }
    }

    /// The names and texture units of the samplers. The program may lack some of them.
    var samplers: [(name: String, unit: Int)] {
        switch shader {
        case .filter, .conversion: TextureUnit.allCases.map { ("\($0)", $0.rawValue) }
        case .transition: TransitionTexture.allCases.map { ("\($0)", $0.rawValue) }
        }
    }
}

/// A linked program, connected to its textures and uniform blocks. Used only on the context's thread.
final class DrawProgram {
    let program: Program
    private let entry: ShaderEntry
    /// The location of each uniform, indexed by ``Uniform``.
    private let places: [Program.Uniform]

    /// Loads or compiles the program.
    init(
        _ key: ShaderKey, _ limits: DrawLimits, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        entry = key.entry
        program = try binaries.program(key.source(limits), in: gl)
        var places: [Program.Uniform] = []
        for uniform in Uniform.allCases { places.append(program.uniform("\(uniform)", in: gl)) }
        self.places = places
        for block in key.blocks { try program.bindBlock(block.name, binding: block.rawValue, in: gl) }
        try program.use(in: gl)
        for (name, unit) in key.samplers { try program.set(program.uniform(name, in: gl), Int32(unit), in: gl) }
    }

    /// Makes this program current for the following draws, and sets those of the uniforms that it has.
    func use(_ values: UniformValues = [], in gl: borrowing CurrentContext) throws(GLError) {
        try program.use(in: gl)
        for (uniform, value) in values {
            let place = places[uniform.rawValue]
            guard place.exists else { continue }
            switch value {
            case .int(let value): try program.set(place, value, in: gl)
            case .int2(let value): try program.set(place, value, in: gl)
            case .int4(let value): try program.set(place, value, in: gl)
            case .float(let value): try program.set(place, float: value, in: gl)
            case .float2(let value): try program.set(place, floats: value, in: gl)
            case .float4(let value): try program.set(place, floats: value, in: gl)
            }
        }
    }

    /// Computes all pixels of a rectangle of the target. This program must be current.
    func cover(_ part: DrawPart, _ vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext) throws(GLError)
    {
        switch entry {
        case .fragment: try gl.drawTriangle(columns: part.columns, rows: part.rows, vertexArray)
        case .compute:
            let area = SIMD4(
                Int32(part.columns.lowerBound), Int32(part.rows.lowerBound), Int32(part.columns.upperBound),
                Int32(part.rows.upperBound))
            try program.set(places[Uniform.area.rawValue], area, in: gl)
            try gl.dispatch(columns: part.columns.count, rows: part.rows.count)
        }
    }
}
