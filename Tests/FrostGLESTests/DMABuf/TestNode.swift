import FrostGLES
import FrostTestSupport
import Glibc
import Testing

/// Finds descriptors that are left open, although other tests open some meanwhile, by repeating the work many times.
enum OpenDescriptors {
    /// Whether `times` calls of `body` leave at least half as many descriptors open.
    static func grow(times: Int = 1000, _ body: () throws -> Void) rethrows -> Bool {
        let before = ProcessState.current.fileDescriptors
        for _ in 0..<times { try body() }
        return ProcessState.current.fileDescriptors > before + times / 2
    }

    /// The measure itself: descriptors that are kept are counted.
    static func areCounted() -> Bool {
        var kept: [Int32] = []
        defer { for descriptor in kept { close(descriptor) } }
        // Well below a process's limit.
        return grow(times: 200) { kept.append(dup(0)) }
    }
}

extension DMABufferAllocator {
    /// Makes a linear buffer, lends it to `body`, and closes it.
    @discardableResult
    func withBuffer<Value>(
        _ fourcc: FourCC, width: Int, height: Int, _ body: (DMABuffer) throws -> Value
    ) throws -> Value {
        let owned = try allocate(width: width, height: height, fourcc: fourcc)
        return try body(owned.buffer)
    }

    /// Lends memory for images of any format, since some devices allocate pixels of 32 bits only.
    ///
    /// - Parameter body: gets the memory's descriptor.
    func withMemory<Value>(bytes: Int, _ body: (Int32) throws -> Value) throws -> Value {
        try withBuffer(.xrgb8888, width: 1024, height: (bytes + 4095) / 4096) { try body($0.planes[0].descriptor) }
    }
}

extension DMABuffer {
    /// The bytes of a plane's rows, without padding.
    func bytes(plane index: Int = 0) throws -> [UInt8] {
        let format = try #require(DRMFormat(fourcc)).planes[index]
        let (rows, count, stride) = (
            format.rows(height: height), format.bytesPerRow(width: width), planes[index].stride
        )
        return try unsafe withMapped(plane: index, for: .read) { memory in
            (0..<rows).flatMap { row in unsafe Array(memory[row * stride..<row * stride + count]) }
        }
    }
}

/// A program that copies a texture, texel by texel.
enum CopyProgram {
    static func make(for use: DMABufferSupport.Use, in gl: borrowing CurrentContext) throws(GLError) -> Program {
        let isExternal = use == .external
        let program = try Program(
            vertex: ObjectTests.vertex,
            fragment: """
                #version 300 es
                \(isExternal ? "#extension GL_OES_EGL_image_external_essl3 : require" : "")
                precision highp float;
                uniform highp \(isExternal ? "samplerExternalOES" : "sampler2D") source;
                out vec4 result;
                void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }
                """, in: gl)
        try program.use(in: gl)
        try program.set(program.uniform("source", in: gl), 0, in: gl)
        return program
    }

    /// The pixels that shaders see, as RGBA.
    static func pixels(of texture: borrowing DMABufferTexture, in gl: borrowing CurrentContext) throws(GLError)
        -> [UInt8]
    {
        let (width, height) = (texture.width, texture.height)
        let program = try make(for: texture.use, in: gl)
        let target = try Texture(.rgba8, width: width, height: height, in: gl)
        let framebuffer = try Framebuffer(target, in: gl)
        let vertexArray = try VertexArray(in: gl)
        try program.use(in: gl)
        try texture.bind(unit: 0, in: gl)
        try gl.beginDrawing(into: framebuffer)
        try gl.drawTriangle(columns: 0..<width, rows: 0..<height, vertexArray)
        return try framebuffer.pixels(in: gl)
    }
}

/// Pixels that differ from their neighbours in all channels, and how they are drawn.
enum Pattern {
    /// A channel, 0 for red, of a pixel.
    static func value(_ column: Int, _ row: Int, _ channel: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: row * 37 + (4 * column + channel) * 11 + 5)
    }

    /// What shaders see of it, as RGBA, after it was drawn into a format.
    static func colors(in format: DRMFormat, width: Int, height: Int) -> [UInt8] {
        let channels = format.fourcc == .r8 ? 1 : format.fourcc == .gr88 ? 2 : format.hasAlpha ? 4 : 3
        return (0..<height).flatMap { row in
            (0..<width).flatMap { column in
                (0..<4).map { $0 < channels ? value(column, row, $0) : $0 == 3 ? 255 : 0 }
            }
        }
    }

    /// Draws it over a whole buffer, and waits.
    ///
    /// - Returns: what the GL reads back.
    @discardableResult
    static func draw(into buffer: DMABuffer, in gl: borrowing CurrentContext) throws(GLError) -> [UInt8] {
        try draw("values & 255", into: buffer, in: gl)
    }

    /// Draws one number, of 255, into all channels of a buffer.
    static func fill(_ buffer: DMABuffer, with number: Int, in gl: borrowing CurrentContext) throws(GLError) {
        _ = try draw("ivec4(\(number))", into: buffer, in: gl)
    }

    private static func draw(
        _ values: String, into buffer: DMABuffer, in gl: borrowing CurrentContext
    ) throws(GLError) -> [UInt8] {
        let texture = try DMABufferTexture(buffer, in: gl)
        let framebuffer = try Framebuffer(texture, in: gl)
        let program = try Program(
            vertex: ObjectTests.vertex,
            fragment: """
                #version 300 es
                precision highp float;
                precision highp int;
                out vec4 result;
                void main() {
                    ivec2 place = ivec2(gl_FragCoord.xy);
                    ivec4 values = place.y * 37 + (4 * place.x + ivec4(0, 1, 2, 3)) * 11 + 5;
                    result = vec4(\(values)) / 255.0;
                }
                """, in: gl)
        let vertexArray = try VertexArray(in: gl)
        try program.use(in: gl)
        try gl.beginDrawing(into: framebuffer)
        try gl.drawTriangle(columns: 0..<buffer.width, rows: 0..<buffer.height, vertexArray)
        if case .fence(let fence) = try gl.fenceSubmittedWork(patience: 10) {
            try gl.wait(forFence: fence.descriptor, patience: 10)
        }
        return try framebuffer.pixels(in: gl)
    }
}

extension Framebuffer {
    /// All pixels, as RGBA of 8 bits.
    func pixels(in gl: borrowing CurrentContext) throws(GLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        let result: Result<Void, GLError> = unsafe bytes.withUnsafeMutableBytes { memory in
            Result { () throws(GLError) in try unsafe read(rows: 0..<height, into: memory, in: gl) }
        }
        try result.get()
        return bytes
    }
}
