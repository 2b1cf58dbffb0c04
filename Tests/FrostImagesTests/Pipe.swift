import FrostCore
import Glibc

@testable import FrostImages

/// A pipe with a thread that writes to it. The thread is needed because an image exceeds a pipe's capacity.
struct Pipe {
    let reading: Int32
    private let writing: Int32
    private var thread: pthread_t?

    init() {
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        (reading, writing) = (ends[0], ends[1])
    }

    private final class Job {
        let bytes: [UInt8]
        let descriptor: Int32
        init(_ bytes: [UInt8], _ descriptor: Int32) {
            self.bytes = bytes
            self.descriptor = descriptor
        }
    }

    mutating func feed(_ bytes: [UInt8]) {
        var thread = pthread_t()
        _ = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let job = unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
                let bytes = job.bytes
                _ = unsafe Descriptor.write(job.descriptor, bytes.span.bytes)
                close(job.descriptor)
                return nil
            }, Unmanaged.passRetained(Job(bytes, writing)).toOpaque())
        self.thread = thread
    }

    func finish() {
        if let thread { _ = pthread_join(thread, nil) }
        close(reading)
    }
}
