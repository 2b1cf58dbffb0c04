package import Frost
package import FrostImages
import Glibc

/// The output of a command that makes an animation, as `--output` and `--format` describe it.
///
/// The output is a Y4M stream (`out.y4m`, or `-` for standard output), an animated WebP or PNG file (`out.webp`,
/// `out.apng`), or one picture file for each frame (`frames/{frame}.png`, or `frames/` for a folder). A single frame
/// may also become a single picture (`out.png`). `{frame}` is the number of the frame, counted from 0, with zeros in
/// front so that all names have the same length of at least four digits.
package struct SequenceOutput: Sendable {
    /// The destination of the frames.
    package let target: SequenceTarget
    /// The form in which the frames are stored.
    package let format: SequenceFormat
    /// The number of frames.
    package let frames: Int
    /// How existing files are replaced.
    private var file: AtomicFile.Options

    /// The names for `--format`.
    package static let formatNames = ["y4m"] + ImageFormat.allNames

    /// The placeholder for the number of a frame.
    private static let placeholder = "frame"
    /// The minimum number of digits of a frame's number in a file name.
    private static let minimumDigits = 4

    /// Reads `--output`, `--format` and `--force`.
    ///
    /// - Throws: the errors of ``init(_:format:frames:force:isTerminal:)``.
    package init(_ arguments: Arguments, frames: Int) throws(CommandError) {
        try self.init(
            try arguments.requiredPath(.output), format: arguments.value(.sequenceFormat), frames: frames,
            force: arguments.has(.force), isTerminal: isatty(STDOUT_FILENO) == 1, arguments.replacement)
    }

    /// Chooses the destination and the form of an animation.
    ///
    /// - Parameters:
    ///   - output: the value of `--output`.
    ///   - stated: the value of `--format`; nil if the name of the output determines the format.
    ///   - frames: the number of frames, at least 1.
    ///   - force: whether existing files of a template may be overwritten, and a terminal may receive frames.
    ///   - isTerminal: whether standard output is a terminal.
    ///   - file: how existing files are replaced.
    /// - Throws: ``CommandError/usage(_:)`` if the name has no known suffix, if it contradicts `--format`, if the
    ///   format cannot hold several frames, for an unknown placeholder, and for frames that would be written to a
    ///   terminal; ``CommandError/exists(path:)`` if a file that a template names exists.
    package init(
        _ output: FilePath, format stated: String?, frames: Int, force: Bool, isTerminal: Bool,
        _ file: AtomicFile.Options = .interruptible
    ) throws(CommandError) {
        let stated = try stated.map { (name) throws(CommandError) in try Self.named(name) }
        let isStream = output.isStream
        let isFolder = !isStream && OutputNames.isFolder(output)
        if isFolder, let stated, stated == .y4m || stated == .apng {
            throw .usage(
                "\(output.shownName): \(stated.title) holds all frames in one file, but --output names a folder")
        }
        let suffix = (stated ?? .pictures(.png)).suffix
        let pattern = isFolder ? output.appending("{\(Self.placeholder)}.\(suffix)") : output
        (self.frames, self.file) = (frames, file)
        let placeholders = OutputNames.placeholders(in: pattern)
        for name in placeholders where name != Self.placeholder {
            throw .usage("--output: unknown placeholder {\(name)}; allowed: {\(Self.placeholder)}")
        }
        if !placeholders.isEmpty {
            format = .pictures(try Self.pictureFormat(pattern, stated))
            let digits = max(Self.minimumDigits, "\(frames - 1)".count)
            let name: @Sendable (Int) -> FilePath = { frame in
                let number = "\(frame)"
                let padding = String(repeating: "0", count: max(0, digits - number.count))
                return OutputNames.substitute(pattern, Self.placeholder, padding + number)
            }
            guard name(0) != name(1) else {
                throw .usage("--output \(pattern.shownName): a placeholder begins but does not end with }")
            }
            target = .files(path: name)
            if !force { try checkAbsent() }
            return
        }
        format = isStream ? stated ?? .y4m : try Self.format(of: output, stated, frames: frames)
        if case .pictures(let format) = format, frames > 1 {
            throw .usage(
                "\(output.shownName): \(format.traits.title) holds one picture, not \(frames) frames; "
                    + (isStream ? "use --format y4m, webp or apng" : Self.alternatives(output, format)))
        }
        if output == "-", isTerminal, !force {
            throw .usage("-o -: standard output is a terminal; redirect it, name a file, or use --force")
        }
        target = output == "-" ? .descriptor(STDOUT_FILENO, name: "standard output") : .file(path: output)
    }

    /// Returns the format that `--format` names. WebP here means an animated file.
    private static func named(_ name: String) throws(CommandError) -> SequenceFormat {
        let lower = name.lowercased()
        if let animation = SequenceFormat.animations.first(where: { $0.suffix == lower }) { return animation }
        if let format = ImageFormat(named: lower) { return .pictures(format) }
        if let missing = ImageFormat.missing(named: lower) { throw .usage("--format \(name): \(missing.absence)") }
        throw .usage(
            "--format \(name): invalid value (allowed: \(formatNames.joined(separator: ", ")))"
                + Suggestion.phrase(for: lower, among: formatNames))
    }

    /// Returns the format of the picture files that a template names.
    private static func pictureFormat(
        _ pattern: FilePath, _ stated: SequenceFormat?
    ) throws(CommandError) -> ImageFormat {
        let suffix = ImageFormat.suffix(of: pattern)?.lowercased()
        let named = SequenceFormat.animations.first { $0.suffix == suffix && $0 != .webp }
        switch named ?? stated {
        case .y4m?, .apng?:
            throw .usage(
                "\(pattern.shownName): \((named ?? stated)?.title ?? "") holds all frames in one file; leave out "
                    + "{\(placeholder)}, or use a picture format such as .png")
        case .webp?: return try OutputNames.format(of: pattern, stated: .webp) ?? .webp
        case .avif?: return try OutputNames.format(of: pattern, stated: .avif) ?? .avif
        case .pictures(let format)?: return try OutputNames.format(of: pattern, stated: format) ?? format
        case nil: return try OutputNames.format(of: pattern, stated: nil) ?? .png
        }
    }

    /// Returns the format of a single file.
    private static func format(
        of path: FilePath, _ stated: SequenceFormat?, frames: Int
    ) throws(CommandError) -> SequenceFormat {
        let suffix = ImageFormat.suffix(of: path)?.lowercased() ?? ""
        let animation = SequenceFormat.animations.first { $0.suffix == suffix }
        let named = animation ?? ImageFormat(suffixOf: path).map { .pictures($0) }
        if let stated, let named, stated != named {
            throw .usage(
                "\(path.shownName): the file name means \(named.title), but --format selects \(stated.title)")
        }
        guard let format = stated ?? named else {
            guard ImageFormat.missing(suffixOf: path) == nil else {
                throw .usage(ImageError.unknownSuffix(path: path.text).description)
            }
            throw .usage(
                "\(path.shownName): unknown output format; use .y4m, .webp or .apng, a template such as "
                    + "frames/{\(placeholder)}.png, or --format NAME"
                    + OutputNames.suggestion(for: suffix, among: formatNames))
        }
        // A single frame is a still picture, which keeps the colours of transparent pixels as well.
        return format == .webp && frames == 1 ? .pictures(.webp) : format
    }

    /// Returns names that several frames can have, for the error about a single picture.
    private static func alternatives(_ path: FilePath, _ format: ImageFormat) -> String {
        let suffix = path.suffix ?? FilePath(format.traits.suffixes[0])
        let stem = path.withoutSuffix
        let name: FilePath = "\(template(for: stem.text) ?? "\(stem)-{\(placeholder)}").\(suffix)"
        return "use a template such as \(name.shownName), or the suffix .y4m, .webp or .apng"
    }

    /// Returns the template for a name in which `%d`, `%03d` or the like stands for the number, as in other programs; nil if
    /// the name has no such part.
    private static func template(for name: String) -> String? {
        guard let start = name.firstIndex(of: "%") else { return nil }
        let end = name[start...].dropFirst().drop { $0.isNumber }
        guard end.first == "d" else { return nil }
        return "\(name[..<start]){\(placeholder)}\(end.dropFirst())"
    }

    /// The output for a result line: the first and the last file of a template.
    func shownName(_ pattern: FilePath) -> String {
        switch target {
        case .file, .descriptor, .memory: pattern.shownName
        case .files(let path): path(0).shownName + (frames > 1 ? " to \(path(frames - 1).shownName)" : "")
        }
    }

    /// Throws if a file that the template names already exists.
    private func checkAbsent() throws(CommandError) {
        guard case .files(let path) = target else { return }
        for frame in 0..<frames where path(frame).exists { throw .exists(path: path(frame).text) }
    }

    /// Gives the files the times of an input.
    ///
    /// - Throws: ``CommandError/usage(_:)`` if the input or the output is not a file, and ``CommandError/image(_:)`` if the
    ///   times cannot be read.
    package mutating func keepTimes(of input: FilePath) throws(CommandError) {
        let isFile =
            switch target {
            case .file, .files: input != "-"
            case .descriptor, .memory: false
            }
        guard isFile else { throw .usage("--keep times applies to files, not to standard input and output") }
        do throws(ImageError) { file.times = try FileTimes(of: input) } catch { throw .image(error) }
    }

    /// Creates the missing folders of the files that a template names.
    ///
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``.
    private func createFolders() throws(ImageError) {
        guard case .files(let path) = target else { return }
        // The number of the frame can be a part of a folder's name.
        let count = path(0).folder == path(1).folder ? 1 : frames
        for frame in 0..<count { try OutputNames.createFolders(for: path(frame)) }
    }

    /// Opens the output. Creates the missing folders of a template.
    ///
    /// - Parameter metadata: the metadata of the files, as far as the options and the format keep them.
    /// - Throws: ``CommandError/image(_:)`` if the format cannot store the frames, or the output cannot be written.
    package func writer(
        _ layout: PixelLayout, _ rate: FrameRate, _ options: SequenceOptions, metadata: ImageMetadata = ImageMetadata()
    ) throws(CommandError) -> SequenceWriter {
        do throws(ImageError) {
            try createFolders()
            return try SequenceWriter(
                to: target, as: format, layout: layout, rate: rate, frames: frames, metadata: metadata,
                options: options,
                file: file)
        } catch {
            throw .writing(error)
        }
    }
}
