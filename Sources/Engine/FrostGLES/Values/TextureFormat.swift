import CGLES

/// The formats of render targets. All have four channels.
public enum TextureFormat: String, Sendable, Hashable, CaseIterable {
    /// 8 bits per channel, normalised to 0...1.
    case rgba8
    /// 16 bits per channel, normalised to 0...1. Needs GL_EXT_texture_norm16.
    case rgba16
    /// 16-bit floats. Needs GL_EXT_color_buffer_float.
    case rgba16F
    /// 32-bit floats. Needs GL_EXT_color_buffer_float.
    case rgba32F
    /// 10 bits per colour channel and two bits of alpha, for opaque images only.
    case rgb10A2

    /// The number of bytes of a pixel.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba8, .rgb10A2: 4
        case .rgba16, .rgba16F: 8
        case .rgba32F: 16
        }
    }

    var isFloat: Bool {
        switch self {
        case .rgba16F, .rgba32F: true
        case .rgba8, .rgba16, .rgb10A2: false
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

    /// The GL type in which pixels of this format are transferred without loss; nil for formats that are never
    /// transferred.
    var transferType: GLenum? {
        switch self {
        case .rgba8: GLenum(GL_UNSIGNED_BYTE)
        case .rgba32F: GLenum(GL_FLOAT)
        case .rgba16, .rgba16F, .rgb10A2: nil
        }
    }

    /// Checks a transfer of pixels, and returns the GL type of their samples.
    ///
    /// - Parameters:
    ///   - what: the kind of transfer, for error messages.
    ///   - columns: the number of pixels in each row.
    ///   - bytes: the size of the memory with the rows, which have no padding.
    func transferType(
        _ what: String, columns: Int, of width: Int, rows: Range<Int>, of height: Int, bytes: Int
    ) throws(GLError) -> GLenum {
        guard let type = transferType else { throw .unsupported("\(what) \(rawValue)") }
        guard rows.lowerBound >= 0, rows.upperBound <= height, (1...width).contains(columns),
            rows.count * columns * bytesPerPixel <= bytes
        else {
            throw .callFailed(GLEvidence(call: "\(what) \(columns) columns of \(width), rows \(rows) of \(height)"))
        }
        return type
    }

    /// A type of pixels with which glTexImage2D accepts the format, even without pixels.
    var pixelType: GLenum {
        switch self {
        case .rgba8: GLenum(GL_UNSIGNED_BYTE)
        case .rgba16: GLenum(GL_UNSIGNED_SHORT)
        case .rgba16F: GLenum(GL_HALF_FLOAT)
        case .rgba32F: GLenum(GL_FLOAT)
        case .rgb10A2: GLenum(GL_UNSIGNED_INT_2_10_10_10_REV)
        }
    }

    /// The extension of OpenGL ES that rendering to this format needs; nil if ES 3.0 can render to the format. ES 3.2
    /// includes rendering to float formats, but drivers of ES 3.2 still list the extension.
    var neededExtension: String? {
        switch self {
        case .rgba8, .rgb10A2: nil
        case .rgba16: "GL_EXT_texture_norm16"
        case .rgba16F, .rgba32F: "GL_EXT_color_buffer_float"
        }
    }

    /// The formats to which compute shaders can store.
    ///
    /// - Parameter all: whether the shading language has all of OpenGL's formats, as it has with GL_NV_image_formats.
    static func storable(_ all: Bool) -> Set<TextureFormat> { all ? Set(allCases) : [.rgba8, .rgba16F, .rgba32F] }

    /// The format with this internal format of the GL; nil for formats that Frost does not use.
    init?(internalFormat: GLenum) {
        guard let format = Self.allCases.first(where: { $0.internalFormat == internalFormat }) else { return nil }
        self = format
    }
}
