import CFrost
import Frost

extension StaticString {
    /// SAFETY: literals end with a zero byte and live as long as the library.
    var cString: UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

extension String {
    /// A C string that the caller lends; nil if it is NULL.
    init?(lent pointer: UnsafePointer<CChar>?) {
        guard let pointer = unsafe pointer else { return nil }
        // SAFETY: the header requires a zero-terminated string. Invalid UTF-8 is replaced.
        self = unsafe String(cString: pointer)
    }

    /// Writes the string and a zero byte. A string that is too long is cut between two characters.
    func write(to buffer: UnsafeMutableBufferPointer<CChar>) {
        var bytes = Array(utf8.prefix(max(buffer.count - 1, 0)))
        // If the first byte that is cut off continues a character, the beginning of that character is cut off too.
        if bytes.count < utf8.count, Array(utf8)[bytes.count] & 0xC0 == 0x80 {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        for index in buffer.indices {
            unsafe buffer[index] = index < bytes.count ? CChar(bitPattern: bytes[index]) : 0
        }
    }
}

/// Text that lives as long as the library: created once, never changed or freed.
@safe struct LastingText {
    /// SAFETY: nothing writes to it.
    nonisolated(unsafe) let pointer: UnsafePointer<CChar>

    init(_ text: String) {
        let bytes = text.utf8CString
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = unsafe memory.initialize(from: bytes)
        // SAFETY: the memory has at least the terminating zero byte.
        unsafe pointer = UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    }
}

@c @implementation
public func frost_version() -> UnsafePointer<CChar>? { unsafe Version.text.pointer }

private enum Version {
    static let text = LastingText(frostVersion)
}
