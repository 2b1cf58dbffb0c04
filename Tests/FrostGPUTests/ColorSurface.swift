import CGLES
import FrostCore
@testable import FrostGLES
@testable import FrostGPU
@testable import FrostTestHost

/// The storage of a host's texture, and its pixels as numbers.
enum ColorSurface: String, CaseIterable {
    case rgba8, rgb10A2, rgba16F

    var sample: SampleType { self == .rgba16F ? .f16 : .u8 }
    var depth: HostTarget.Depth { self == .rgb10A2 ? .ten : .eight }

    /// The number of steps from 0 to 1 in colour and alpha; nil for floats.
    var steps: (color: Double, alpha: Double)? {
        switch self {
        case .rgba8: (255, 255)
        case .rgb10A2: (1023, 3)
        case .rgba16F: nil
        }
    }

    /// Returns half the distance between neighbouring numbers at a number.
    func rounding(at value: Double) -> Double {
        steps.map { 0.5 / $0.color } ?? max(abs(value) * 0x1p-11, 0x1p-25)
    }

    /// Returns the pixels that the surface stores for others.
    func stored(_ pixels: [SIMD4<Double>]) -> [SIMD4<Double>] {
        pixels.map { pixel in
            guard let steps else {
                return SIMD4(
                    Double(Float16(pixel.x)), Double(Float16(pixel.y)), Double(Float16(pixel.z)),
                    Double(Float16(pixel.w)))
            }
            let scale = SIMD4(steps.color, steps.color, steps.color, steps.alpha)
            return (pixel.clamped(lowerBound: .zero, upperBound: .one) * scale).rounded(.toNearestOrAwayFromZero)
                / scale
        }
    }

    /// Creates a texture.
    ///
    /// - Parameter pixels: red, green, blue and alpha in the texture's row order; nil leaves the contents undefined.
    func texture(_ width: Int, _ height: Int, _ pixels: [SIMD4<Double>]?, in host: HostGL) -> GLuint {
        let gl = host.gl
        var name: GLuint = 0
        // SAFETY: glGenTextures writes one name.
        unsafe gl.genTextures(1, &name)
        gl.bindTexture(GL.texture2D, name)
        gl.pixelStorei(GL.unpackAlignment, 1)
        let (format, type) = formatAndType
        gl.texStorage2D(GL.texture2D, 1, GLenum(format), GLsizei(width), GLsizei(height))
        func upload<Element: BitwiseCopyable>(_ values: [Element]) {
            // SAFETY: the array has the bytes of width * height pixels of this type.
            unsafe gl.texSubImage2D(
                GL.texture2D, 0, 0, 0, GLsizei(width), GLsizei(height), GL.rgba, GLenum(type), values)
        }
        if let pixels {
            switch self {
            case .rgba8: upload(pixels.flatMap { p in (0..<4).map { UInt8((p[$0] * 255).rounded()) } })
            case .rgb10A2:
                upload(
                    pixels.map { p in
                        let c = (0..<3).map { UInt32((p[$0] * 1023).rounded()) }
                        return c[0] | c[1] << 10 | c[2] << 20 | UInt32((p.w * 3).rounded()) << 30
                    })
            case .rgba16F: upload(pixels.flatMap { p in (0..<4).map { Float16(p[$0]).bitPattern } })
            }
        }
        gl.bindTexture(GL.texture2D, 0)
        return name
    }

    /// Reads a texture of this storage, in the texture's row order.
    func pixels(_ texture: GLuint, _ width: Int, _ height: Int, in host: HostGL) -> [SIMD4<Double>] {
        switch self {
        case .rgba8:
            let bytes = host.pixels(texture, width, height)
            return (0..<width * height).map { i -> SIMD4<Double> in
                let pixel = SIMD4<UInt8>(bytes[4 * i..<4 * i + 4])
                return SIMD4<Double>(pixel) / 255
            }
        case .rgb10A2:
            var words = [UInt32](repeating: 0, count: width * height)
            read(texture, width, height, &words, GLenum(GL_UNSIGNED_INT_2_10_10_10_REV), in: host)
            return words.map { word -> SIMD4<Double> in
                let parts = SIMD4<UInt32>(word & 1023, word >> 10 & 1023, word >> 20 & 1023, word >> 30)
                return SIMD4<Double>(parts) / SIMD4(1023, 1023, 1023, 3)
            }
        case .rgba16F:
            var floats = [SIMD4<Float>](repeating: .zero, count: width * height)
            read(texture, width, height, &floats, GLenum(GL_FLOAT), in: host)
            return floats.map { SIMD4<Double>($0) }
        }
    }

    private func read<Element: BitwiseCopyable>(
        _ texture: GLuint, _ width: Int, _ height: Int, _ pixels: inout [Element], _ type: GLenum, in host: HostGL
    ) {
        let gl = host.gl
        var name = host.framebuffer(texture)
        gl.bindFramebuffer(GL.framebuffer, name)
        gl.pixelStorei(GL.packAlignment, 1)
        // SAFETY: the array has an element for each pixel that glReadPixels writes.
        unsafe gl.readPixels(0, 0, GLsizei(width), GLsizei(height), GL.rgba, type, &pixels)
        gl.bindFramebuffer(GL.framebuffer, 0)
        unsafe gl.deleteFramebuffers(1, &name)
    }

    private var formatAndType: (format: Int32, type: Int32) {
        switch self {
        case .rgba8: (GL_RGBA8, GL_UNSIGNED_BYTE)
        case .rgb10A2: (GL_RGB10_A2, GL_UNSIGNED_INT_2_10_10_10_REV)
        case .rgba16F: (GL_RGBA16F, GL_HALF_FLOAT)
        }
    }
}
