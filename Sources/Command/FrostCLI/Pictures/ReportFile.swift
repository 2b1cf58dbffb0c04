package import Frost
import FrostImages
import Glibc

/// Writes the text files that a command creates in addition to its results.
package enum ReportFile {
    /// Writes a file completely or not at all. The path "-" means standard output.
    package static func write(_ text: String, to path: FilePath) throws(CommandError) {
        let bytes = Array(text.utf8)
        do throws(ImageError) {
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            if path == "-" {
                var output = DescriptorSink(descriptor: 1, name: "standard output")
                return try output.write(unsafe bytes.span.bytes)
            }
            defer { Interruption.setTemporaryFile(nil) }
            var file = try AtomicFile(path: path, options: .interruptible)
            try file.write(unsafe bytes.span.bytes)
            try file.commit()
        } catch {
            throw .writing(error)
        }
    }

    /// Throws if a file that an option names cannot be written, is one of the inputs, or is also the file of another
    /// option. A command calls this function before its work, so that it does not fail after minutes.
    package static func check(
        _ options: [Option], in arguments: Arguments, over inputs: [FilePath]
    ) throws(CommandError) {
        for (index, option) in options.enumerated() {
            guard let path = arguments.path(option) else { continue }
            try refuse(option, path, over: inputs)
            try check(path)
            for other in options[..<index] {
                if let first = arguments.path(other) { try refuse(option, path, beside: other, first) }
            }
        }
    }

    /// Throws if two options name one file, or both standard output.
    package static func refuse(
        _ option: Option, _ path: FilePath, beside other: Option, _ first: FilePath
    ) throws(CommandError) {
        guard !path.isStandardOutput || !first.isStandardOutput else {
            throw .usage("only one of --\(other.name) and --\(option.name) can use standard output")
        }
        guard !path.isStandardOutput, isSame(first, path) else { return }
        throw .usage("--\(other.name) and --\(option.name) cannot be the same file, \(path.shownName)")
    }

    private static func check(_ path: FilePath) throws(CommandError) {
        let kind = (try? path.status())?.kind
        // Pipes are not checked: opening a pipe would wait for its reader, and closing it would end the reader's input.
        guard path != "-", kind == nil || kind == S_IFREG || kind == S_IFDIR else { return }
        do throws(ImageError) { _ = try AtomicFile(path: path) } catch { throw .image(error) }
    }

    /// Throws if the file that an option names is one of the inputs.
    ///
    /// - Parameter path: the value of the option.
    package static func refuse(_ option: Option, _ path: FilePath, over inputs: [FilePath]) throws(CommandError) {
        guard !path.isStandardOutput, let input = inputs.first(where: { $0 != "-" && isSame($0, path) }) else { return }
        throw .usage("--\(option.name) \(path.shownName) would overwrite the input \(input.shownName)")
    }

    /// Returns whether two paths refer to the same file, which need not exist yet.
    package static func isSame(_ a: FilePath, _ b: FilePath) -> Bool {
        switch (a.identity, b.identity) {
        case (let first?, let second?): return first == second
        case (_?, nil), (nil, _?): return false
        case (nil, nil): break
        }
        let (first, second) = (target(of: a), target(of: b))
        guard let folder = first.folder.identity, let other = second.folder.identity else { return first == second }
        return first.name == second.name && folder == other
    }

    /// The path to which links lead from a path at which no file exists.
    private static func target(of path: FilePath) -> FilePath {
        var path = path
        // Linux follows 40 links.
        for _ in 0..<40 {
            guard let content = try? path.linkContent() else { break }
            path = content.isAbsolute ? content : path.folder.appending(content)
        }
        return path
    }
}
