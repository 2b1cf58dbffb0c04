import FrostCore
import FrostTestSupport
import Glibc
import Testing

@testable import FrostImages

/// A temporary folder for one test. It is removed with its contents when the object is deallocated.
final class Scratch {
    private let folder: ScratchFolder
    var path: String { folder.path }

    init() throws { folder = try ScratchFolder() }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names of all files in the folder, hidden files included.
    var entries: [String] { Folder.names(in: path) }

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

/// Returns the samples of all pixels, without padding.
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

/// Returns the error that `body` throws; nil if `body` succeeds.
func imageError(_ body: () throws -> Void) -> ImageError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ImageError
    }
}
