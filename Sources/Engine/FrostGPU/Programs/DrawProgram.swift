import FrostDrawing
import FrostGLES

/// A linked program of the filter shader, connected to its textures and uniform blocks. Used only on the context's thread.
final class DrawProgram {
    let program: Program
    /// The location of each uniform, indexed by ``Uniform``.
    private let places: [Program.Uniform]

    /// Loads or compiles the program.
    ///
    /// - Parameter weights: the size of the uniform block of taps, in floats; a multiple of 4.
    init(
        _ key: ProgramKey, weights: Int, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        program = try binaries.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.fragment(key, weights: weights), in: gl)
        var places: [Program.Uniform] = []
        for uniform in Uniform.allCases { places.append(program.uniform("\(uniform)", in: gl)) }
        self.places = places
        for block in key.blocks { try program.bindBlock(block.name, binding: block.rawValue, in: gl) }
        try program.use(in: gl)
        for unit in TextureUnit.allCases {
            try program.set(program.uniform("\(unit)", in: gl), Int32(unit.rawValue), in: gl)
        }
    }

    /// Makes this program current for the following draws, and sets those of the uniforms that it has.
    func use(_ values: UniformValues, in gl: borrowing CurrentContext) throws(GLError) {
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
}
