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
    package let source: HostImage
    /// The texture as the target of an effect.
    package let target: HostTarget

    fileprivate init(_ texture: consuming Texture, like image: HostImage, of executor: HostExecutor) {
        var format = image.format
        if texture.format == .rgba16F { format.sample = .f16 }
        source = HostImage(
            HostTexture(name: texture.name), width: image.width, height: image.height, format: format,
            encoding: image.encoding)
        target = HostTarget(
            .texture(texture.name), width: image.width, height: image.height, format: format, encoding: image.encoding)
        self.texture = texture
        self.executor = executor
        generation = executor.generation
    }

    /// Whether the texture still has what was drawn. It is given up if the GL refuses a call.
    package var isValid: Bool { generation == executor.generation }
}

extension HostExecutor {
    /// Makes a texture for an image between two stages, of the size and encoding of the host's image. It has floats if 8 bits
    /// are too few: for float textures, for 10 bits, and for encodings other than sRGB.
    package func makeStage(like image: HostImage, depth: HostTarget.Depth) throws(GPUError) -> HostStage {
        let hasBytes = image.format.sample.isEightBit && image.encoding == .sRGB && depth == .eight
        return try perform { (_, gl) throws(GPUError) in
            let texture = try rethrow(
                Texture(hasBytes ? .rgba8 : .rgba16F, width: image.width, height: image.height, in: gl),
                as: GPUError.gl)
            return HostStage(texture, like: image, of: self)
        }
    }
}
