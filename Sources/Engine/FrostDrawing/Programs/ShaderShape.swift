/// Work that takes a different share of its time on the same device with fragment shaders than with compute shaders.
package enum ShaderShape: String, CaseIterable, Sendable {
    /// Few texels are fetched for each pixel.
    case copy
    /// Many texels that lie side by side are fetched for each pixel.
    case taps
    /// Texels at scattered places are fetched for each pixel.
    case lookups
}

extension DrawKind {
    package var shape: ShaderShape {
        if files.contains("filter.zoom.glsl") { return .lookups }
        return self == .blend ? .copy : .taps
    }
}

extension ProgramSource {
    /// Returns the source of the shader by whose times the kinds of shaders are compared.
    package static func trial(_ entry: ShaderEntry, _ limits: DrawLimits) -> ShaderSource {
        assemble(entry, limits, constants: [], ["trial.glsl"])
    }
}
