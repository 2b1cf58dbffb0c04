package import FrostCore

extension StaticString {
    /// The address of the string literal, which is a zero-terminated C string.
    ///
    /// SAFETY: literals end with a zero byte and live as long as the library.
    package var cString: UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

extension String {
    /// Copies a C string that the caller passed.
    ///
    /// - Returns: nil if the pointer is NULL.
    package init?(lent pointer: UnsafePointer<CChar>?) {
        guard let pointer = unsafe pointer else { return nil }
        // SAFETY: frost.h requires that strings are zero-terminated. Invalid UTF-8 is replaced.
        self = unsafe String(cString: pointer)
    }

    /// Writes the string to a buffer and fills the remaining bytes with zeros. At least one zero byte follows the
    /// string. A string that is too long is cut between two characters.
    package func write(to buffer: UnsafeMutableBufferPointer<CChar>) {
        var bytes = Array(utf8.prefix(max(buffer.count - 1, 0)))
        // If the cut lies inside a UTF-8 character, that character is removed completely. Its first byte is the only
        // one whose top bits are not 10.
        if bytes.count < utf8.count, Array(utf8)[bytes.count] & 0xC0 == 0x80 {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        for index in buffer.indices {
            unsafe buffer[index] = index < bytes.count ? CChar(bitPattern: bytes[index]) : 0
        }
    }

    /// Writes the string to a field of a C struct that is an array of bytes.
    package func write<Bytes>(toField field: inout Bytes) {
        // SAFETY: the field is an array of bytes, and `write` stays within its bounds.
        unsafe withUnsafeMutableBytes(of: &field) { unsafe write(to: $0.bindMemory(to: CChar.self)) }
    }
}

/// A C string that lives as long as the library. It is allocated once and never changed or freed.
@safe package struct LastingText {
    /// The zero-terminated text.
    ///
    /// SAFETY: nothing writes to the memory after `init`.
    package nonisolated(unsafe) let pointer: UnsafePointer<CChar>

    package init(_ text: String) {
        let bytes = text.utf8CString
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = unsafe memory.initialize(from: bytes)
        // SAFETY: the memory is not empty, because `utf8CString` contains at least the terminating zero byte.
        unsafe pointer = UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    }
}

extension FilePath {
    /// Copies a path that the caller passed, whose bytes may be no UTF-8.
    ///
    /// - Returns: nil if the pointer is NULL.
    package init?(lent pointer: UnsafePointer<CChar>?) {
        guard let pointer = unsafe pointer else { return nil }
        // SAFETY: frost.h requires that strings are zero-terminated.
        unsafe self.init(cString: pointer)
    }
}
