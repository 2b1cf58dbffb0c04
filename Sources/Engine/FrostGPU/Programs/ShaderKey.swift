import FrostDrawing

/// Identifies a GPU program.
enum ShaderKey: Hashable {
    case filter(ProgramKey)
    case conversion(ConversionKey)
    case transition(TransitionProgramKey)

    /// Returns the source of the fragment shader.
    ///
    /// - Parameter weights: the size of the uniform block of taps, in floats; a multiple of 4.
    func fragment(weights: Int) -> String {
        switch self {
        case .filter(let key): ProgramSource.fragment(key, weights: weights)
        case .conversion(let key): ProgramSource.fragment(key)
        case .transition(let key): ProgramSource.fragment(key)
        }
    }

    /// The uniform blocks that the program declares.
    var blocks: [UniformBlock] {
        switch self {
        case .filter(let key): key.blocks
        case .conversion: []
        case .transition: [.transition]
        }
    }

    /// The names and texture units of the samplers. The program may lack some of them.
    var samplers: [(name: String, unit: Int)] {
        switch self {
        case .filter, .conversion: TextureUnit.allCases.map { ("\($0)", $0.rawValue) }
        case .transition: TransitionTexture.allCases.map { ("\($0)", $0.rawValue) }
        }
    }
}
