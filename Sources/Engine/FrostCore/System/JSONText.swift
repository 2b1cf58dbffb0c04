extension String {
    /// The text as a string of JSON.
    package var quotedAsJSON: String {
        var out = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\r": out += "\\r"
            // A byte of a file name that is not valid UTF-8 is written in the form of Python's surrogateescape, so
            // os.fsencode restores the byte.
            case _ where FileName.byte(of: scalar) != nil:
                out += "\\udc" + String(FileName.byte(of: scalar) ?? 0, radix: 16)
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            case _: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
