import Frost
import FrostPipeline
import FrostImages

/// The text of an option's value and its origin. Errors name both.
package struct WrittenValue {
    enum Origin {
        /// The value comes from the command line. The associated value is the name of the option, with its dashes.
        case line(String)
        case environment(String)
    }

    package let text: String
    let origin: Origin

    /// Whether a switch is written by its short name. For an option with a value, ``origin`` has the long name in any case.
    var isShort: Bool {
        switch origin {
        case .line(let option): !option.hasPrefix("--")
        case .environment: false
        }
    }

    /// The value with its origin, for example "--threads 0" or "FROST_THREADS=0 in the environment".
    package var name: String {
        switch origin {
        case .line(let option): "\(option) \(text)"
        case .environment(let variable): "\(variable)=\(text) in the environment"
        }
    }

    /// Checks the value against the kind of its option.
    ///
    /// - Throws: ``CommandError/usage(_:)`` with the value, the allowed values, and the closest allowed word if there
    ///   is one.
    func check(_ kind: ValueKind) throws(CommandError) {
        switch kind {
        case .anything, .file, .preset: break
        case .stops:
            if Mask.Ramp.stops(parsing: text) == nil { throw refused(": not stops", kind) }
        case .word(let words):
            guard !words.contains(Synonyms.name(for: text, among: words)) else { return }
            // The hint says that this build lacks a format. It appears only for --format and --allow, because no other option
            // has format names among its allowed words.
            let missing = ImageFormat.missing(named: text).map { "; \($0.absence)" }
            throw refused(": invalid value", kind, hint: missing ?? Suggestion.phrase(for: text, among: words))
        case .effect: _ = try EffectCatalog.named(text)
        case .effectGroup: _ = try EffectCatalog.group(text)
        case .integer(let range): try check(Int(written: text), in: range, kind, "not a whole number")
        case .bytes(let range):
            try check(ByteCount(written: text)?.bytes, in: range, kind, "not a number of bytes")
        case .number(let range, _): try check(Double(written: text), in: range, kind, "not a number")
        case .color, .colorOr:
            if case .colorOr(let words) = kind, words.contains(text) { return }
            do throws(ParameterError) { _ = try Color(parsing: text) } catch {
                // The error concerns a component of the colour. A component has no option of its own, so the message
                // starts with this option.
                if case .outOfRange = error { throw .usage("\(name): \(error)") }
                let name = String(text.prefix { $0 != "," })
                let names = Color.named.keys.sorted()
                throw refused(": not a colour", kind, hint: Suggestion.phrase(for: name, among: names))
            }
        case .size(let sides):
            guard let size = PictureSize(written: text) else {
                throw .usage("\(name) must be two whole numbers WxH")
            }
            guard sides.contains(size.width), sides.contains(size.height) else {
                throw refused(" is out of range", kind)
            }
        case .rect:
            guard RectPlace(written: text) == nil else { return }
            let gravities = RectPlace.Gravity.allCases.map(\.rawValue)
            let word = String(text.prefix { $0 != "," })
            let hint = word.first?.isLetter == true ? Suggestion.phrase(for: word, among: gravities) : ""
            throw .usage(
                "\(name) must be X,Y,W,H in pixels or percent, such as 50%,0,50%,100%, GRAVITY,WxH, such as "
                    + "center,320x200, WxH+X+Y or 'X,Y WxH', with W and H above 0 and numbers up to "
                    + "\(RectPlace.limit)\(hint)")
        case .resize:
            guard ResizeRequest.Size(written: text) != nil else {
                throw refused(" must be WxH, W, xH or a percentage such as 50%", kind)
            }
        case .cornerRadius:
            guard CornerRadius(written: text) != nil else { throw refused(": not a radius", kind) }
        case .shard:
            guard Shard(written: text) != nil else { throw .usage(Shard.complaint(about: name, text)) }
        case .list(let kind, let maximum):
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard parts.count <= maximum else { throw .usage("\(name): at most \(maximum) values are allowed") }
            for part in parts {
                guard !part.isEmpty else { throw .usage("\(name) has an empty list element") }
                try WrittenValue(text: part, origin: origin).check(kind)
            }
        }
    }

    private func check<Value: Comparable>(
        _ value: Value?, in range: ClosedRange<Value>, _ kind: ValueKind, _ malformed: String
    ) throws(CommandError) {
        guard let value else { throw refused(": \(malformed)", kind) }
        guard range.contains(value) else { throw refused(" is out of range", kind) }
    }

    private func refused(_ reason: String, _ kind: ValueKind, hint: String = "") -> CommandError {
        .usage("\(name)\(reason)\(kind.allowed.map { " (allowed: \($0))" } ?? "")\(hint)")
    }
}
