import FrostCore
import FrostGLES

/// The ends of an execution that lie in the host's textures instead of the pipeline's own.
struct HostEnds {
    var source: HostImage?
    var target: HostTarget?
}

/// What a draw reads.
enum DrawInput {
    case target(Target)
    case host(HostImage)

    func bind(unit: Int, in gl: borrowing CurrentContext) throws(GLError) {
        switch self {
        case .target(let target): try target.texture.bind(unit: unit, in: gl)
        case .host(let image): try image.texture.bind(unit: unit, in: gl)
        }
    }
}

/// What a draw writes.
enum DrawTarget {
    case own(Target)
    /// A part of one.
    case part(Target, x: Int, y: Int)
    case host(HostTarget)

    /// Where the output lies in it; nil where it is the whole.
    var placement: Placement? {
        switch self {
        case .own: nil
        case .part(let target, let x, let y):
            Placement(x: Int32(x), y: Int32(y), height: Int32(target.texture.height), rises: false)
        case .host(let target):
            Placement(
                x: Int32(target.x), y: Int32(target.y), height: Int32(target.height), rises: target.rises)
        }
    }
}

extension Pipeline {
    /// Directs draws to a target.
    ///
    /// - Parameter covers: all of the output is about to be drawn.
    func begin(_ target: DrawTarget, covers: Bool = true, in gl: borrowing CurrentContext) throws(GLError) {
        switch target {
        case .own(let target) where covers: try gl.beginDrawing(into: target.framebuffer)
        case .own(let target), .part(let target, _, _): try gl.resumeDrawing(into: target.framebuffer)
        case .host(let target):
            if hostFramebuffer == nil { hostFramebuffer = try HostFramebuffer(in: gl) }
            try hostFramebuffer?.beginDrawing(
                into: target.surface, width: target.width, height: target.height, in: gl)
        }
    }
}

extension Work {
    /// What the last draw, or another, writes, how and where.
    func output(_ store: Store, into target: DrawTarget, hasOutputStages: Bool) -> Output {
        var output = Output(store)
        output.placement = target.placement
        output.isShifted = output.placement?.rises == false && !hasOutputStages
        output.topRow = Int32(clamping: (ends.source?.height ?? 0) - 1)
        return output
    }

    /// What programs of a draw have to know of the host's images.
    func variant(from place: Place, _ output: Output, _ outputStages: OutputStagesVariant?) -> HostVariant {
        var variant = HostVariant()
        if let source = ends.source {
            if place == .source {
                variant.inputIsExternal = source.texture.kind == .external
                variant.inputRises = source.rises
            }
            if outputStages?.original == true {
                variant.originalIsExternal = source.texture.kind == .external
                variant.originalRises = source.rises
            }
        }
        variant.isPlaced = output.placement != nil && !output.isShifted
        return variant
    }
}
