import FrostGLES
import FrostTestSupport
import Glibc
import Testing

/// Detects leaked descriptors. The work is repeated many times, because other tests open and close descriptors meanwhile.
enum OpenDescriptors {
    /// Returns whether `times` calls of `body` leave more than `times` / 2 descriptors open.
    static func grow(times: Int = 1000, _ body: () throws -> Void) rethrows -> Bool {
        let before = ProcessState.current.fileDescriptors
        for _ in 0..<times { try body() }
        return ProcessState.current.fileDescriptors > before + times / 2
    }

    /// Checks the measurement itself: it must report descriptors that stay open.
    static func areCounted() -> Bool {
        var kept: [Int32] = []
        defer { for descriptor in kept { close(descriptor) } }
        // 200 descriptors are far below the limit of a process.
        return grow(times: 200) { kept.append(dup(0)) }
    }
}

extension DMABufferAllocator {
    /// Allocates a linear buffer, passes it to `body`, and releases it.
    @discardableResult
    func withBuffer<Value>(
        _ fourcc: FourCC, width: Int, height: Int, _ body: (DMABuffer) throws -> Value
    ) throws -> Value {
        let owned = try allocate(width: width, height: height, fourcc: fourcc)
        return try body(owned.buffer)
    }

    /// Allocates memory that can hold images of any format, and passes it to `body`. The memory is that of a buffer with
    /// 32-bit RGB pixels, because some devices allocate no other format.
    ///
    /// - Parameter body: receives the descriptor of the memory.
    func withMemory<Value>(bytes: Int, _ body: (Int32) throws -> Value) throws -> Value {
        try withBuffer(.xrgb8888, width: 1024, height: (bytes + 4095) / 4096) { try body($0.planes[0].descriptor) }
    }
}

extension DMABuffer {
    /// Returns the bytes of a plane's rows, without padding.
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

/// A GL program that copies a texture, texel by texel.
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

    /// Returns the RGBA pixels that shaders read from a texture.
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

/// A test pattern in which neighbouring pixels differ in every channel, and functions that draw it.
enum Pattern {
    /// Returns the value of one channel of a pixel; channel 0 is red.
    static func value(_ column: Int, _ row: Int, _ channel: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: row * 37 + (4 * column + channel) * 11 + 5)
    }

    /// Returns the RGBA colours that shaders read after the pattern was drawn into a buffer of this format.
    static func colors(in format: DRMFormat, width: Int, height: Int) -> [UInt8] {
        let channels = format.fourcc == .r8 ? 1 : format.fourcc == .gr88 ? 2 : format.hasAlpha ? 4 : 3
        return (0..<height).flatMap { row in
            (0..<width).flatMap { column in
                (0..<4).map { $0 < channels ? value(column, row, $0) : $0 == 3 ? 255 : 0 }
            }
        }
    }

    /// Draws the pattern over a whole buffer and waits for the GPU.
    ///
    /// - Returns: the pixels that GL reads back.
    @discardableResult
    static func draw(into buffer: DMABuffer, in gl: borrowing CurrentContext) throws(GLError) -> [UInt8] {
        try draw("values & 255", into: buffer, in: gl)
    }

    /// Fills all channels of a buffer with one value in 0...255.
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
    /// Reads all pixels of the framebuffer as RGBA bytes.
    func pixels(in gl: borrowing CurrentContext) throws(GLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        let result: Result<Void, GLError> = unsafe bytes.withUnsafeMutableBytes { memory in
            Result { () throws(GLError) in try unsafe read(rows: 0..<height, into: memory, in: gl) }
        }
        try result.get()
        return bytes
    }
}
