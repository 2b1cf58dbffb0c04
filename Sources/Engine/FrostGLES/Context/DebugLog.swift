import CGLES
import FrostLog
import Synchronization

/// Stores the driver's last messages (KHR_debug), and passes all of them to the log. The driver may add messages from its own threads.
final class DebugLog: Sendable {
    private static let capacity = 16
    private let messages = Mutex<[String]>([])

    func add(_ message: String) {
        messages.withLock {
            if $0.count == Self.capacity { $0.removeFirst() }
            $0.append(message)
        }
    }

    /// Returns the messages since the last call, oldest first.
    func take() -> [String] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// The pointer that is passed to the driver as `userParam`. The log must outlive the context.
    var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// The callback of type GLDEBUGPROC. Messages of the severity "notification" are not stored, because drivers report
    /// every buffer allocation with this severity.
    static let callback: GLDEBUGPROC = { _, _, _, severity, length, text, user in
        let level = level(of: severity)
        let isNote = severity == GL.debugSeverityNotification
        guard !isNote || Log.receives(level), let text = unsafe text, let user = unsafe user else { return }
        // SAFETY: `text` has `length` bytes, or ends in NUL if the length is negative.
        let message =
            unsafe length < 0
            ? String(cString: text)
            : String(decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
        // SAFETY: `user` is the `opaque` pointer of a log that the context holds.
        if !isNote { unsafe Unmanaged<DebugLog>.fromOpaque(user).takeUnretainedValue().add(message) }
        Log.write(level, "GL driver: \(message)")
    }

    private static func level(of severity: GLenum) -> LogLevel {
        switch severity {
        case GL.debugSeverityHigh: .error
        case GL.debugSeverityMedium: .warning
        case GL.debugSeverityLow: .info
        // The severity "notification", and those of later versions of GL.
        default: .debug
        }
    }
}
