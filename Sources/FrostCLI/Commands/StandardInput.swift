import Frost
import FrostImages

/// The beginning of standard input, which may be a pipe: what has been read of it has to be handed on.
enum StandardInput {
    /// The first bytes, as many as a format is recognised by; fewer at the end of the file, or if reading fails, which
    /// whoever reads on finds out.
    static let head: [UInt8] = {
        var head: [UInt8] = []
        while head.count < ImageFormat.signatureByteCount {
            var buffer = [UInt8](repeating: 0, count: ImageFormat.signatureByteCount - head.count)
            guard case .success(let count) = Descriptor.read(0, into: &buffer), count > 0 else { break }
            head += buffer[..<count]
        }
        return head
    }()

    /// The format of the picture; nil if it is none that Frost reads.
    static var format: ImageFormat? { ImageFormat(firstBytes: head) }
}
