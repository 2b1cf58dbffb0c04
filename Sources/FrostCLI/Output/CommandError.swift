import Frost
import FrostImages

/// What ends a command, or one of its inputs.
enum CommandError: Error {
    /// The command line is not right; `--help` says how.
    case usage(String)
    case image(ImageError)
    case frost(FrostError)
    /// A file that a template names exists already.
    case exists(path: String)
}

extension CommandError: CustomStringConvertible {
    var description: String {
        switch self {
        case .usage(let text): text
        case .image(let error): error.description
        case .frost(let error): error.description
        case .exists(let path): "\(path): exists already; --force overwrites it"
        }
    }
}

/// The exit codes of the contract.
enum ExitCode: Int32 {
    case done = 0
    case someFailed = 1
    case usage = 2
    case unreadable = 3
    case overLimit = 4
    case noDevice = 5
    case unwritable = 6

    init(_ error: CommandError) {
        switch error {
        case .usage: self = .usage
        case .exists: self = .unwritable
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
            case .cancelled: self = .someFailed
            case .deviceUnavailable, .deviceFailed: self = .noDevice
            }
        }
    }
}
