import CGLES
@testable import Frost
import FrostCore
import FrostGLES
import FrostGPU
@testable import FrostTestHost
import FrostTestSupport

/// A simulated host with a picture, panels over it, and several buffers that it shows in turn.
protocol BufferHost {
    var panels: [Panel] { get set }
    var extent: Rect { get }
    mutating func damage(_ rect: Rect) throws
    /// Renders a frame into a buffer. Then fills what panels have uncovered, as the host's own picture.
    mutating func render(
        into index: Int, _ repaint: Backdrop.Repaint, number: UInt64?, cancellation: Cancellation?
    ) throws -> BackdropReport
    func shown(_ index: Int) -> [UInt8]
    /// Returns the pixels that a new backdrop draws into a buffer that shows only the host's own picture.
    func expected() throws -> [UInt8]
}

enum BufferFill {
    static let format = PixelFormat(.rgba, alpha: .premultiplied)
    /// The value of the host's own pixels.
    static let own: UInt8 = 0xA5

    static func pixels(_ width: Int, _ height: Int, _ value: UInt8 = own) -> [UInt8] {
        [UInt8](repeating: value, count: 4 * width * height)
    }

    static func buffer(_ width: Int, _ height: Int, _ value: UInt8 = own) throws -> PixelBuffer {
        try PixelBuffer(
            layout: PixelLayout(width: width, height: height, format: format), bytes: pixels(width, height, value))
    }
}

/// A host whose buffers are in memory.
struct MemoryBuffers: BufferHost {
    private let backdrop: Backdrop
    private var picture: PixelBuffer
    private var buffers: [PixelBuffer]
    private var seed: UInt64 = 1

    init(_ width: Int, _ height: Int, count: Int) throws {
        backdrop = try Backdrop(threads: 2)
        picture = try TestImage.make(.uniformNoise, width, height, BufferFill.format)
        buffers = try (0..<count).map { try BufferFill.buffer(width, height, $0 == 0 ? BufferFill.own : 0x11) }
    }

    var extent: Rect { picture.layout.extent }

    var panels: [Panel] {
        get { backdrop.panels }
        set { backdrop.panels = newValue }
    }

    mutating func damage(_ rect: Rect) throws {
        seed += 1
        let part = try TestImage.make(.uniformNoise, rect.width, rect.height, BufferFill.format, seed: seed)
        try picture.paste(part, at: rect)
        backdrop.invalidate(rect)
    }

    mutating func render(
        into index: Int, _ repaint: Backdrop.Repaint, number: UInt64?, cancellation: Cancellation?
    ) throws -> BackdropReport {
        let report = try backdrop.render(
            picture, into: &buffers[index], repaint: repaint, buffer: number, cancellation: cancellation)
        for rect in report.uncovered {
            try buffers[index].paste(BufferFill.buffer(rect.width, rect.height), at: rect)
        }
        return report
    }

    func shown(_ index: Int) -> [UInt8] { Array(buffers[index].bytes) }

    func expected() throws -> [UInt8] {
        let fresh = try Backdrop(threads: 1)
        fresh.panels = panels
        var target = try BufferFill.buffer(picture.width, picture.height)
        _ = try fresh.render(picture, into: &target)
        return Array(target.bytes)
    }
}

/// A host whose buffers are GL textures.
struct TextureBuffers: BufferHost {
    private let gl: HostGL
    private let renderer: TextureRenderer
    private let backdrop: TextureBackdrop
    private let source: GLuint
    private let targets: [GLuint]
    private var picture: PixelBuffer
    private var seed: UInt64 = 1

    init(_ gl: HostGL, _ width: Int, _ height: Int, count: Int) throws {
        self.gl = gl
        renderer = try TextureRenderer()
        backdrop = TextureBackdrop(on: renderer)
        picture = try TestImage.make(.uniformNoise, width, height, BufferFill.format)
        source = gl.texture(width, height, picture.bytes)
        targets = (0..<count).map {
            gl.texture(width, height, BufferFill.pixels(width, height, $0 == 0 ? BufferFill.own : 0x11))
        }
    }

    func end() {
        renderer.destroy()
        gl.delete(textures: [source] + targets)
    }

    var extent: Rect { picture.layout.extent }

    var panels: [Panel] {
        get { backdrop.panels }
        set { backdrop.panels = newValue }
    }

    private var image: HostImage {
        HostImage(
            HostTexture(name: source), width: picture.width, height: picture.height, format: BufferFill.format)
    }

    private func place(_ texture: GLuint) -> HostTarget {
        HostTarget(.texture(texture), width: picture.width, height: picture.height, format: BufferFill.format)
    }

    mutating func damage(_ rect: Rect) throws {
        seed += 1
        let part = try TestImage.make(.uniformNoise, rect.width, rect.height, BufferFill.format, seed: seed)
        try picture.paste(part, at: rect)
        gl.update(source, rect, part.bytes)
        backdrop.invalidate(rect)
    }

    mutating func render(
        into index: Int, _ repaint: Backdrop.Repaint, number: UInt64?, cancellation: Cancellation?
    ) throws -> BackdropReport {
        let report = try backdrop.render(
            image, into: place(targets[index]), repaint: repaint, buffer: number, cancellation: cancellation)
        for rect in report.uncovered { gl.update(targets[index], rect, BufferFill.pixels(rect.width, rect.height)) }
        return report
    }

    func shown(_ index: Int) -> [UInt8] { gl.pixels(targets[index], picture.width, picture.height) }

    func expected() throws -> [UInt8] {
        let texture = gl.texture(picture.width, picture.height, BufferFill.pixels(picture.width, picture.height))
        defer { gl.delete(textures: [texture]) }
        let fresh = TextureBackdrop(on: renderer)
        fresh.panels = panels
        _ = try fresh.render(image, into: place(texture))
        return gl.pixels(texture, picture.width, picture.height)
    }
}
