/// A parameter of an effect. Each parameter is declared once. The command line, its JSON output and the documentation
/// use this declaration.
public struct EffectParameter: Sendable, Hashable {
    /// The kind of value that a parameter accepts, together with the default value.
    public enum Kind: Sendable, Hashable {
        /// A number within a range.
        ///
        /// - Parameters:
        ///   - unit: "points", "pixels", "fraction" or another unit; "" for a pure number.
        case number(unit: String, range: ClosedRange<Double>, default: Double)
        /// A colour.
        case color(default: Color)
        /// A colour, or the word "auto" for a colour that Frost chooses; auto by default.
        case colorOrAuto
        /// One of several words.
        case choice([String], default: String)
        /// Stops of a gradient along a line; none by default.
        case stops
    }

    /// The name of the command line's option, without the dashes.
    public let name: String
    /// The kind of value that the parameter accepts.
    public let kind: Kind
    /// The parameter's help text in a single line.
    public let help: String

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

/// A value for an ``EffectParameter``.
public enum EffectValue: Sendable, Hashable {
    /// A number in the parameter's unit.
    case number(Double)
    /// A colour.
    case color(Color)
    /// One of the parameter's words.
    case choice(String)
    /// The stops of a gradient; empty for no gradient.
    case stops([Mask.Ramp.Stop])
}

/// The checked values of an effect's parameters. Every parameter has one value, which lies within its range.
public struct EffectValues: Sendable, Hashable {
    private let values: [String: EffectValue]

    /// Checks the given values, and adds the defaults of all other parameters.
    ///
    /// - Parameter given: the values that differ from the defaults.
    /// - Throws: ``ParameterError`` for an undeclared name, and for a value of the wrong kind or out of range.
    public init(_ given: [String: EffectValue], of parameters: [EffectParameter]) throws(ParameterError) {
        var values: [String: EffectValue] = [:]
        let names = parameters.map(\.name)
        for name in given.keys.sorted() where !names.contains(name) {
            throw .unknown(parameter: name, allowed: names)
        }
        for parameter in parameters {
            switch (parameter.kind, given[parameter.name]) {
            case (.number(_, _, let value), nil): values[parameter.name] = .number(value)
            case (.color(let color), nil): values[parameter.name] = .color(color)
            case (.colorOrAuto, nil): values[parameter.name] = .choice(Self.auto)
            case (.choice(_, let choice), nil): values[parameter.name] = .choice(choice)
            case (.stops, nil): values[parameter.name] = .stops([])
            case (.stops, .stops(let stops)):
                if !stops.isEmpty { try Mask.Ramp.checkStops(stops, of: parameter.name) }
                values[parameter.name] = .stops(stops)
            case (.number(_, let range, _), .number(let value)):
                guard range.contains(value) else {
                    throw .outOfRange(parameter: parameter.name, value: value, allowed: range)
                }
                values[parameter.name] = .number(value)
            case (.colorOrAuto, .choice(Self.auto)): values[parameter.name] = .choice(Self.auto)
            case (.color, .color(let color)), (.colorOrAuto, .color(let color)): values[parameter.name] = .color(color)
            case (.choice(let choices, _), .choice(let choice)):
                guard choices.contains(choice) else {
                    throw .malformed(
                        parameter: parameter.name, value: choice, expected: choices.joined(separator: ", "))
                }
                values[parameter.name] = .choice(choice)
            case (_, let value?):
                throw .malformed(
                    parameter: parameter.name, value: "\(value)", expected: parameter.expectation)
            }
        }
        self.values = values
    }

    func number(_ name: String) -> Double {
        guard case .number(let value)? = values[name] else { preconditionFailure("the number \(name) is not declared") }
        return value
    }

    func color(_ name: String) -> Color {
        guard case .color(let value)? = values[name] else { preconditionFailure("the colour \(name) is not declared") }
        return value
    }

    /// The word for a colour that Frost chooses.
    static let auto = "auto"

    /// Returns a colour; nil for one that Frost chooses.
    func optionalColor(_ name: String) -> Color? {
        if case .color(let value)? = values[name] { value } else { nil }
    }

    func choice(_ name: String) -> String {
        guard case .choice(let value)? = values[name] else { preconditionFailure("the choice \(name) is not declared") }
        return value
    }

    func stops(_ name: String) -> [Mask.Ramp.Stop] {
        guard case .stops(let value)? = values[name] else { preconditionFailure("the stops \(name) are not declared") }
        return value
    }
}

extension EffectParameter {
    /// The expected value in words: "a number", "a colour", or the list of choices.
    public var expectation: String {
        switch kind {
        case .number: "a number"
        case .color: "a colour"
        case .colorOrAuto: "a colour, or auto"
        case .choice(let choices, _): choices.joined(separator: ", ")
        case .stops: "none, or POSITION:VALUE,... such as 0:0,0.4:1"
        }
    }

    /// Reads a value that is written as on the command line. The range is not checked here, but by ``EffectValues``.
    ///
    /// - Throws: ``ParameterError/malformed(parameter:value:expected:)``, or the colour parser's error.
    public func parse(_ text: String) throws(ParameterError) -> EffectValue {
        switch kind {
        case .number:
            guard let value = Double(decimal: text) else {
                throw .malformed(parameter: name, value: text, expected: expectation)
            }
            return .number(value)
        case .color: return .color(try Color(parsing: text))
        case .colorOrAuto:
            return text == EffectValues.auto ? .choice(text) : .color(try Color(parsing: text))
        case .choice(let names, _): return .choice(Synonyms.name(for: text, among: names))
        case .stops:
            guard let stops = Mask.Ramp.stops(parsing: text) else {
                throw .malformed(parameter: name, value: text, expected: expectation)
            }
            return .stops(stops)
        }
    }
}
