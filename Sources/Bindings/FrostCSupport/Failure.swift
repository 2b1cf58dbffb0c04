package import CFrost
package import Frost
import FrostThreads

/// The error of a call of the C interface: a status and a message.
package struct Failure: Error {
    package let status: frost_status
    /// The message for the user, on one line.
    package let message: String

    package init(_ status: Int, _ message: String) {
        self.status = frost_status(status)
        // A message may quote a text of the caller or of a file.
        self.message = message.shownLine
    }

    /// Creates a failure for an invalid argument.
    package static func argument(_ message: String) -> Failure { Failure(FROST_ERROR_ARGUMENT, message) }

    package init(_ error: FrostError) {
        let status =
            switch error {
            case .parameter: FROST_ERROR_PARAMETER
            case .pixels: FROST_ERROR_PIXELS
            case .busy: FROST_BUSY
            case .cancelled: FROST_CANCELLED
            case .deviceUnavailable, .deviceFailed(_, .gl(.notCurrent)): FROST_ERROR_NO_DEVICE
            case .surface, .deviceFailed(_, .gl(.dmaBuffer)): FROST_ERROR_SURFACE
            case .noThread, .outOfMemory: FROST_ERROR_SYSTEM
            case .forked, .deviceFailed(_, .gl(.forked)): FROST_ERROR_FORKED
            case .deviceFailed: FROST_ERROR_DEVICE_FAILED
            }
        self.init(Int(status), error.description)
    }

    /// Creates a failure for an error that occurs before any rendering: while Frost lists devices or allocates buffers.
    package init(_ error: GLError) {
        switch error {
        case .dmaBuffer: self.init(FROST_ERROR_SURFACE, error.description)
        case .forked: self.init(FrostError.forked)
        case .libraryMissing, .noDevice, .displayFailed, .contextFailed, .shaderCompilation, .link,
            .framebufferIncomplete, .outOfMemory, .contextLost, .notCurrent, .unsupported, .tooLarge, .timeout,
            .noThread, .driverBlocked, .callFailed:
            self.init(FROST_ERROR_NO_DEVICE, error.description)
        }
    }

    package init(_ error: DisplayLinkError) {
        let status =
            switch error {
            case .parameter: FROST_ERROR_PARAMETER
            case .timeWentBackwards, .wrongSource, .calledFromCallback: FROST_ERROR_ARGUMENT
            case .invalidated: FROST_CANCELLED
            case .forked: FROST_ERROR_FORKED
            case .systemCallFailed: FROST_ERROR_SYSTEM
            }
        self.init(Int(status), error.description)
    }

    package init(_ error: ParameterError) { self.init(FrostError.parameter(error)) }
    package init(_ error: PixelError) { self.init(.pixels(error)) }

    /// Stores the message for this thread. `frost_error_message` then returns the message.
    package func post() {
        var capacity = 0
        guard let buffer = unsafe frost_message_buffer(&capacity) else { return }
        // SAFETY: the buffer belongs to this thread and has `capacity` bytes.
        unsafe message.write(to: UnsafeMutableBufferPointer(start: buffer, count: capacity))
    }

    /// The message of the last failed call on this thread, as a C string that lives as long as the thread.
    package static var lastMessage: UnsafePointer<CChar>? {
        var capacity = 0
        return unsafe UnsafePointer(frost_message_buffer(&capacity))
    }
}

/// Calls `body` and returns its status. If `body` throws, the error's message becomes the result of
/// `frost_error_message`. A fork in another thread waits for `body`.
package func status(_ body: () throws(Failure) -> Void) -> frost_status {
    delayingForks { statusOfWait(body) }
}

/// Calls `body` and returns its result, for functions of the C interface that return no status. A fork in another thread
/// waits for `body`.
package func answer<Value>(_ body: () -> Value) -> Value { delayingForks(body) }

/// Calls `body` and returns its status, as ``status(_:)`` does, but for calls that wait for something that may need another
/// call or take long: a fork does not wait for them.
package func statusOfWait(_ body: () throws(Failure) -> Void) -> frost_status {
    do throws(Failure) {
        try body()
        return frost_status(FROST_OK)
    } catch {
        error.post()
        return error.status
    }
}

/// An error that a call of the C interface can report.
package protocol FailureCause: Error {
    var failure: Failure { get }
}

extension FrostError: FailureCause { package var failure: Failure { Failure(self) } }
extension PixelError: FailureCause { package var failure: Failure { Failure(self) } }
extension ParameterError: FailureCause { package var failure: Failure { Failure(self) } }
extension DisplayLinkError: FailureCause { package var failure: Failure { Failure(self) } }
extension GLError: FailureCause { package var failure: Failure { Failure(self) } }

/// Calls `body` and converts its error to a ``Failure``.
package func failing<Value: ~Copyable, Cause: FailureCause>(
    _ body: () throws(Cause) -> Value
) throws(Failure) -> Value {
    do throws(Cause) { return try body() } catch { throw error.failure }
}
