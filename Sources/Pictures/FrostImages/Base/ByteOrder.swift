// Numbers as files store them.

extension [UInt8] {
    /// Returns the number of four bytes, the highest first.
    func word(_ at: Int) -> Int { self[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }

    /// Returns the number that some bytes hold, the lowest byte first.
    func number(_ at: Int, _ count: Int) -> Int { self[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) } }
}

extension FixedWidthInteger {
    /// The bytes of the number, the highest first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
