public import CFrostImages
import Frost
import FrostCSupport
import FrostImages
import Glibc

@c @implementation
public func frost_blur_encoded(
    _ data: UnsafeRawPointer?, _ byteCount: Int, _ sigmaX: Double, _ sigmaY: Double, _ edge: Int32,
    _ options: UnsafePointer<frost_encoded_options>?, _ result: UnsafeMutablePointer<frost_encoded>?
) -> frost_status {
    status { () throws(Failure) in
        try unsafe process(data, byteCount, options, to: result) { () throws(Failure) in
            try Effect(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
        }
    }
}

@c @implementation
public func frost_effect_encoded(
    _ data: UnsafeRawPointer?, _ byteCount: Int, _ name: UnsafePointer<CChar>?, _ parameters: UnsafePointer<CChar>?,
    _ options: UnsafePointer<frost_encoded_options>?, _ result: UnsafeMutablePointer<frost_encoded>?
) -> frost_status {
    status { () throws(Failure) in
        try unsafe process(data, byteCount, options, to: result) { () throws(Failure) in
            try unsafe Effect(named: name, parameters)
        }
    }
}

@c @implementation
public func frost_encoded_free(_ result: UnsafeMutablePointer<frost_encoded>?) {
    guard let result = unsafe result else { return }
    // SAFETY: the bytes come from `process`, or are NULL. frost_images.h requires that they are freed once.
    unsafe free(result.pointee.data)
    unsafe result.pointee.data = nil
    unsafe result.pointee.byte_count = 0
}

@c @implementation
public func frost_images_error_message() -> UnsafePointer<CChar>? { unsafe Failure.lastMessage }

@c @implementation
public func frost_images_version() -> UnsafePointer<CChar>? {
    unsafe answer { unsafe Version.text.pointer }
}

private enum Version {
    static let text = LastingText(frostVersion)
}

/// Processes the caller's picture and fills in the caller's result.
///
/// - Parameter makeEffect: creates the effect.
private func process(
    _ data: UnsafeRawPointer?, _ byteCount: Int, _ options: UnsafePointer<frost_encoded_options>?,
    to result: UnsafeMutablePointer<frost_encoded>?, _ makeEffect: () throws(Failure) -> Effect
) throws(Failure) {
    try unsafe frost_encoded.check(result, "result")
    let work = try unsafe EncodedWork(makeEffect(), frost_encoded_options.read(optional: options, "options"))
    let encoded = try unsafe work.run(bytes(data, byteCount, "data"))
    guard let memory = unsafe malloc(max(1, encoded.bytes.count)) else {
        throw Failure(ImageError.outOfMemory(path: EncodedWork.name, bytes: encoded.bytes.count))
    }
    // SAFETY: the memory has as many bytes.
    unsafe UnsafeMutableRawBufferPointer(start: memory, count: encoded.bytes.count).copyBytes(from: encoded.bytes)
    var value = unsafe frost_encoded()
    unsafe value.data = memory
    unsafe value.byte_count = encoded.bytes.count
    unsafe value.width = Int32(clamping: encoded.width)
    unsafe value.height = Int32(clamping: encoded.height)
    unsafe value.error_bound = encoded.errorBound
    unsafe encoded.format.rawValue.write(toField: &value.format)
    unsafe encoded.warnings.joined(separator: "; ").shownLine.write(toField: &value.warning)
    do throws(Failure) { try unsafe value.write(to: result, "result") } catch {
        unsafe free(memory)
        throw error
    }
}

/// Copies the caller's bytes.
///
/// - Parameter name: the argument's name, for the error message.
func bytes(_ start: UnsafeRawPointer?, _ count: Int, _ name: StaticString) throws(Failure) -> [UInt8] {
    guard (0...1 << 48).contains(count) else {
        throw .argument("\(name) has \(UInt(bitPattern: count)) bytes, which is too many")
    }
    guard unsafe start != nil || count == 0 else { throw .argument("\(name) is NULL") }
    do throws(ImageError) { try Memory.check(count, for: EncodedWork.name) } catch { throw Failure(error) }
    // SAFETY: frost_images.h requires that the caller's memory has `count` bytes.
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
}
