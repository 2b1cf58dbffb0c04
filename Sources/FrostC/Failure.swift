public import CFrost
import Frost

/// Why a call failed.
struct Failure: Error {
    let status: frost_status
    /// A single line.
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = frost_status(status)
        self.message = message
    }

    /// An invalid argument.
    static func argument(_ message: String) -> Failure { Failure(FROST_ERROR_ARGUMENT, message) }

    init(_ error: FrostError) {
        let status =
            switch error {
            case .parameter: FROST_ERROR_PARAMETER
            case .pixels: FROST_ERROR_PIXELS
            case .busy: FROST_BUSY
            case .cancelled: FROST_CANCELLED
            case .deviceUnavailable, .deviceFailed(_, .gl(.notCurrent)): FROST_ERROR_NO_DEVICE
            case .surface, .deviceFailed(_, .gl(.dmaBuffer)): FROST_ERROR_SURFACE
            case .deviceFailed: FROST_ERROR_DEVICE_FAILED
            }
        self.init(Int(status), error.description)
    }

    /// For listing devices and allocating buffers, when no work has failed yet.
    init(_ error: GLError) {
        if case .dmaBuffer = error {
            self.init(FROST_ERROR_SURFACE, error.description)
        } else {
            self.init(FROST_ERROR_NO_DEVICE, error.description)
        }
    }

    init(_ error: ParameterError) { self.init(.parameter(error)) }
    init(_ error: PixelError) { self.init(.pixels(error)) }

    /// Makes this the message that `frost_error_message` returns on this thread.
    func post() {
        var capacity = 0
        guard let buffer = unsafe frost_message_buffer(&capacity) else { return }
        // SAFETY: the buffer is this thread's, of that capacity.
        unsafe message.write(to: UnsafeMutableBufferPointer(start: buffer, count: capacity))
    }
}

/// Calls `body` and converts what it throws to a status.
func status(_ body: () throws(Failure) -> Void) -> frost_status {
    do throws(Failure) {
        try body()
        return frost_status(FROST_OK)
    } catch {
        error.post()
        return error.status
    }
}

/// Calls `body` and converts the library's errors to failures.
func failing<Value>(_ body: () throws(FrostError) -> Value) throws(Failure) -> Value {
    do throws(FrostError) { return try body() } catch { throw Failure(error) }
}

/// Calls `body` and converts pixel errors to failures.
func failing<Value>(_ body: () throws(PixelError) -> Value) throws(Failure) -> Value {
    do throws(PixelError) { return try body() } catch { throw Failure(error) }
}

/// Calls `body` and converts parameter errors to failures.
func failing<Value>(_ body: () throws(ParameterError) -> Value) throws(Failure) -> Value {
    do throws(ParameterError) { return try body() } catch { throw Failure(error) }
}

@c @implementation
public func frost_status_name(_ status: frost_status) -> UnsafePointer<CChar>? {
    let name: StaticString =
        switch Int(status) {
        case Int(FROST_OK): "ok"
        case Int(FROST_NOT_READY): "not ready"
        case Int(FROST_BUSY): "busy"
        case Int(FROST_CANCELLED): "cancelled"
        case Int(FROST_ERROR_ARGUMENT): "wrong argument"
        case Int(FROST_ERROR_PARAMETER): "wrong parameter"
        case Int(FROST_ERROR_PIXELS): "wrong pixels"
        case Int(FROST_ERROR_NO_DEVICE): "no device"
        case Int(FROST_ERROR_DEVICE_FAILED): "device failed"
        case Int(FROST_ERROR_SURFACE): "wrong surface"
        default: "unknown status"
        }
    return unsafe name.cString
}

@c @implementation
public func frost_error_message() -> UnsafePointer<CChar>? {
    var capacity = 0
    return unsafe UnsafePointer(frost_message_buffer(&capacity))
}
