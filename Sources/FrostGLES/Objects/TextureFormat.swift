import CGLES

/// The formats of render targets, all with four channels.
public enum TextureFormat: String, Sendable, Hashable, CaseIterable {
    case rgba8
    /// GL_EXT_texture_norm16.
    case rgba16
    /// GL_EXT_color_buffer_float.
    case rgba16F
    /// GL_EXT_color_buffer_float.
    case rgba32F
    /// Two bits of alpha: for opaque images only.
    case rgb10A2

    /// Memory per pixel.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba8, .rgb10A2: 4
        case .rgba16, .rgba16F: 8
        case .rgba32F: 16
        }
    }

    var internalFormat: GLenum {
        switch self {
        case .rgba8: GLenum(GL_RGBA8)
        case .rgba16: GLenum(GL_RGBA16_EXT)
        case .rgba16F: GLenum(GL_RGBA16F)
        case .rgba32F: GLenum(GL_RGBA32F)
        case .rgb10A2: GLenum(GL_RGB10_A2)
        }
    }

    /// The sample type in which pixels of the format travel without loss; nil for those that stay on the GPU.
    var transferType: GLenum? {
        switch self {
        case .rgba8: GLenum(GL_UNSIGNED_BYTE)
        case .rgba32F: GLenum(GL_FLOAT)
        case .rgba16, .rgba16F, .rgb10A2: nil
        }
    }

    /// The extension without which the format cannot be read between its texels; nil for those that always can.
    /// ES 3.0 filters half floats in its core, GL_EXT_texture_norm16 its own formats.
    public var extensionForFiltering: String? {
        switch self {
        case .rgba8, .rgba16, .rgba16F, .rgb10A2: nil
        case .rgba32F: "GL_OES_texture_float_linear"
        }
    }

    /// The extension without which the format cannot be rendered to; nil for those of ES 3.0 itself. ES 3.2 has float
    /// targets in its core, and its drivers still name the extension.
    var neededExtension: String? {
        switch self {
        case .rgba8, .rgb10A2: nil
        case .rgba16: "GL_EXT_texture_norm16"
        case .rgba16F, .rgba32F: "GL_EXT_color_buffer_float"
        }
    }
}
