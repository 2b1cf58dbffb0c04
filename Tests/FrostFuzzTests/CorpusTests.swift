import FrostFuzz
import Glibc
import Testing

/// Every file of Tests/fuzz is read without ending the process. Tools/fuzz found some of these files. The others are small
/// valid ones, with which it starts.
struct CorpusTests {
    /// Tests/fuzz of the checkout that the test was compiled in.
    private static let folder: String = {
        let parts = #filePath.split(separator: "/").dropLast(2)
        return "/" + parts.joined(separator: "/") + "/fuzz"
    }()

    /// The files of a target, with their names.
    private static func files(of target: FuzzTarget) -> [(name: String, bytes: [UInt8])] {
        let folder = "\(folder)/\(target.rawValue)"
        guard let entries = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(entries) }
        var files: [(String, [UInt8])] = []
        while let entry = unsafe readdir(entries) {
            // SAFETY: readdir ends the name with NUL.
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            files.append((name, bytes(of: "\(folder)/\(name)")))
        }
        return files.sorted { $0.0 < $1.0 }
    }

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // SAFETY: fread writes at most `block.count` bytes.
            let count = unsafe fread(&block, 1, block.count, file)
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }

    @Test(arguments: FuzzTarget.allCases) func everyFileIsRead(_ target: FuzzTarget) {
        let files = Self.files(of: target)
        #expect(!files.isEmpty, "Tests/fuzz/\(target.rawValue) has no file")
        for file in files {
            print("\(target.rawValue)/\(file.name)")
            target.run(file.bytes)
        }
        target.run([])
    }
}
