import CJansson
import FrostCore

/// Reads JSON with Jansson, which Frost opens at run time when it reads the first scene.
///
/// Jansson reports the line and column of a syntax error, refuses duplicate members and text that is not UTF-8, and limits
/// the depth of nesting. Programs that read no scene do not load it. FoundationEssentials' JSONDecoder was the alternative.
/// Linked statically, it makes a small program 7.5 MB larger (13.6 MB instead of 6.1 MB) and its start 0.24 ms slower
/// (2.09 ms instead of 1.85 ms). It also accepts duplicate members silently. ``Scene`` is `Codable` for programs that
/// already contain Foundation.
enum JSONParser {
    // SAFETY: the names are C strings that exist until the program ends. The number in the file's name is the version of
    // the binary interface, which is that of the header.
    private static let functions = Result { () throws(SharedLibraryError) -> frost_jansson in
        try unsafe SharedLibrary.table(
            frost_jansson_name_list(), frost_jansson_name_count(), in: ["libjansson.so.4"])
    }

    /// Reads a JSON text in UTF-8. A byte order mark at its beginning, which some editors write, is ignored.
    ///
    /// - Throws: ``SceneError/syntax(line:column:reason:)``, or ``SceneError/parserMissing(_:)`` if Jansson is not
    ///   installed.
    static func parse(_ text: some Collection<UInt8>) throws(SceneError) -> JSONValue {
        let table: frost_jansson
        do throws(SharedLibraryError) { table = try functions.get() } catch {
            throw .parserMissing("\(error)\(error.advice)")
        }
        let bytes = Array(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...])
        var fault = json_error_t()
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL
        // SAFETY: Jansson reads `bytes.count` bytes and copies what it keeps. It accepts an empty text.
        let root = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                unsafe table.json_loadb(
                    text.baseAddress ?? UnsafePointer(bitPattern: 1), text.count, Int(flags), &fault)
            }
        }
        guard let root = unsafe root else {
            // SAFETY: Jansson ends the message with a zero within its array of fixed length.
            let reason = unsafe withUnsafeBytes(of: fault.text) { text in
                unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw unsafe .syntax(line: max(1, Int(fault.line)), column: max(1, Int(fault.column)), reason: reason)
        }
        // SAFETY: nothing else refers to the root, so its memory is freed directly. The macro that counts references
        // would link against the library.
        defer { unsafe table.json_delete(root) }
        return unsafe value(root, table)
    }

    /// Copies a value of Jansson's. The parser limits the depth of the recursion to 2048.
    ///
    /// SAFETY: `node` belongs to a tree that outlives the call. All pointers that the functions return belong to the tree.
    private static func value(_ node: UnsafeMutablePointer<json_t>, _ table: frost_jansson) -> JSONValue {
        switch unsafe node.pointee.type {
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        case JSON_INTEGER, JSON_REAL: return unsafe .number(table.json_number_value(node))
        case JSON_STRING:
            let bytes = unsafe UnsafeBufferPointer(
                start: table.json_string_value(node), count: table.json_string_length(node))
            return unsafe .string(String(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self))
        case JSON_ARRAY:
            return unsafe .array(
                (0..<table.json_array_size(node)).compactMap { index in
                    unsafe table.json_array_get(node, index).map { unsafe value($0, table) }
                })
        case JSON_OBJECT:
            var members: [JSONValue.Member] = []
            var item = unsafe table.json_object_iter(node)
            while let current = unsafe item {
                if let name = unsafe table.json_object_iter_key(current),
                    let child = unsafe table.json_object_iter_value(current)
                {
                    unsafe members.append(JSONValue.Member(String(cString: name), value(child, table)))
                }
                unsafe item = table.json_object_iter_next(node, current)
            }
            return .object(members)
        case _: return .null
        }
    }
}
