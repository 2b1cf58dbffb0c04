/// Encodes values as bytes for another process, or decodes them. One function of each type describes both directions: it
/// calls ``code(_:)-(T)`` for each property, which writes the property or replaces it by what was read.
///
/// The bytes that are read may come from a process that hostile data has taken over. A value that is not complete or not
/// possible sets ``isDamaged``; all later values then stay unchanged. Nothing is allocated that the bytes do not contain.
struct WireCoder {
    /// The bytes that were written so far, or that are read.
    private(set) var bytes: [UInt8]
    /// Whether the bytes that were read are not what the calls expect.
    private(set) var isDamaged = false
    private let isReading: Bool
    private var next = 0

    /// Begins to write.
    init() {
        bytes = []
        isReading = false
    }

    /// Begins to read.
    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// Whether all bytes have been read without damage.
    var isComplete: Bool { !isDamaged && next == bytes.count }

    /// Returns the bytes of a value that `code` describes.
    static func bytes<Value>(of value: Value, _ code: (inout WireCoder, inout Value) -> Void) -> [UInt8] {
        var coder = WireCoder()
        var value = value
        code(&coder, &value)
        return coder.bytes
    }

    mutating func code<T: FixedWidthInteger>(_ value: inout T) {
        let size = MemoryLayout<T>.size
        guard isReading else {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
            return
        }
        guard let taken = take(size) else { return }
        value = taken.reversed().reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
    }

    mutating func code(_ value: inout Bool) {
        var byte: UInt8 = value ? 1 : 0
        code(&byte)
        value = byte != 0
    }

    mutating func code(_ value: inout [UInt8]) {
        var count = value.count
        code(&count)
        guard isReading else { return bytes += value }
        if let taken = take(count) { value = Array(taken) }
    }

    mutating func code(_ value: inout String) {
        var text = Array(value.utf8)
        code(&text)
        value = String(decoding: text, as: UTF8.self)
    }

    /// A case of an enumeration.
    mutating func code<T: RawRepresentable<String>>(_ value: inout T) {
        var raw = value.rawValue
        code(&raw)
        replace(&value, by: T(rawValue: raw))
    }

    /// A case of an enumeration.
    mutating func code<T: RawRepresentable<UInt8>>(_ value: inout T) {
        var raw = value.rawValue
        code(&raw)
        replace(&value, by: T(rawValue: raw))
    }

    /// A value that may be missing.
    ///
    /// - Parameter blank: any value. `code` replaces it.
    mutating func code<T>(_ value: inout T?, _ blank: T, _ code: (inout WireCoder, inout T) -> Void) {
        var isPresent = value != nil
        self.code(&isPresent)
        guard isPresent, !isDamaged else { return value = nil }
        var present = value ?? blank
        code(&self, &present)
        value = present
    }

    /// A list.
    ///
    /// - Parameter blank: any value. `code` replaces it.
    mutating func code<T>(_ values: inout [T], _ blank: T, _ code: (inout WireCoder, inout T) -> Void) {
        var count = values.count
        self.code(&count)
        guard isReading else {
            for index in values.indices { code(&self, &values[index]) }
            return
        }
        values = []
        // Every element has at least one byte, so a false count ends at the end of the bytes.
        while values.count < count, !isDamaged {
            var value = blank
            code(&self, &value)
            values.append(value)
        }
    }

    /// Marks the bytes as damaged, because a value is not possible.
    mutating func refuse() { isDamaged = true }

    private mutating func replace<T>(_ value: inout T, by read: T?) {
        if let read { value = read } else { isDamaged = true }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard !isDamaged, count >= 0, count <= bytes.count - next else {
            isDamaged = true
            return nil
        }
        defer { next += count }
        return bytes[next..<next + count]
    }
}
