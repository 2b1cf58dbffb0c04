import Frost
import FrostImages
import Glibc

/// The first bytes of standard input. Frost reads them to detect the format, and passes them on to the reader because a
/// pipe cannot be rewound.
package enum StandardInput {
    /// The bytes that determine the format of standard input. There are fewer bytes than necessary if the input ends
    /// early or if reading fails. In the latter case, the next read reports the failure.
    static let head: [UInt8] = {
        var head: [UInt8] = []
        while head.count < ImageFormat.signatureByteCount {
            var buffer = [UInt8](repeating: 0, count: ImageFormat.signatureByteCount - head.count)
            guard case .success(let count) = Descriptor.read(0, into: &buffer), count > 0 else { break }
            head += buffer[..<count]
        }
        return head
    }()

    /// Says that the program waits, if a user is expected to type a picture.
    package static func announce(_ console: Console) {
        guard isatty(STDIN_FILENO) == 1 else { return }
        console.note("reading a picture from the terminal; Ctrl-D ends it, Ctrl-C the program")
    }

    /// The format of the picture on standard input; nil if Frost cannot read it.
    static var format: ImageFormat? { ImageFormat(firstBytes: head) }
}
