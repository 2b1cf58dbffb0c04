import CFrost

/// A struct of the header that begins with its size. Its user may have been compiled with another version of the
/// header.
protocol SizedStruct {
    /// Sets the fields' defaults.
    init()
    var struct_size: Int { get set }
}

extension frost_renderer_options: SizedStruct {}
extension frost_source: SizedStruct {}
extension frost_target: SizedStruct {}
extension frost_effect_options: SizedStruct {}
extension frost_content: SizedStruct {}
extension frost_effect_info: SizedStruct {}
extension frost_parameter_info: SizedStruct {}
extension frost_render_options: SizedStruct {}
extension frost_report: SizedStruct {}
extension frost_gl_options: SizedStruct {}
extension frost_gl_info: SizedStruct {}
extension frost_gl_source: SizedStruct {}
extension frost_gl_target: SizedStruct {}
extension frost_dmabuf: SizedStruct {}
extension frost_dmabuf_kind: SizedStruct {}
extension frost_queue_options: SizedStruct {}
extension frost_device_info: SizedStruct {}
extension frost_backdrop_options: SizedStruct {}
extension frost_panel: SizedStruct {}
extension frost_frame_options: SizedStruct {}
extension frost_frame_report: SizedStruct {}
extension frost_dmabuf_request: SizedStruct {}

extension SizedStruct {
    /// The largest size that a caller's struct may state, in bytes. Larger values are garbage.
    private static var limit: Int { 1 << 16 }

    /// The checked size of the caller's struct.
    ///
    /// All structs have at least the fields of the first version. A struct that is longer than ours is from a later
    /// version.
    private static func size(of struct: UnsafeRawPointer) throws(Failure) -> Int {
        // SAFETY: the caller's struct begins with its size.
        let size = unsafe `struct`.loadUnaligned(as: Int.self)
        guard (MemoryLayout<Self>.size...limit).contains(size) else {
            throw .argument("struct_size \(size): a \(Self.self) has \(MemoryLayout<Self>.size) bytes")
        }
        return size
    }

    /// Reads the caller's struct.
    ///
    /// - Throws: ``Failure`` for NULL, for a struct that is too short, and for a struct with a field that only later
    ///   versions have and that is not 0.
    static func read(_ pointer: UnsafePointer<Self>?, _ name: StaticString) throws(Failure) -> Self {
        guard let pointer = unsafe UnsafeRawPointer(pointer) else { throw .argument("\(name) is NULL") }
        let size = try unsafe size(of: pointer)
        for offset in MemoryLayout<Self>.size..<max(size, MemoryLayout<Self>.size) {
            // SAFETY: within the size that the caller states.
            guard unsafe pointer.load(fromByteOffset: offset, as: UInt8.self) == 0 else {
                throw .argument("the \(Self.self) has fields that this version of Frost does not know")
            }
        }
        return unsafe pointer.loadUnaligned(as: Self.self)
    }

    /// Reads the caller's struct, or returns the defaults for NULL.
    static func read(optional pointer: UnsafePointer<Self>?, _ name: StaticString) throws(Failure) -> Self {
        unsafe pointer == nil ? Self() : try unsafe read(pointer, name)
    }

    /// Checks the place that ``write(to:)`` is going to write to.
    static func check(_ pointer: UnsafeMutablePointer<Self>?, _ name: StaticString) throws(Failure) {
        guard let pointer = UnsafeRawPointer(pointer) else { throw .argument("\(name) is NULL") }
        _ = try unsafe size(of: pointer)
    }

    /// Writes to the caller's struct. Its size is kept, and fields of later versions become 0.
    ///
    /// - Throws: as ``check(_:_:)``.
    func write(to pointer: UnsafeMutablePointer<Self>?, _ name: StaticString) throws(Failure) {
        guard let pointer = UnsafeMutableRawPointer(pointer) else { throw .argument("\(name) is NULL") }
        let size = try unsafe Self.size(of: UnsafeRawPointer(pointer))
        var value = self
        value.struct_size = size
        let own = MemoryLayout<Self>.size
        // SAFETY: the caller's struct has `size` bytes, which is at least ours.
        unsafe withUnsafePointer(to: value) { unsafe pointer.copyMemory(from: $0, byteCount: own) }
        unsafe (pointer + own).initializeMemory(as: UInt8.self, repeating: 0, count: size - own)
    }
}
