import FrostCore
import Testing

/// Effects given as text: the same as those given as values, or an error that names the wrong word.
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

    /// The plain Gaussian has a name here; elsewhere an effect without a name is one.
    @Test func theGaussianIsPlain() throws {
        let made = try EffectCatalog.effect("gaussian", among: EffectCatalog.withGaussian).make(
            parsing: "sigma=7.5 edge=mirror")
        #expect(made == Effect(try GaussianBlur(sigma: 7.5, edge: .mirror)))
        #expect(throws: ParameterError.self) { try EffectCatalog.effect("gaussian") }
        #expect(EffectCatalog.withGaussian.map(\.name) == ["gaussian"] + EffectCatalog.all.map(\.name))
    }

    /// Every default, printed and parsed, is that default.
    @Test func defaultsAreText() throws {
        for effect in EffectCatalog.withGaussian {
            for parameter in effect.parameters {
                let value = try parameter.parse(parameter.defaultText)
                switch (parameter.kind, value) {
                case (.number(_, _, let number), .number(let read)): #expect(read == number)
                // Colours are written with 8 bits.
                case (.color(let color), .color(let read)): #expect("\(read)" == "\(color)")
                case (.choice(_, let word), .choice(let read)): #expect(read == word)
                default: Issue.record("\(effect.name): \(parameter.name) is read as \(value)")
                }
            }
        }
    }

    @Test(arguments: [
        ("amount", "a parameter cannot be amount: expected is name=value"),
        ("amount=1 amount=2", "amount cannot be 2: expected is given once"),
        ("amuont=1", "no parameter amuont: there are"), ("amount=", "amount cannot be : expected is a number"),
        ("amount=101", "amount 101 is out of range"), ("=1", "no parameter : there are"),
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
