public import CFrost
import Frost
import FrostCSupport

extension LogLevel: HeaderConstant {
    var constant: Int {
        switch self {
        case .error: FROST_LOG_ERROR
        case .warning: FROST_LOG_WARNING
        case .info: FROST_LOG_INFO
        case .debug: FROST_LOG_DEBUG
        }
    }
}

/// The caller's log function.
///
/// SAFETY: the caller allows Frost to call the function with this pointer from any thread.
@safe private struct LogCallback: @unchecked Sendable {
    let call: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void
    let userData: UnsafeMutableRawPointer?
}

@c @implementation
public func frost_set_log(
    _ callback: frost_log_callback?, _ level: Int32, _ userData: UnsafeMutableRawPointer?
) -> frost_status {
    status { () throws(Failure) in
        let level = try Constants.value(level, as: LogLevel.self, "level")
        var handler: Log.Handler?
        if let call = unsafe callback {
            let callback = unsafe LogCallback(call: call, userData: userData)
            handler = { level, message in
                unsafe message.withCString { unsafe callback.call(callback.userData, level.code, $0) }
            }
        }
        guard Log.setHandler(upTo: level, handler) else {
            throw .argument("frost_set_log was called from the log callback")
        }
    }
}
