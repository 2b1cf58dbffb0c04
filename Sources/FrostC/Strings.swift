import CFrost
import Frost

extension StaticString {
    /// SAFETY: literals end with a zero byte and live as long as the library.
    var cString: UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

extension String {
    /// A C string that the caller lends; nil where there is none.
    init?(lent pointer: UnsafePointer<CChar>?) {
        guard let pointer = unsafe pointer else { return nil }
        // SAFETY: the header asks for strings that end with a zero byte. What is no UTF-8 is repaired.
        self = unsafe String(cString: pointer)
    }

    /// Writes the string and a zero byte, and cuts it between characters where there is no room for all of it.
    func write(to buffer: UnsafeMutableBufferPointer<CChar>) {
        var bytes = Array(utf8.prefix(max(buffer.count - 1, 0)))
        // A byte that goes on with a character says that its beginning would be left alone.
        if bytes.count < utf8.count, Array(utf8)[bytes.count] & 0xC0 == 0x80 {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        for index in buffer.indices {
            unsafe buffer[index] = index < bytes.count ? CChar(bitPattern: bytes[index]) : 0
        }
    }
}

/// Text that is handed out for as long as the library lives: made once, never changed nor freed.
@safe struct LastingText {
    /// SAFETY: nobody writes to it.
    nonisolated(unsafe) let pointer: UnsafePointer<CChar>

    init(_ text: String) {
        let bytes = text.utf8CString
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = unsafe memory.initialize(from: bytes)
        // SAFETY: a string has its zero byte at least.
        unsafe pointer = UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    }
}

@c @implementation
public func frost_version() -> UnsafePointer<CChar>? { unsafe Version.text.pointer }

private enum Version {
    static let text = LastingText(frostVersion)
}
