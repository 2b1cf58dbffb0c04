import Frost
import FrostImages
import FrostTestSupport
import Glibc
import Testing

/// Tests that the first examples of the README and of the page on Swift compile and run.
@Suite struct ReadmeTests {
    /// A page's first example must have the same lines as the function that the tests run.
    @Test(arguments: [("README.md", "ReadmeExample"), ("docs/Embedding-Swift.md", "QuickStartExample")])
    func isTheCodeThatRuns(_ page: String, _ file: String) throws {
        let folder = #filePath.split(separator: "/").dropLast()
        var readme = try text("/" + folder.dropLast(2).joined(separator: "/") + "/\(page)")
        // The page on Swift begins with a part of a Package.swift.
        if let start = readme.firstRange(of: "## Quick start") { readme = String(readme[start.lowerBound...]) }
        let source = try text("/" + folder.joined(separator: "/") + "/\(file).swift")
        let example = trimmed(try #require(block(in: readme), "\(page) has no ```swift block"))
        let imports = trimmed(source).filter { $0.hasPrefix("import ") }
        let body = trimmed(try #require(between("// Example begin\n", "// Example end", in: source)))
        #expect(example.filter { $0.hasPrefix("import ") } == imports)
        #expect(example.filter { !$0.hasPrefix("import ") } == body)
    }

    @Test func quickStart() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try await quickStartExample()
        }
        let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        #expect(output.hasPrefix("640 480 1228800 "))
    }

    /// The example runs in a separate process, because it changes and uses the current folder.
    @Test func runs() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            let entered = unsafe chdir(folder.path)
            try #require(entered == 0)
            let layout = try PixelLayout(width: 64, height: 48, format: PixelFormat(.rgb))
            let pixels = try PixelBuffer(layout: layout, bytes: (0..<layout.byteCount).map { UInt8($0 * 7 % 256) })
            try PNG.write(DecodedImage(pixels: pixels), path: "photo.png")
            try await readmeExample()
            let soft = try PNG.read(path: "soft.png").pixels
            try #require(soft.width == 64 && soft.height == 48)
            let expected = try await Renderer(backend: .exact).blur(pixels, GaussianBlur(sigma: 8, edge: .mirror)).image
            try #require(try Comparison(soft, expected).maximum <= 1)
        }
    }

    /// Returns the lines of the text that are not empty, without their indentation.
    private func trimmed(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }

    private func block(in text: String) -> Substring? { between("```swift\n", "```", in: text) }

    private func between(_ start: String, _ end: String, in text: String) -> Substring? {
        guard let from = text.firstRange(of: start), let to = text[from.upperBound...].firstRange(of: end) else {
            return nil
        }
        return text[from.upperBound..<to.lowerBound]
    }

    private func text(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "r") else {
            Issue.record("\(path) cannot be read")
            return ""
        }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
