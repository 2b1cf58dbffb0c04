public import CFrost
import FrostCSupport

@c @implementation
public func frost_status_name(_ status: frost_status) -> UnsafePointer<CChar>? {
    let name: StaticString =
        switch Int(status) {
        case Int(FROST_OK): "ok"
        case Int(FROST_NOT_READY): "not ready"
        case Int(FROST_BUSY): "busy"
        case Int(FROST_CANCELLED): "cancelled"
        case Int(FROST_ERROR_ARGUMENT): "invalid argument"
        case Int(FROST_ERROR_PARAMETER): "invalid parameter"
        case Int(FROST_ERROR_PIXELS): "invalid pixels"
        case Int(FROST_ERROR_NO_DEVICE): "no device"
        case Int(FROST_ERROR_DEVICE_FAILED): "device failed"
        case Int(FROST_ERROR_SURFACE): "invalid surface"
        case Int(FROST_ERROR_SYSTEM): "system error"
        case Int(FROST_ERROR_FORKED): "used after a fork"
        case Int(FROST_ERROR_UNREADABLE): "unreadable picture"
        case Int(FROST_ERROR_OVER_LIMIT): "picture over a limit"
        case Int(FROST_ERROR_UNWRITABLE): "unwritable picture"
        default: "unknown status"
        }
    return unsafe name.cString
}

@c @implementation
public func frost_error_message() -> UnsafePointer<CChar>? {
    unsafe Failure.lastMessage
}
