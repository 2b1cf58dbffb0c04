import CFiles
import Glibc

/// Functions that read and write file descriptors. They continue after interruptions and after calls that transferred
/// only a part of the bytes. They return failures as values of `errno`, because only the caller knows which name an
/// error message should give the descriptor.
package enum Descriptor {
    /// Reads up to `buffer.count` bytes. Reads at least one byte, unless the end is reached.
    ///
    /// - Returns: the number of bytes, which is 0 at the end; or the error.
    @unsafe package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) -> Result<Int, Errno> {
        while true {
            // SAFETY: the buffer has at least the given number of bytes.
            let got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if got >= 0 { return .success(got) }
            let error = Errno.last
            guard retries(error, descriptor, waitingFor: POLLIN) else { return .failure(error) }
        }
    }

    /// Reads into the start of an array. The array keeps its length. In all other respects, the function equals
    /// ``read(_:into:)-(_,UnsafeMutableRawBufferPointer)``.
    package static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Result<Int, Errno> {
        // SAFETY: the array's memory is written only while it is borrowed.
        unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, into: $0) }
    }

    /// Reads until the end, or until at least `limit` bytes are read.
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

    /// Reads up to `count` bytes at a place of a file. The place at which later reads begin does not change.
    package static func read(_ descriptor: Int32, _ count: Int, at offset: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the buffer has at least the given number of bytes.
        let got = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
        guard got >= 0 else { throw Errno.last }
        return Array(bytes[..<got])
    }

    /// The lowest number of the descriptors that the functions here return. Started programs use lower numbers, so
    /// that the duplicate of one descriptor never overwrites another one.
    private static let lowest: Int32 = 16

    /// Replaces a new descriptor by one with a number from ``lowest`` on.
    static func raised(_ descriptor: Int32) throws(Errno) -> Int32 {
        if descriptor >= lowest { return descriptor }
        defer { close(descriptor) }
        do throws(Errno) { return try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, lowest) } } catch {
            // The process may not have so high numbers.
            throw error.code == EINVAL ? Errno(code: EMFILE) : error
        }
    }

    /// Creates a file that exists only in memory, and returns its descriptor at the start of the bytes.
    package static func inMemory(_ bytes: [UInt8]) throws(Errno) -> Int32 {
        let descriptor = try raised(try Errno.check { unsafe memfd_create("frost", frost_memfd_cloexec) })
        // SAFETY: the call only reads the bytes.
        if let error = unsafe write(descriptor, bytes.span.bytes) {
            close(descriptor)
            throw error
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// Creates a file of zeros that exists only in memory, and whose size nobody can change.
    package static func inMemory(size: Int) throws(Errno) -> Int32 {
        let flags = frost_memfd_cloexec | frost_memfd_sealable
        let descriptor = try raised(try Errno.check { unsafe memfd_create("frost", flags) })
        do throws(Errno) {
            try Errno.check { ftruncate(descriptor, off_t(size)) }
            try Errno.check { fcntl(descriptor, frost_add_seals, frost_seal_size) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Creates a pipe. Programs that this process starts do not inherit its ends.
    ///
    /// - Parameter size: the number of bytes that may wait in the pipe, with which a program can work ahead; nil for the usual
    ///   number, which the pipe also has if the system refuses more.
    package static func pipe(size: Int32? = nil) throws(Errno) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        // SAFETY: pipe2 stores two numbers.
        try Errno.check { unsafe pipe2(&ends, O_CLOEXEC) }
        let read: Int32
        do throws(Errno) { read = try raised(ends[0]) } catch {
            close(ends[1])
            throw error
        }
        do throws(Errno) {
            let write = try raised(ends[1])
            if let size { _ = fcntl(read, frost_set_pipe_size, size) }
            return (read, write)
        } catch {
            close(read)
            throw error
        }
    }

    /// Writes all bytes. Returns the error; nil if there was none.
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

    /// Returns whether to repeat a failed call. If the call failed because a non-blocking descriptor was not ready,
    /// first waits until it is ready.
    private static func retries(_ error: Errno, _ descriptor: Int32, waitingFor event: Int32) -> Bool {
        if error.code == EINTR { return true }
        guard error.code == EAGAIN || error.code == EWOULDBLOCK else { return false }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        // SAFETY: poll gets one structure and the count 1. If the wait is interrupted, the failed call is repeated too
        // early, which does no harm.
        _ = unsafe poll(&request, 1, -1)
        return true
    }
}
