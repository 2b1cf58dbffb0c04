import FrostCore
import FrostGLES

/// What a draw reads.
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

    /// What programs that read it have to know.
    var kind: ProgramKey.TextureKind {
        switch self {
        case .own: ProgramKey.TextureKind()
        case .host(let image):
            switch image.texture.kind {
            case .texture2D: ProgramKey.TextureKind(isExternal: false, rises: image.rises)
            case .external: ProgramKey.TextureKind(isExternal: true, rises: image.rises)
            }
        }
    }
}

/// What a draw writes.
enum DrawTarget {
    /// All of a texture of the pipeline's pool.
    case own(Target)
    /// A part of one.
    case part(Target, x: Int, y: Int)
    case host(HostTarget)

    /// Where the output lies in it; nil if it is the whole.
    var placement: Placement? {
        switch self {
        case .own: nil
        case .part(let target, let x, let y):
            Placement(x: Int32(x), y: Int32(y), height: Int32(target.texture.height), rises: false)
        case .host(let target):
            Placement(x: Int32(target.x), y: Int32(target.y), height: Int32(target.height), rises: target.rises)
        }
    }
}

extension Pipeline {
    /// Directs draws to a target.
    ///
    /// - Parameter covers: all of the output is about to be drawn.
    func begin(_ target: DrawTarget, covers: Bool, in gl: borrowing CurrentContext) throws(GLError) {
        switch target {
        case .own(let target):
            if covers {
                try gl.beginDrawing(into: target.framebuffer)
            } else {
                try gl.resumeDrawing(into: target.framebuffer)
            }
        case .part(let target, _, _): try gl.resumeDrawing(into: target.framebuffer)
        case .host(let target):
            if hostFramebuffer == nil { hostFramebuffer = try HostFramebuffer(in: gl) }
            try hostFramebuffer?.beginDrawing(
                into: target.surface, width: target.width, height: target.height, in: gl)
        }
    }
}
