import Glibc

/// Reads and writes descriptors, retrying after interruptions and short counts. Failures are values of `errno`, because
/// only the caller knows the name that errors give the descriptor.
enum Descriptor {
    /// Reads up to `buffer.count` bytes, and at least one unless the end is reached.
    ///
    /// - Returns: the number of bytes, 0 at the end; or the error.
    @unsafe static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Errno> {
        while true {
            // SAFETY: the buffer is as long as it says.
            let got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if got >= 0 { return .success(got) }
            let error = errno
            guard retries(error, descriptor, waitingFor: POLLIN) else { return .failure(Errno(code: error)) }
        }
    }

    /// Writes all the bytes.
    static func write(_ descriptor: Int32, _ bytes: RawSpan) -> Errno? {
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
                let error = errno
                guard retries(error, descriptor, waitingFor: POLLOUT) else { return Errno(code: error) }
            }
            return nil
        }
    }

    /// Whether to repeat a failed call. Waits if the descriptor is non-blocking and not ready.
    private static func retries(_ error: Int32, _ descriptor: Int32, waitingFor event: Int32) -> Bool {
        if error == EINTR { return true }
        guard error == EAGAIN || error == EWOULDBLOCK else { return false }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        // SAFETY: one element, as the count says. If the wait is interrupted, the call is only repeated too early.
        _ = unsafe poll(&request, 1, -1)
        return true
    }
}

/// A value of `errno`.
struct Errno: Error, Equatable {
    let code: Int32
}
