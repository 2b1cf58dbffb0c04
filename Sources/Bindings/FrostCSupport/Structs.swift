package import CFrost

/// A struct of frost.h that begins with `struct_size`. The program that passes the struct may have been compiled with
/// an older or newer version of frost.h.
package protocol SizedStruct {
    /// Creates a struct whose fields have their default values.
    init()
    var struct_size: Int { get set }
}

/// A struct that has more fields than in the first version of frost.h.
package protocol GrownStruct: SizedStruct {
    /// The size of the struct in the first version of frost.h that has it, in bytes. Programs may pass this size or
    /// more.
    static var firstSize: Int { get }
}

extension frost_renderer_options: GrownStruct { package static var firstSize: Int { 24 } }
extension frost_source: SizedStruct {}
extension frost_target: SizedStruct {}
extension frost_effect_options: SizedStruct {}
extension frost_content: SizedStruct {}
extension frost_shape: SizedStruct {}
extension frost_effect_info: SizedStruct {}
extension frost_parameter_info: SizedStruct {}
extension frost_render_options: SizedStruct {}
extension frost_report: GrownStruct { package static var firstSize: Int { 696 } }
extension frost_transition_options: SizedStruct {}
extension frost_transition_info: SizedStruct {}
extension frost_transition_render_options: SizedStruct {}
extension frost_gl_options: GrownStruct { package static var firstSize: Int { 16 } }
extension frost_gl_submission: SizedStruct {}
extension frost_timeline_point: SizedStruct {}
extension frost_gl_info: GrownStruct { package static var firstSize: Int { 200 } }
extension frost_gl_source: GrownStruct { package static var firstSize: Int { 40 } }
extension frost_gl_target: GrownStruct { package static var firstSize: Int { 48 } }
extension frost_dmabuf: SizedStruct {}
extension frost_dmabuf_kind: SizedStruct {}
extension frost_queue_options: SizedStruct {}
extension frost_device_info: SizedStruct {}
extension frost_backdrop_options: GrownStruct { package static var firstSize: Int { 24 } }
extension frost_panel: GrownStruct { package static var firstSize: Int { 48 } }
extension frost_frame_options: GrownStruct { package static var firstSize: Int { 24 } }
extension frost_frame_report: GrownStruct { package static var firstSize: Int { 64 } }
extension frost_dmabuf_request: SizedStruct {}
extension frost_display_link_options: SizedStruct {}
extension frost_tick: SizedStruct {}
extension frost_update_tick: SizedStruct {}

extension SizedStruct {
    /// The largest accepted value of `struct_size`, in bytes. A larger value is rejected, because it probably comes
    /// from uninitialised memory.
    private static var limit: Int { 1 << 16 }

    /// Returns the `struct_size` of a caller's struct after checking its range.
    ///
    /// Every struct has at least the fields of the first version of frost.h. A shorter struct than this library's comes
    /// from an earlier version of frost.h, and a longer one from a later version.
    private static func size(of struct: UnsafeRawPointer) throws(Failure) -> Int {
        // SAFETY: frost.h requires that the caller's struct begins with its size.
        let size = unsafe `struct`.loadUnaligned(as: Int.self)
        let first = (self as? any GrownStruct.Type)?.firstSize ?? MemoryLayout<Self>.size
        guard (first...limit).contains(size) else {
            throw .argument(
                "struct_size is \(UInt(bitPattern: size)), but \(Self.self) has \(MemoryLayout<Self>.size) bytes")
        }
        return size
    }

    /// Reads a caller's struct. Fields that the caller's version of frost.h does not have get their default values.
    ///
    /// - Parameter name: the argument's name, for the error message.
    /// - Throws: ``Failure`` if the pointer is NULL, if the struct is too short, or if a field that exists only in
    ///   later versions of frost.h is not 0.
    package static func read(_ pointer: UnsafePointer<Self>?, _ name: StaticString) throws(Failure) -> Self {
        guard let pointer = unsafe UnsafeRawPointer(pointer) else { throw .argument("\(name) is NULL") }
        let size = try unsafe size(of: pointer)
        for offset in MemoryLayout<Self>.size..<max(size, MemoryLayout<Self>.size) {
            // SAFETY: `offset` is less than the size that the caller states.
            guard unsafe pointer.load(fromByteOffset: offset, as: UInt8.self) == 0 else {
                throw .argument("\(Self.self) has fields that this version of Frost does not support")
            }
        }
        var value = Self()
        // SAFETY: the caller's struct has `size` bytes, and this library's struct has as many as its type.
        unsafe withUnsafeMutableBytes(of: &value) { bytes in
            unsafe bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: pointer, count: min(size, MemoryLayout<Self>.size)))
        }
        return value
    }

    /// Reads a caller's struct, or returns the default values if the pointer is NULL.
    package static func read(optional pointer: UnsafePointer<Self>?, _ name: StaticString) throws(Failure) -> Self {
        unsafe pointer == nil ? Self() : try unsafe read(pointer, name)
    }

    /// Checks that the pointer for a result is not NULL and that the struct there has a valid size, so that
    /// ``write(to:)`` succeeds later.
    package static func check(_ pointer: UnsafeMutablePointer<Self>?, _ name: StaticString) throws(Failure) {
        guard let pointer = UnsafeRawPointer(pointer) else { throw .argument("\(name) is NULL") }
        _ = try unsafe size(of: pointer)
    }

    /// Copies the fields to a caller's struct. `struct_size` keeps the caller's value, and fields of later versions
    /// become 0.
    ///
    /// - Throws: ``Failure`` in the same cases as ``check(_:_:)``.
    package func write(to pointer: UnsafeMutablePointer<Self>?, _ name: StaticString) throws(Failure) {
        guard let pointer = UnsafeMutableRawPointer(pointer) else { throw .argument("\(name) is NULL") }
        let size = try unsafe Self.size(of: UnsafeRawPointer(pointer))
        var value = self
        value.struct_size = size
        let own = min(size, MemoryLayout<Self>.size)
        // SAFETY: the caller's struct has `size` bytes, and `own` is at most the size of either struct.
        unsafe withUnsafePointer(to: value) { unsafe pointer.copyMemory(from: $0, byteCount: own) }
        unsafe (pointer + own).initializeMemory(as: UInt8.self, repeating: 0, count: size - own)
    }
}
