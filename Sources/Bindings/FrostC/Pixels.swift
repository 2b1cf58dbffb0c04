public import CFrost
import Frost
import FrostCSupport

extension Rect {
    init(_ rect: frost_rect) {
        self.init(x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
    }

    /// Reads a rectangle that may be empty.
    ///
    /// - Parameter name: the name of the rectangle, for the error.
    /// - Throws: a failure for a negative side.
    init(_ rect: frost_rect, _ name: String) throws(Failure) {
        guard rect.width >= 0, rect.height >= 0 else {
            throw Failure(
                FROST_ERROR_PARAMETER, "\(name) \(rect.x),\(rect.y),\(rect.width),\(rect.height) has a negative side")
        }
        self.init(rect)
    }

    /// Reads a caller's rectangle.
    ///
    /// - Returns: nil if the pointer is NULL.
    init?(lent pointer: UnsafePointer<frost_rect>?) {
        guard let pointer = unsafe pointer else { return nil }
        // SAFETY: the pointer refers to the caller's rectangle, which is valid during the call.
        self.init(unsafe UnsafeRawPointer(pointer).loadUnaligned(as: frost_rect.self))
    }
}

@c @implementation
public func frost_mask_create(
    _ picture: UnsafePointer<frost_source>?, _ mask: UnsafeMutablePointer<OpaquePointer?>?
) -> frost_status {
    unsafe creating(mask, "mask") { () throws(Failure) in
        let picture = try unsafe frost_source.read(picture, "picture")
        return MaskImage(try unsafe picture.copy("picture"))
    }
}

@c @implementation
public func frost_mask_destroy(_ mask: OpaquePointer?) { unsafe Handle<MaskImage>.destroy(mask) }
