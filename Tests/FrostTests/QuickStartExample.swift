import Frost

/// Runs the quick start of docs/Embedding-Swift.md. ``ReadmeTests`` calls it.
func quickStartExample() throws {
    // Example begin
    // 640x480 pixels of 8 bits: red, green, blue, alpha. The bytes are row by row, from top to bottom.
    let layout = try PixelLayout(width: 640, height: 480, format: .rgba8)
    let picture = try PixelBuffer(layout: layout, bytes: [UInt8](repeating: 128, count: layout.byteCount))

    let renderer = try Renderer()  // keep it: it keeps the GPU and its memory
    let result = try renderer.blur(picture, GaussianBlur(sigma: 8))  // or render(picture, effect), for any effect
    let bytes = result.image.bytes  // as many as in the picture
    print(result.image.width, result.image.height, bytes.count, result.report.backend)
    // Example end
}
