package import Frost
package import FrostImages
package import FrostPipeline
import Glibc

/// An error that ends a command, or that ends only the work on one input of the command.
package enum CommandError: Error {
    /// The command line is invalid.
    case usage(String)
    case image(ImageError)
    /// ``ImageError/animated(path:format:)`` of a command that has the option `--first-frame`.
    case severalFrames(ImageError, remedy: FramesRemedy = .none)
    case frost(FrostError)
    /// The effect cannot be applied to a picture.
    case picture(path: String, FrostError)
    /// An input is a folder, and --recursive is not set.
    case isFolder(path: String)
    /// An input is a folder that contains no file with the suffix of a picture format.
    case noPictures(path: String)
    /// The folder of an output file does not exist.
    case noFolder(path: String)
    /// An output file whose name comes from a template already exists.
    case exists(path: String)
    /// The boxes of `--rects` cannot be used.
    case boxes(BoxFileError)
    /// A scene that cannot be read, or names a file that cannot be read.
    /// If `isOverLimit`, the scene names a file that exceeds a limit.
    case scene(path: String, reason: String, isOverLimit: Bool = false)
    /// ffmpeg cannot read a video, or write one.
    case video(path: String, reason: String, isOutput: Bool = false)
}

extension CommandError {
    /// Converts an error that occurred while a picture was written. If the error means that the process that reads the
    /// output has ended, this function ends the program with SIGPIPE, as is usual for Unix commands.
    static func writing(_ error: ImageError) -> CommandError {
        if case .cannotWrite(_, EPIPE) = error { Interruption.end(by: SIGPIPE) }
        if case .cannotWrite(let path, ENOENT) = error, !FilePath(path).folder.exists { return .noFolder(path: path) }
        return .image(error)
    }

    /// Converts the error of a parameter that an option sets.
    package static func refused(_ error: ParameterError) -> CommandError { .usage("\(error)") }

    /// Returns the conversion of a system error that occurred while a file was read.
    static func cannotRead(_ path: FilePath) -> (Errno) -> CommandError {
        { .image(.cannotRead(path: path.text, errno: $0.code)) }
    }

    /// Returns the conversion of a system error that occurred while a file was written.
    static func cannotWrite(_ path: FilePath) -> (Errno) -> CommandError {
        { .image(.cannotWrite(path: path.text, errno: $0.code)) }
    }
}

extension CommandError {
    /// The path of the input that could not be used; nil for all other errors.
    var input: String? {
        switch self {
        case .image(let error):
            switch error.kind {
            case .unreadable, .overLimit: error.path
            case .unwritable: nil
            }
        case .severalFrames(let error, _): error.path
        case .isFolder(let path), .noPictures(let path), .scene(let path, _, _), .picture(let path, _): path
        case .boxes(let error): error.path.text
        case .video(let path, _, let isOutput): isOutput ? nil : path
        case .usage, .frost, .noFolder, .exists: nil
        }
    }
}

extension CommandError {
    /// What keeps all frames of an animation.
    package enum FramesRemedy {
        /// An output of another format.
        case outputs
        /// An input that is a file.
        case file
        case none
    }

    /// What keeps all frames of an animation, as the end of a message; empty if Frost does not read the frames.
    private static func frames(_ error: ImageError, _ remedy: FramesRemedy) -> String {
        guard case .animated(_, let format) = error, format.hasReadableFrames else { return "" }
        return switch remedy {
        case .outputs: ", or write .webp, .apng or .avif, which keep all frames"
        case .file: ", or give a file in place of a stream, so that Frost can read all frames"
        case .none: ""
        }
    }
}

extension CommandError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .usage(let text): text
        case .image(let error): error.description
        case .severalFrames(let error, let remedy):
            error.descriptionWithFirstFrame + Self.frames(error, remedy)
        case .frost(let error): error.description
        case .picture(let path, let error): "\(path.shownName): \(error)"
        case .isFolder(let path): "\(path.shownName): is a folder; use --recursive to process its pictures"
        case .noPictures(let path): "\(path.shownName): no pictures in this folder or its subfolders"
        case .noFolder(let path):
            "\(path.shownName): the folder \(FilePath(path).folder.shownName) does not exist; create it, or write "
                + "-o \(FilePath(path).folder.shownName)/ to have it created"
        case .exists(let path): "\(path.shownName): file exists; use --force to overwrite it"
        case .boxes(let error): error.description
        case .scene(let path, let reason, _), .video(let path, let reason, _): "\(path.shownName): \(reason)"
        }
    }
}

/// The documented exit codes of the program.
package enum ExitCode: Int32, CaseIterable {
    case done = 0
    case someFailed = 1
    case usage = 2
    case unreadable = 3
    case overLimit = 4
    case noDevice = 5
    case unwritable = 6

    package var meaning: String {
        switch self {
        case .done: "success"
        case .someFailed:
            "at least one of several inputs failed, or the result of a comparison or check is over its limit"
        case .usage: "the command line is wrong"
        case .unreadable: "the input cannot be read, is corrupt or not supported"
        case .overLimit: "the input exceeds a limit (pixels, sides, bytes, memory or time)"
        case .noDevice: "the requested GPU cannot be used, or no GPU was found to check"
        case .unwritable: "the output cannot be written; an existing file of that name is unchanged"
        }
    }

    /// All exit codes with their meanings, including the exit codes of a program that a signal has ended.
    package static let meanings: [(code: Int32, meaning: String)] =
        allCases.map { ($0.rawValue, $0.meaning) } + [(129, "hung up"), (130, "interrupted"), (143, "terminated")]

    package init(_ error: CommandError) {
        switch error {
        case .usage: self = .usage
        case .noFolder, .exists: self = .unwritable
        case .isFolder, .noPictures, .severalFrames, .boxes: self = .unreadable
        case .scene(_, _, let isOverLimit): self = isOverLimit ? .overLimit : .unreadable
        case .video(_, _, let isOutput): self = isOutput ? .unwritable : .unreadable
        case .image(let error):
            switch error.kind {
            case .unreadable: self = .unreadable
            case .overLimit: self = .overLimit
            case .unwritable: self = .unwritable
            }
        case .frost(let error), .picture(_, let error):
            switch error {
            case .parameter: self = .usage
            case .pixels, .noThread, .outOfMemory: self = .overLimit
            case .cancelled, .busy: self = .someFailed
            case .surface, .deviceUnavailable, .deviceFailed, .forked: self = .noDevice
            }
        }
    }
}
