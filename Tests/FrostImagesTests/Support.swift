import FrostCore
import Glibc
import Testing

@testable import FrostImages

/// A folder of its own for a test, removed with everything in it.
final class Scratch {
    let path: String

    init() {
        var random = SystemRandomNumberGenerator()
        path = "/tmp/frost-images-\(getpid())-\(random.next())"
        _ = unsafe mkdir(path, 0o755)
    }

    deinit {
        for entry in entries { _ = unsafe unlink(path + "/" + entry) }
        _ = unsafe rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names of everything in the folder, hidden files included.
    var entries: [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o644) -> String {
        let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC, mode)
        _ = unsafe Descriptor.write(descriptor, bytes.span.bytes)
        close(descriptor)
        _ = unsafe chmod(file(name), mode)
        return file(name)
    }

    func read(_ name: String) -> [UInt8] {
        let descriptor = unsafe open(file(name), O_RDONLY)
        defer { close(descriptor) }
        return readAll(descriptor)
    }

    func permissions(_ name: String) -> mode_t {
        var status = stat()
        _ = unsafe stat(file(name), &status)
        return status.st_mode & 0o7777
    }
}

func readAll(_ descriptor: Int32) -> [UInt8] {
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = unsafe read(descriptor, &block, block.count)
        if count <= 0 { return result }
        result += block[..<count]
    }
}

/// The samples of a buffer's pixels, without padding.
func samples(of pixels: PixelBuffer) -> [Int] {
    let layout = pixels.layout
    return (0..<layout.height).flatMap { y in
        let row = pixels.bytes[(y * layout.bytesPerRow)...].prefix(layout.rowByteCount)
        guard layout.format.sample == .u16 else { return row.map { Int($0) } }
        return stride(from: row.startIndex, to: row.endIndex, by: 2).map { i in
            Int(UInt16(littleEndian: UInt16(row[i]) | UInt16(row[i + 1]) << 8))
        }
    }
}

/// An image of noise.
func noise(
    _ width: Int, _ height: Int, _ format: PixelFormat, padding: Int = 0, seed: UInt64 = 1
) throws -> PixelBuffer {
    let layout = try PixelLayout(
        width: width, height: height, format: format, bytesPerRow: width * format.bytesPerPixel + padding)
    var random = Noise(seed)
    return try PixelBuffer(
        layout: layout,
        bytes: (0..<layout.byteCount).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) })
}

/// What a read or write threw.
func imageError(_ body: () throws -> Void) -> ImageError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ImageError
    }
}
