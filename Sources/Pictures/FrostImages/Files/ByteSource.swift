import CFiles
import FrostCore
import Glibc

/// The bytes of an image file. They are in memory, or come from a file that is read on demand. Only one reader at a
/// time may use a source.
final class ByteSource {
    /// The name of the input, for error messages.
    let name: String
    /// The total number of bytes; nil if this number is not known before reading.
    let size: Int?
    /// Measures the time of the work on the picture; nil if the time has no limit. If the limit is over, every read
    /// fails.
    var time: TimeLimit?
    /// The error of the last ``read(into:)`` that returned nil.
    private var failure: ImageError?

    private enum Origin {
        case descriptor(Int32, isOwned: Bool)
        case bytes([UInt8], next: Int)
    }
    private var origin: Origin
    /// Bytes that ``peek(_:)`` has read and no caller has consumed yet.
    private var head: [UInt8] = []
    /// The number of bytes that were read from the origin, including those that ``peek(_:)`` has read.
    private var fetched = 0

    /// Opens a file for reading.
    convenience init(path: FilePath) throws(ImageError) {
        let descriptor: Int32
        do throws(Errno) { descriptor = try path.open(O_RDONLY | O_CLOEXEC) } catch {
            throw .cannotRead(path: path.text, errno: error.code)
        }
        try self.init(file: descriptor, name: path.text)
    }

    /// Creates a source that reads a file from its start, and closes the descriptor at the end.
    init(file descriptor: Int32, name: String) throws(ImageError) {
        self.name = name
        origin = .descriptor(descriptor, isOwned: true)
        var status = stat()
        // SAFETY: fstat fills the structure that it receives.
        let failed = unsafe fstat(descriptor, &status) != 0
        // Files whose content the kernel generates, as in /proc, report size 0.
        let isSized = status.kind == S_IFREG && status.st_size > 0
        size = isSized ? Int(status.st_size) : nil
        // All fields have been set at this point. So if a statement below throws, `deinit` closes the descriptor.
        if failed { throw .cannotRead(path: name, errno: errno) }
        if status.kind == S_IFDIR { throw .isDirectory(path: name) }
    }

    /// Creates a source that reads from a descriptor. The caller keeps ownership of the descriptor.
    ///
    /// - Parameter head: bytes that the caller has already read from the start of the input.
    init(descriptor: Int32, name: String, head: [UInt8] = []) {
        self.name = name
        self.head = head
        fetched = head.count
        // The size is unknown, because part of the file may have been read already.
        size = nil
        origin = .descriptor(descriptor, isOwned: false)
    }

    init(bytes: [UInt8], name: String) {
        self.name = name
        size = bytes.count
        origin = .bytes(bytes, next: 0)
    }

    deinit {
        if case .descriptor(let descriptor, isOwned: true) = origin { close(descriptor) }
    }

    /// Returns the next `count` bytes, or fewer at the end of the input, without consuming them.
    func peek(_ count: Int) throws(ImageError) -> [UInt8] {
        while head.count < count {
            let room = count - head.count
            var got: Int?
            // SAFETY: `fetch` initialises as many bytes as it returns.
            head += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                got = unsafe fetch(into: UnsafeMutableRawBufferPointer(buffer))
                initialized = got ?? 0
            }
            guard let got else { throw readFailure }
            if got == 0 { break }
        }
        return head
    }

    /// Returns the size of the input if it is less than `count` bytes; otherwise nil. If the size is not known, this
    /// reads ahead up to the first `count` bytes of the input. The next reads return these bytes.
    func size(below count: Int) throws(ImageError) -> Int? {
        if let size { return size < count ? size : nil }
        while fetched < count {
            let before = fetched
            _ = try peek(head.count + min(count - fetched, 1 << 16))
            if fetched == before { return fetched }
        }
        return nil
    }

    /// Reads up to `count` bytes. The result is empty only at the end of the input.
    func read(_ count: Int) throws(ImageError) -> [UInt8] {
        var got: Int?
        // SAFETY: the closure initialises as many bytes as it reports.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            got = unsafe read(into: UnsafeMutableRawBufferPointer(buffer))
            initialized = got ?? 0
        }
        guard got != nil else { throw readFailure }
        return bytes
    }

    /// Reads to the end of the input, or up to `count` bytes. The memory grows only with the number of bytes that are
    /// actually read, so a file that announces a false size uses no more memory.
    func readAll(atMost count: Int) throws(ImageError) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            let bytes = try read(min(count - result.count, 1 << 20))
            if bytes.isEmpty { break }
            result += bytes
        }
        return result
    }

    /// Reads all bytes, for libraries that need the whole file in memory. Throws
    /// ``ImageError/overMemory(path:needed:available:)`` if the file is larger than the memory limit. The size of a
    /// file is compared before anything is read; a pipe is read up to the limit.
    func readWhole(_ limits: ImageLimits) throws(ImageError) -> [UInt8] {
        let available = limits.maximumMemory ?? ImageLimits.availableMemory()
        if let size, size > available { throw .overMemory(path: name, needed: size, available: available) }
        let bytes = try readAll(atMost: available)
        if bytes.count == available, try !peek(1).isEmpty {
            throw .overMemory(path: name, needed: available + 1, available: available)
        }
        return bytes
    }

    /// Calls a function with the input for another process: a descriptor, and the bytes that were read from it already.
    /// They are nil if the descriptor is that of a whole file, at its start. Do not read from the source afterwards.
    ///
    /// - Parameter failing: makes the error of the function of an error of the system.
    func handOver<R, Failed: Error>(
        _ body: (Int32, [UInt8]?) throws(Failed) -> R, failing: (Errno) -> Failed
    ) throws(Failed) -> R {
        switch origin {
        case .descriptor(let descriptor, isOwned: true) where size != nil:
            do throws(Errno) { _ = try Errno.check { lseek(descriptor, 0, SEEK_SET) } } catch { throw failing(error) }
            return try body(descriptor, nil)
        case .descriptor(let descriptor, _): return try body(descriptor, head)
        case .bytes(let bytes, _):
            let descriptor: Int32
            do throws(Errno) { descriptor = try Descriptor.inMemory(bytes) } catch { throw failing(error) }
            defer { close(descriptor) }
            return try body(descriptor, nil)
        }
    }

    /// Gives random access to the whole input. Call this before any read. A regular file is read in place; a pipe is
    /// first read into memory.
    func wholeFile(_ limits: ImageLimits) throws(ImageError) -> WholeFile {
        switch origin {
        case .descriptor(let descriptor, isOwned: true):
            if let size { return WholeFile(origin: .descriptor(descriptor, self), size: size) }
        case .bytes(let bytes, _): return WholeFile(origin: .bytes(bytes), size: bytes.count)
        default: break
        }
        let bytes = try readWhole(limits)
        return WholeFile(origin: .bytes(bytes), size: bytes.count)
    }

    /// Fills the buffer with the next bytes. Returns the number of bytes read: 0 at the end of the input, nil on
    /// failure.
    @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard !head.isEmpty else { return unsafe fetch(into: buffer) }
        let count = min(head.count, buffer.count)
        unsafe buffer.copyBytes(from: head[..<count])
        head.removeFirst(count)
        return count
    }

    /// The error to throw after ``read(into:)`` returned nil.
    var readFailure: ImageError { failure ?? .cannotRead(path: name, errno: EIO) }

    /// Whether the work on the picture may go on. If the time is over, this sets ``readFailure``.
    var hasTime: Bool {
        guard let time, time.isOver else { return true }
        failure = time.error(name: name)
        return false
    }

    @unsafe private func fetch(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard hasTime else { return nil }
        switch origin {
        case .descriptor(let descriptor, _):
            let start = ContinuousClock.now
            defer { if size == nil { time?.exclude(ContinuousClock.now - start) } }
            switch unsafe Descriptor.read(descriptor, into: buffer) {
            case .success(let count):
                fetched += count
                return count
            case .failure(let error):
                failure = .cannotRead(path: name, errno: error.code)
                return nil
            }
        case .bytes(let bytes, let next):
            let count = min(bytes.count - next, buffer.count)
            unsafe buffer.copyBytes(from: bytes[next..<next + count])
            origin = .bytes(bytes, next: next + count)
            return count
        }
    }
}

/// A file that can be read at any offset.
struct WholeFile {
    enum Origin {
        /// A file descriptor, and the source that keeps this descriptor open.
        case descriptor(Int32, ByteSource)
        case bytes([UInt8])
    }
    let origin: Origin
    /// The size of the file in bytes.
    let size: Int

    /// Fills the buffer with the bytes that start at `offset`. Returns the number of bytes read, which is smaller than
    /// the buffer only at the end of the file.
    @unsafe func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Result<Int, Errno> {
        let count = min(buffer.count, max(0, size - offset))
        guard offset >= 0, count > 0 else { return .success(0) }
        switch origin {
        case .bytes(let bytes):
            unsafe buffer.copyBytes(from: bytes[offset..<offset + count])
            return .success(count)
        case .descriptor(let descriptor, _):
            var done = 0
            while done < count {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
                if got < 0, errno == EINTR { continue }
                if got < 0 { return .failure(.last) }
                if got == 0 { break }
                done += got
            }
            return .success(done)
        }
    }
}
