import Frost
import FrostImages

/// Runs the example of README.md. ``ReadmeTests`` calls it in a folder with a photo.png.
func readmeExample() async throws {
    // Example begin
    let picture = try PNG.read(path: "photo.png")
    let result = try await Renderer().blur(picture.pixels, GaussianBlur(sigma: 8, edge: .mirror))
    try PNG.write(DecodedImage(pixels: result.image, metadata: picture.metadata), path: "soft.png")
    // Example end
}
