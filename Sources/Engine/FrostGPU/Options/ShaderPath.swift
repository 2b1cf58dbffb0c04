import FrostCore
import FrostDrawing
import FrostGLES
import FrostLog

/// The kind of shaders that compute the draws of a plan. Both have the same formulas, so their results have the same bound.
public enum ShaderPath: String, Sendable, Hashable, CaseIterable {
    /// Compute shaders, which OpenGL ES has since version 3.1 and desktop OpenGL since 4.3. Draws into targets to which the
    /// GL cannot store stay fragment shaders.
    case compute
    /// Fragment shaders.
    case fragment
}

/// The kind of shaders for each shape of work, and the reason for the choice.
struct ShaderChoice: Hashable, CustomStringConvertible {
    private let computed: Set<ShaderShape>
    let description: String

    /// Whether compute shaders compute some shape of work.
    var usesCompute: Bool { !computed.isEmpty }

    func path(_ shape: ShaderShape) -> ShaderPath { computed.contains(shape) ? .compute : .fragment }

    /// A choice that needs no measurement; nil if both kinds are available and none is requested.
    init?(_ wanted: ShaderPath?, _ limits: ContextLimits, _ device: DeviceInfo) {
        let hasCompute = !limits.storableFormats.isEmpty
        switch wanted {
        case .fragment: (computed, description) = ([], "fragment shaders, as requested")
        case .compute where !hasCompute:
            (computed, description) = ([], "fragment shaders: the context has no compute shaders, which were requested")
            Log.write(
                .warning, "\(device.renderer): \(device.version) has no compute shaders; fragment shaders are used")
        case .compute: (computed, description) = (Set(ShaderShape.allCases), "compute shaders, as requested")
        case nil where !hasCompute: (computed, description) = ([], "fragment shaders: the context has no others")
        case nil: return nil
        }
    }

    /// The choice by measured times.
    ///
    /// - Parameter isSoftware: whether the GL draws on the CPU.
    init(_ times: ShaderTimes, isSoftware: Bool) {
        // Times vary by some per cent, and the choice should not. On a quiet machine llvmpipe takes 0.6 to 0.7
        // of the time for the compute shaders of the measurement, but 1.0 to 1.5 for those of blurs.
        let limit = isSoftware ? 0.5 : 0.95
        computed = Set(ShaderShape.allCases.filter { times.ratio($0) < limit })
        let ratios = ShaderShape.allCases.map { "\($0) \(numberText(times.ratio($0), decimals: 2))" }
        let kinds = ShaderShape.allCases.filter(computed.contains).map(\.rawValue)
        let name =
            switch kinds.count {
            case 0: "fragment shaders"
            case ShaderShape.allCases.count: "compute shaders"
            default: "compute shaders for \(kinds.joined(separator: ", "))"
            }
        description = "\(name): times of compute shaders / fragment shaders: \(ratios.joined(separator: ", "))"
    }

    /// The choice after a measurement that failed.
    init(failure: String) {
        (computed, description) = ([], "fragment shaders: compute shaders failed in a trial: \(failure)")
    }
}
