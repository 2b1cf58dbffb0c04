import FrostCore

/// What the command line said, checked against the options that a command declares.
struct Arguments {
    private var values: [String: [String]] = [:]
    /// Everything that is no option, in order.
    private(set) var operands: [String] = []

    /// - Parameters:
    ///   - remark: is added to the error about an unknown option.
    ///   - tolerant: passes over what is wrong, for a first look at a line whose options are not known yet.
    /// - Throws: ``CommandError/usage(_:)`` for options that are unknown, lack their value, have one too many, or stand
    ///   twice.
    init(_ words: ArraySlice<String>, options: [Option], remark: String = "", tolerant: Bool = false)
        throws(CommandError)
    {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            var name = word
            var attached: String?
            if word.hasPrefix("--") {
                if let equals = word.firstIndex(of: "=") {
                    name = String(word[..<equals])
                    attached = String(word[word.index(after: equals)...])
                }
            } else if word.count > 2 {
                name = String(word.prefix(2))
                attached = String(word.dropFirst(2))
            }
            guard let option = options.first(where: { "--\($0.name)" == name || $0.short.map { "-\($0)" } == name })
            else {
                if tolerant { continue }
                let near =
                    name.hasPrefix("--") ? Suggestion.phrase(for: name, among: options.map { "--\($0.name)" }) : ""
                throw .usage("unknown option \(name)\(near)\(remark)")
            }
            if option.value == nil {
                guard attached == nil || tolerant else { throw .usage("\(name) takes no value") }
                values[option.name] = [""]
                continue
            }
            guard let value = attached ?? rest.popFirst() else {
                if tolerant { return }
                throw .usage("\(name) needs a value")
            }
            guard option.repeats || tolerant || values[option.name] == nil else { throw .usage("\(name) stands twice") }
            values[option.name, default: []].append(value)
        }
    }

    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The last value given.
    func value(_ option: Option) -> String? { values[option.name]?.last }

    /// Every value given, in order.
    func values(_ option: Option) -> [String] { values[option.name] ?? [] }

    func required(_ option: Option) throws(CommandError) -> String {
        guard let value = value(option) else { throw .usage("--\(option.name) \(option.value ?? "") is needed") }
        return value
    }

    func integer(_ option: Option, in allowed: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text) else { throw .usage("--\(option.name) \(text): not a whole number") }
        guard allowed.contains(number) else {
            throw .usage(
                "--\(option.name) \(number) is out of range: allowed are \(allowed.lowerBound) to \(allowed.upperBound)"
            )
        }
        return number
    }

    func number(_ option: Option, in allowed: ClosedRange<Double>) throws(CommandError) -> Double? {
        guard let text = value(option) else { return nil }
        return try Self.number(text, option, in: allowed)
    }

    /// A list of numbers separated by commas.
    func numbers(_ option: Option, in allowed: ClosedRange<Double>) throws(CommandError) -> [Double]? {
        guard let text = value(option) else { return nil }
        var numbers: [Double] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            numbers.append(try Self.number(String(part), option, in: allowed))
        }
        return numbers
    }

    private static func number(
        _ text: String, _ option: Option, in allowed: ClosedRange<Double>
    ) throws(CommandError) -> Double {
        guard let number = Double(text) else { throw .usage("--\(option.name) \(text): not a number") }
        guard allowed.contains(number) else {
            throw .usage(
                "--\(option.name) \(text) is out of range: allowed are \(decimal(allowed.lowerBound)) to "
                    + decimal(allowed.upperBound))
        }
        return number
    }

    /// One of a type's names.
    func choice<Value: RawRepresentable & CaseIterable>(
        _ option: Option, _ type: Value.Type
    ) throws(CommandError) -> Value? where Value.RawValue == String {
        guard let text = value(option) else { return nil }
        guard let value = Value(rawValue: text) else {
            let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--\(option.name) \(text): allowed are \(names)")
        }
        return value
    }
}

extension Arguments {
    /// `--sigma S[,SY]` and `--edge`.
    func gaussian() throws(CommandError) -> GaussianBlur {
        _ = try required(.sigma)
        let sigmas = try numbers(.sigma, in: GaussianBlur.sigmaRange) ?? []
        guard sigmas.count <= 2 else { throw .usage("--sigma takes one value, or two: along x and along y") }
        let edge = try choice(.edge, EdgeMode.self) ?? .clamp
        do throws(ParameterError) {
            return try GaussianBlur(sigmaX: sigmas[0], sigmaY: sigmas[sigmas.count - 1], edge: edge)
        } catch {
            throw .usage(error.description)
        }
    }

    /// `--rect`, all of them.
    func rects() throws(CommandError) -> [Rect] {
        var rects: [Rect] = []
        for text in values(.rect) {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            let numbers = parts.compactMap { $0 }
            guard parts.count == 4, numbers.count == 4 else {
                throw .usage("--rect \(text): four whole numbers X,Y,W,H are needed")
            }
            let limit = 1 << 30
            guard numbers.allSatisfy({ (-limit...limit).contains($0) }), numbers[2] > 0, numbers[3] > 0 else {
                throw .usage("--rect \(text) is out of range: W and H are 1 or more, no number beyond \(limit)")
            }
            rects.append(Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        }
        return rects
    }
}
