import CCommand
package import Frost
package import FrostImages
import FrostPipeline
import Glibc

/// Reads and writes the pictures that a command line names.
package enum Pictures {
    /// The limits that the command line sets. The memory is the smaller of `--max-memory` and what the limits of the
    /// process leave at the time of this call. So call this once, before pictures are loaded.
    package static func limits(_ arguments: Arguments) throws(CommandError) -> ImageLimits {
        if arguments.written(.maxMemory) != nil { AddressSpace.returnFreedMemory() }
        let memory = arguments.value(.maxMemory, as: ByteCount.self)?.bytes ?? ImageLimits.defaultMemory
        return ImageLimits(
            maximumSide: try arguments.required(.maxSide, as: Int.self),
            maximumPixels: try arguments.required(.maxPixels, as: Int.self),
            maximumPixelsPerByte: try arguments.required(.maxPixelsPerByte, as: Int.self),
            maximumMemory: ImageLimits.availableMemory(atMost: memory),
            maximumTime: .seconds(try arguments.required(.maxTime, as: Double.self)),
            sandbox: try sandbox(arguments, byDefault: false),
            allowed: try arguments.allowedFormats)
    }

    /// The sandbox that the command line asks for; nil for none. Starts the process that starts those of the pictures, so that it is
    /// ready when the first picture is opened.
    ///
    /// - Parameters:
    ///   - byDefault: whether the command uses a sandbox without an option.
    ///   - console: prints a warning if the kernel lacks a part of a sandbox that is the default.
    package static func sandbox(
        _ arguments: Arguments, byDefault: Bool, _ console: Console? = nil
    ) throws(CommandError) -> DecoderSandbox? {
        let isAsked = arguments.has(.sandbox)
        if arguments.has(.noSandbox) {
            guard !isAsked else { throw .usage("--sandbox and --no-sandbox exclude each other") }
            return nil
        }
        guard isAsked || byDefault else { return nil }
        let lacks = Int(frost_sandbox_lacks())
        let parts: [(bit: Int, name: String)] = [
            (Int(FROST_LACKS_SECCOMP), "seccomp"), (Int(FROST_LACKS_LANDLOCK), "Landlock"),
        ]
        let missing = parts.filter { lacks & $0.bit != 0 }.map(\.name).joined(separator: " and ")
        var sandbox = DecoderSandbox(program: OwnProgram.path)
        if isAsked {
            guard missing.isEmpty else { throw .usage("--sandbox: the kernel lacks \(missing)") }
        } else {
            sandbox.isolation = .possible
            if !missing.isEmpty {
                console?.warn(
                    "the kernel lacks \(missing), so the processes that decode and encode pictures keep more rights; "
                        + "--no-sandbox starts none, and --sandbox makes this an error")
            }
        }
        CodecStarter.prepare(sandbox.program)
        return sandbox
    }

    /// Opens a picture for a command that has the options for reading, such as `--first-frame`. If `--first-frame` helps,
    /// the error names it.
    static func open(
        _ path: FilePath, _ options: ImageReadOptions, _ problems: ReadProblems, _ time: TimeLimit? = nil
    ) throws(CommandError) -> ImageReader {
        do throws(ImageError) { return try reader(of: path, options, problems, time) } catch {
            if case .animated = error { throw .severalFrames(error) }
            throw .image(error)
        }
    }

    /// Opens a picture of any format by its path, or standard input for "-".
    private static func reader(
        of path: FilePath, _ options: ImageReadOptions, _ problems: ReadProblems, _ time: TimeLimit? = nil
    ) throws(ImageError) -> ImageReader {
        if path == "-" {
            return try ImageReader(
                descriptor: 0, name: "standard input", head: StandardInput.head, options: options,
                problems: problems, time: time)
        }
        return try ImageReader(path: path, options: options, problems: problems, time: time)
    }

    /// Reads a picture of any supported format, and converts CMYK pixels to sRGB.
    ///
    /// - Parameter console: prints a warning for each fault that the options accept; nil for commands without the options
    ///   for reading.
    package static func read(
        _ path: FilePath, _ options: ImageReadOptions, _ console: Console?
    ) throws(CommandError) -> DecodedImage {
        try read(path, options, console) { (reader) throws(ImageError) in try reader.readLight(limits: options.limits) }
    }

    /// Reads a picture as a mask. The mask is the picture's alpha channel or, if the picture has no alpha, its luma.
    ///
    /// - Parameter console: as for ``read(_:_:_:)``.
    package static func mask(
        _ path: FilePath, _ options: ImageReadOptions, _ console: Console?
    ) throws(CommandError) -> MaskImage {
        let picture = try read(path, options, bytesPerPixel: MemoryLayout<Float>.size, console)
        if let remark = MaskImage.remark(ofFile: picture) { console?.warn("\(path.shownName): \(remark)") }
        return MaskImage(ofFile: picture)
    }

    /// Reads the depth picture of a picture as a mask: 0 at the nearest point, and 1 at the farthest.
    static func depth(
        of path: FilePath, _ options: ImageReadOptions, _ console: Console
    ) throws(CommandError) -> MaskImage {
        var options = options
        options.part = .depth
        return MaskImage(try read(path, options, bytesPerPixel: MemoryLayout<Float>.size, console))
    }

    /// Reads a picture that the caller will convert to `bytesPerPixel` bytes per pixel. Throws if the converted picture
    /// does not fit in memory.
    ///
    /// - Parameters:
    ///   - purpose: what the colours of the picture are for; nil if only its samples count. A warning names the purpose if the
    ///     transfer curve of the picture is not decoded.
    ///   - console: as for ``read(_:_:_:)``.
    static func read(
        _ path: FilePath, _ options: ImageReadOptions, bytesPerPixel: Int, for purpose: (text: String, Console)? = nil,
        _ console: Console?
    ) throws(CommandError) -> PixelBuffer {
        try read(path, options, console) { (reader) throws(ImageError) in
            try reader.readPixels(convertedTo: bytesPerPixel, limits: options.limits) { metadata in
                if let (text, console) = purpose { warnOfCurve(of: metadata, in: path, for: [text], console) }
            }
        }
    }

    /// Warns of a picture whose transfer curve is not decoded, although something asks for its light or its colours.
    package static func warnOfCurve(
        of metadata: ImageMetadata, in path: FilePath, for asked: [String], _ console: Console
    ) {
        if let warning = metadata.curveWarning(for: asked) { console.warn("\(path.shownName): \(warning)") }
    }

    private static func read<Picture>(
        _ path: FilePath, _ options: ImageReadOptions, _ console: Console?,
        _ body: (consuming ImageReader) throws(ImageError) -> Picture
    ) throws(CommandError) -> Picture {
        let problems = ReadProblems()
        guard let console else {
            return try rethrow(body(reader(of: path, options, problems)), as: CommandError.image)
        }
        let reader = try open(path, options, problems)
        let picture: Picture
        do throws(ImageError) { picture = try body(reader) } catch { throw .image(error) }
        warn(of: problems, in: path, console)
        return picture
    }

    private static func warn(of problems: ReadProblems, in path: FilePath, _ console: Console) {
        for text in problems.texts { console.warn("\(path.shownName): \(text)") }
    }

    /// Writes a picture to a path, completely or not at all. The path "-" means standard output.
    package static func write(
        _ image: DecodedImage, to path: FilePath, as format: ImageFormat,
        options: ImageWriteOptions = ImageWriteOptions(), _ file: AtomicFile.Options = .interruptible
    ) throws(CommandError) {
        do throws(ImageError) {
            if path == "-" {
                let output = DescriptorSink(descriptor: 1, name: "standard output")
                _ = try ImageFile.encode(image, as: format, to: output, options: options)
                return
            }
            defer { Interruption.setTemporaryFile(nil) }
            let output = try AtomicFile(path: path, options: file)
            let written = try ImageFile.encode(image, as: format, to: output, options: options)
            try written.commit()
        } catch {
            throw .writing(error)
        }
    }
}

extension Arguments {
    /// The formats that `--allow` lists; nil without the option.
    fileprivate var allowedFormats: AllowedFormats? {
        get throws(CommandError) {
            guard let list = value(.allow) else { return nil }
            do throws(AllowedFormats.UnknownName) { return try AllowedFormats(parsing: list) } catch {
                throw .usage("--allow: \(error)")
            }
        }
    }
}
