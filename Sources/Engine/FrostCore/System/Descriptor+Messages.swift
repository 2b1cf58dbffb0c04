import CFiles
import Glibc

/// Messages with descriptors, between processes.
extension Descriptor {
    /// Creates a pair of connected Unix sockets. Programs that this process starts do not inherit its ends.
    ///
    /// - Parameter keepsMessages: whether what is sent with one call is received with one call.
    package static func sockets(keepsMessages: Bool) throws(Errno) -> (near: Int32, far: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = keepsMessages ? SOCK_SEQPACKET : SOCK_STREAM
        // SAFETY: socketpair stores two numbers.
        try Errno.check { unsafe socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) }
        let near: Int32
        do throws(Errno) { near = try raised(ends[0]) } catch {
            close(ends[1])
            throw error
        }
        do throws(Errno) { return (near, try raised(ends[1])) } catch {
            close(near)
            throw error
        }
    }

    /// Sends a message with descriptors. The receiver gets duplicates.
    package static func send(_ bytes: [UInt8], with descriptors: [Int32], to socket: Int32) throws(Errno) {
        // SAFETY: the call reads as many bytes and descriptors as the arrays have.
        try Errno.check { unsafe frost_send_descriptors(socket, bytes, bytes.count, descriptors, descriptors.count) }
    }

    /// Receives a message with descriptors, which then belong to the caller. Returns nil if the other end is closed.
    ///
    /// - Parameters:
    ///   - size: the largest number of bytes of the message.
    ///   - count: the number of its descriptors.
    package static func receive(
        _ size: Int, with count: Int, from socket: Int32
    ) throws(Errno) -> (bytes: [UInt8], descriptors: [Int32])? {
        var bytes = [UInt8](repeating: 0, count: size)
        var descriptors = [Int32](repeating: -1, count: count)
        // SAFETY: the call stores at most as many bytes and descriptors as the arrays have.
        let got = try Errno.check { unsafe frost_receive_descriptors(socket, &bytes, size, &descriptors, count) }
        return got == 0 ? nil : (Array(bytes[..<got]), descriptors)
    }
}
