import FrostCore
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
        case .host(let image):
            ProgramKey.TextureKind(
                isExternal: image.texture.isExternal, rises: image.rises, isOpaque: !image.format.channels.hasAlpha)
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
    var placement: Placement? {
        switch self {
        case .own: nil
        case .part(let target, let x, let y):
            Placement(x: Int32(x), y: Int32(y), height: Int32(target.height), rises: false)
        case .host(let target):
            Placement(x: Int32(target.x), y: Int32(target.y), height: Int32(target.height), rises: target.rises)
        }
    }
}

extension Pipeline {
    /// Directs the following draws to a target.
    ///
    /// - Parameter covers: whether the draws cover the whole output, so that the old pixels of the output are not
    ///   needed.
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

extension HostTexture {
    fileprivate var isExternal: Bool {
        switch kind {
        case .texture2D: false
        case .external: true
        }
    }
}
