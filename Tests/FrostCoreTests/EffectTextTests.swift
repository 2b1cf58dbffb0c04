import FrostCore
import Testing

/// Tests effects given as text. A valid text gives the same effect as the values it states. An invalid text gives an error
/// that names the wrong word.
@Suite struct EffectTextTests {
    @Test func textGivesWhatValuesGive() throws {
        let zoom = try EffectCatalog.effect("zoom")
        #expect(
            try zoom.make(parsing: "  amount=35\tcenter-x=0.25 ")
                == zoom.make(["amount": .number(35), "center-x": .number(0.25)]))
        let tint = try EffectCatalog.effect("tint")
        #expect(try tint.make(parsing: "color=#123456") == tint.make(["color": .color(Color(parsing: "#123456"))]))
        #expect(try zoom.make(parsing: "") == zoom.make())
        #expect(try zoom.make(parsing: "amount=35") != zoom.make())
    }

    /// In the catalogue `withGaussian`, the name "gaussian" is the plain Gaussian blur. The ordinary catalogue has no such
    /// name.
    @Test func theGaussianIsPlain() throws {
        let made = try EffectCatalog.effect("gaussian", among: EffectCatalog.withGaussian).make(
            parsing: "sigma=7.5 edge=mirror")
        #expect(made == Effect(try GaussianBlur(sigma: 7.5, edge: .mirror)))
        #expect(throws: ParameterError.self) { try EffectCatalog.effect("gaussian") }
        #expect(EffectCatalog.withGaussian.map(\.name) == ["gaussian"] + EffectCatalog.all.map(\.name))
    }

    /// Every default value stays the same if it is printed as text and parsed again.
    @Test func defaultsAreText() throws {
        for effect in EffectCatalog.withGaussian {
            for parameter in effect.parameters {
                let value = try parameter.parse(parameter.defaultText)
                switch (parameter.kind, value) {
                case (.number(_, _, let number), .number(let read)): #expect(read == number)
                // The text of a colour has only 8 bits per channel, so a colour that is read from text may differ slightly
                // from the original colour. Only their texts must be equal.
                case (.color(let color), .color(let read)): #expect("\(read)" == "\(color)")
                case (.colorOrAuto, .choice(let read)): #expect(read == "auto")
                case (.choice(_, let word), .choice(let read)): #expect(read == word)
                case (.stops, .stops(let read)): #expect(read.isEmpty)
                default: Issue.record("\(effect.name): \(parameter.name) is read as \(value)")
                }
            }
        }
    }

    @Test(arguments: [
        ("amount", "a parameter cannot be amount: expected name=value"),
        ("amount=1 amount=2", "amount cannot be 2: expected one value only"),
        ("amuont=1", "unknown parameter amuont (did you mean amount?)"),
        ("nothing=1", "unknown parameter nothing; the parameters are amount, "),
        ("amount=", "amount cannot be : expected a number"),
        ("amount=101", "amount 101 is out of range"), ("=1", "unknown parameter ; the parameters are"),
    ])
    func namesTheWrongWord(text: String, message: String) throws {
        let zoom = try EffectCatalog.effect("zoom")
        #expect {
            try zoom.make(parsing: text)
        } throws: { error in
            (error as? ParameterError)?.description.hasPrefix(message) == true
        }
    }
}
