import Glibc

/// Reads and writes descriptors, retrying after interruptions and short counts. Failures are values of `errno`, because
/// only the caller knows the name that errors give the descriptor.
package enum Descriptor {
    /// Reads up to `buffer.count` bytes, and at least one unless the end is reached.
    ///
    /// - Returns: the number of bytes, 0 at the end; or the error.
    @unsafe package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) -> Result<Int, Errno> {
        while true {
            // SAFETY: the buffer is as long as it says.
            let got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if got >= 0 { return .success(got) }
            let error = Errno.last
            guard retries(error, descriptor, waitingFor: POLLIN) else { return .failure(error) }
        }
    }

    /// As ``read(_:into:)-(_,UnsafeMutableRawBufferPointer)``, into an array that keeps its length.
    package static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Result<Int, Errno> {
        // SAFETY: the array's memory is written within its borrow.
        unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, into: $0) }
    }

    /// Reads to the end, or at least `limit` bytes.
    package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < limit {
            let count = try read(descriptor, into: &buffer).get()
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Writes all the bytes.
    package static func write(_ descriptor: Int32, _ bytes: RawSpan) -> Errno? {
        // SAFETY: each call stays within the span.
        unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    done += count
                    continue
                }
                let error = Errno.last
                guard retries(error, descriptor, waitingFor: POLLOUT) else { return error }
            }
            return nil
        }
    }

    /// Whether to repeat a failed call. Waits if the descriptor is non-blocking and not ready.
    private static func retries(_ error: Errno, _ descriptor: Int32, waitingFor event: Int32) -> Bool {
        if error.code == EINTR { return true }
        guard error.code == EAGAIN || error.code == EWOULDBLOCK else { return false }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        // SAFETY: one element, as the count says. If the wait is interrupted, the call is only repeated too early.
        _ = unsafe poll(&request, 1, -1)
        return true
    }
}
