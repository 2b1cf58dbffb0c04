import Frost

/// Runs the quick start of docs/Embedding-Swift.md. ``ReadmeTests`` calls it.
func quickStartExample() async throws {
    // Example begin
    // 640x480 pixels of 8 bits: red, green, blue, alpha. The bytes are row by row, from top to bottom.
    let bytes = [UInt8](repeating: 128, count: 640 * 480 * 4)
    let picture = try PixelBuffer(width: 640, height: 480, format: .rgba8, bytes: bytes)

    let renderer = try Renderer()  // keep it: it keeps the GPU and its memory
    let soft = try await renderer.blur(picture, sigma: 8)
    let glass = try await renderer.render(picture, .material(.thick, .dark))
    print(soft.image.width, soft.image.height, soft.image.bytes.count, soft.report.backend, glass.image.bytes.count)
    // Example end
}
