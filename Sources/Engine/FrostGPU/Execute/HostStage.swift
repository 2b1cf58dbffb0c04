import FrostCore
import FrostGLES

/// A texture of Frost in the host's context that is the target of some draws and the source of others, like a texture of the
/// host.
///
/// Not thread-safe: use it only while the host's context is current. If the object is released while another context is
/// current, the next call in the host's context deletes the texture.
package final class HostStage {
    private let texture: Texture
    private let executor: HostExecutor
    private let generation: Int
    /// The texture as the source of an effect.
    package private(set) var source: HostImage
    /// The texture as the target of an effect.
    package private(set) var target: HostTarget

    fileprivate init(
        _ texture: consuming Texture, _ source: HostImage, _ target: HostTarget, of executor: HostExecutor
    ) {
        (self.source, self.target) = (source, target)
        self.source.texture.name = texture.name
        self.target.surface = .texture(texture.name)
        self.texture = texture
        self.executor = executor
        generation = executor.generation
    }

    /// Describes a texture for an image between two stages, of the size and encoding of the host's image. It has floats if
    /// source or target have floats, 10 bits, or encodings other than sRGB. The names are those of no texture, and differ.
    package static func descriptions(
        like image: HostImage, for target: HostTarget
    ) -> (source: HostImage, target: HostTarget) {
        var format = image.format
        if target.format.sample.isFloat || target.depth == .ten || image.encoding != .sRGB || target.encoding != .sRGB {
            format.sample = .f16
        }
        return (
            HostImage(
                HostTexture(name: 0), width: image.width, height: image.height, format: format,
                encoding: image.encoding),
            HostTarget(
                .texture(.max), width: image.width, height: image.height, format: format, encoding: image.encoding)
        )
    }

    /// Whether the texture still has what was drawn. It is given up if the GL refuses a call.
    package var isValid: Bool { generation == executor.generation }
}

extension HostExecutor {
    /// Makes a texture that ``HostStage/descriptions(like:for:)`` describes.
    package func makeStage(like image: HostImage, for target: HostTarget) throws(GPUError) -> HostStage {
        let (source, target) = HostStage.descriptions(like: image, for: target)
        return try perform { (_, gl) throws(GPUError) in
            let texture = try rethrow(
                Texture(
                    source.format.sample.isFloat ? .rgba16F : .rgba8, width: image.width, height: image.height, in: gl),
                as: GPUError.gl)
            return HostStage(texture, source, target, of: self)
        }
    }
}
