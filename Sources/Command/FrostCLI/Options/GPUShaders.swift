package import FrostGPU

/// The values of `--gpu-shaders`.
package enum GPUShaders: String, CaseIterable, Sendable, OptionValue {
    case auto, compute, fragment

    /// The option for the library; nil for ``auto``.
    var path: ShaderPath? {
        switch self {
        case .auto: nil
        case .compute: .compute
        case .fragment: .fragment
        }
    }
}

extension Arguments {
    /// The options of the GPU that the command line and the environment give.
    package var gpuOptions: GPUOptions {
        var options = GPUOptions()
        if let shaders = value(.gpuShaders, as: GPUShaders.self) { options.shaders = shaders.path }
        return options
    }
}
