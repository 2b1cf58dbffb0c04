package import Frost
package import FrostImages
import Glibc

/// An error that ends a command or the work on one of its inputs.
package enum CommandError: Error {
    /// The command line is wrong.
    case usage(String)
    case image(ImageError)
    case frost(FrostError)
    /// An input is a folder.
    case isFolder(path: String)
    /// A folder has no file with a picture's suffix.
    case noPictures(path: String)
    /// A file that a template names exists already.
    case exists(path: String)
}

extension CommandError {
    /// An error of reading or writing a picture. If the reader of the output is gone, SIGPIPE ends the program as
    /// usual.
    static func writing(_ error: ImageError) -> CommandError {
        if case .cannotWrite(_, EPIPE) = error { Interruption.end(by: SIGPIPE) }
        return .image(error)
    }
}

extension CommandError {
    /// The input that could not be used; nil for all other errors.
    var input: String? {
        switch self {
        case .image(let error):
            switch error.kind {
            case .unreadable, .overLimit: error.path
            case .unwritable: nil
            }
        case .isFolder(let path), .noPictures(let path): path
        case .usage, .frost, .exists: nil
        }
    }
}

extension CommandError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .usage(let text): text
        case .image(let error): error.description
        case .frost(let error): error.description
        case .isFolder(let path): "\(path): is a folder; --recursive takes the pictures in it"
        case .noPictures(let path): "\(path): there is no picture in this folder, or in those in it"
        case .exists(let path): "\(path): exists already; --force overwrites it"
        }
    }
}

/// The exit codes of the contract.
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
        case .done: "everything asked for was done"
        case .someFailed: "some of several inputs failed, or a comparison, check or bound did not hold"
        case .usage: "the command line is wrong"
        case .unreadable: "the input cannot be read, is corrupt or not supported"
        case .overLimit: "the input is over a limit (pixels, sides, bytes)"
        case .noDevice: "a device was demanded and none can be used"
        case .unwritable: "the output cannot be written; what stood there before is untouched"
        }
    }

    /// The meanings of these codes and of those after signals.
    package static let meanings: [(code: Int32, meaning: String)] =
        allCases.map { ($0.rawValue, $0.meaning) } + [(130, "interrupted"), (143, "terminated")]

    package init(_ error: CommandError) {
        switch error {
        case .usage: self = .usage
        case .exists: self = .unwritable
        case .isFolder, .noPictures: self = .unreadable
        case .image(let error):
            switch error.kind {
            case .unreadable: self = .unreadable
            case .overLimit: self = .overLimit
            case .unwritable: self = .unwritable
            }
        case .frost(let error):
            switch error {
            case .parameter: self = .usage
            case .pixels: self = .overLimit
            case .cancelled, .busy: self = .someFailed
            case .surface, .deviceUnavailable, .deviceFailed: self = .noDevice
            }
        }
    }
}
