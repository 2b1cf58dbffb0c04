import FrostDrawing
import FrostGLES

/// The texture that a draw reads.
enum DrawInput {
    /// A texture of the pipeline's pool.
    case own(Target)
    case host(HostImage)

    func bind(unit: TextureUnit, in gl: borrowing CurrentContext) throws(GLError) {
        switch self {
        case .own(let target): try target.bind(unit: unit, in: gl)
        case .host(let image): try image.texture.bind(unit: unit.rawValue, in: gl)
        }
    }

    /// The properties of the texture that determine the shader program.
    var kind: ProgramKey.TextureKind {
        switch self {
        case .own: ProgramKey.TextureKind()
        case .host(let image): image.kind
        }
    }
}

/// The surface that a draw writes.
enum DrawTarget {
    /// A texture from the pipeline's pool. The output covers the whole image that the texture holds.
    case own(Target)
    /// A texture from the pipeline's pool. The output covers a part of the image that the texture holds.
    case part(Target, x: Int, y: Int)
    case host(HostTarget)

    /// The position of the output in the surface; nil if the output begins at the surface's first pixel.
    var placement: TargetPlacement? {
        switch self {
        case .own: nil
        case .part(let target, let x, let y):
            TargetPlacement(x: x, y: y, height: target.height, rises: false)
        case .host(let target): target.placement
        }
    }
}
