import FrostCore
import FrostTestSupport
import Glibc
@testable import Frost

/// A rendering with random properties. A seed determines all of them.
struct RandomCase: CustomStringConvertible {
    let seed: UInt64
    let image: PixelBuffer
    let effect: Effect
    let mask: MaskImage?
    let region: Rect
    /// The format of the result, and its padding in samples.
    let format: PixelFormat
    let padding: Int
    let accuracy: Accuracy
    let threads: Int
    /// A part of the region.
    let part: Rect
    private let words: [String]

    /// Draws a case.
    ///
    /// - Parameter isFamiliar: whether the image has 8 bits and the effect is one of a few, so that the cases need only a
    ///   few GPU programs. Software GL compiles a program in a quarter of a second.
    init(seed: UInt64, isFamiliar: Bool = false) throws {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        let (width, height) = Self.size(&random)
        var source = TestImage.formats.randomElement(using: &random) ?? PixelFormat(.rgba)
        if isFamiliar { source = PixelFormat(.rgba, alpha: random.chance(0.5) ? .straight : .premultiplied) }
        let picture = Picture.allCases.randomElement(using: &random) ?? .photograph
        let rowPadding = random.chance(0.5) ? 0 : Int.random(in: 1...7, using: &random)
        image = try TestImage.make(picture, width, height, source, seed: random.next(), padding: rowPadding)
        var words = ["\(picture) \(width)x\(height) \(source), padding \(rowPadding)"]
        if isFamiliar {
            var few = SeededGenerator(seed: UInt64.random(in: 1...6, using: &random))
            effect = try Self.effect(image, &few, &words)
        } else {
            effect = try Self.effect(image, &random, &words)
        }
        let (maskWidth, maskHeight) = (Int.random(in: 1...60, using: &random), Int.random(in: 1...60, using: &random))
        let maskPicture = try TestImage.make(
            random.chance(0.5) ? .gradient : .uniformNoise, maskWidth, maskHeight,
            PixelFormat(random.chance(0.5) ? .grey : .rgba), seed: random.next())
        mask = effect.mask == .image ? MaskImage(maskPicture) : nil
        if mask != nil { words.append("mask \(maskWidth)x\(maskHeight)") }
        let region = Self.region(effect.region(extent: image.layout.extent), image.layout.extent, &random)
        self.region = region
        part = Self.part(of: region, &random)
        var format = effect.outputFormat(for: source)
        if random.chance(0.3), format.channels == .rgba || format.channels == .bgra {
            format.channels = format.channels == .rgba ? .bgra : .rgba
        }
        if random.chance(0.3) { format.alpha = format.alpha == .straight ? .premultiplied : .straight }
        self.format = format
        padding = random.chance(0.5) ? 0 : Int.random(in: 1...7, using: &random)
        let suited = Accuracy.suited(to: source.sample)
        accuracy = random.chance(0.25) ? try Accuracy(errorBudget: 0.002 + 0.998 * random.unit()) : suited
        threads = Int.random(in: 2...4, using: &random)
        words.append(
            "region \(region) as \(format), padding \(padding), budget \(accuracy.errorBudget), \(threads) threads")
        self.words = words
    }

    /// Whether the result is dithered. Floats are not.
    var isDithered: Bool { effect.outputStages.dither != nil && !image.format.sample.isFloat }

    /// The case, and how it is run alone.
    var description: String { "FROST_SEED=\(seed): " + words.joined(separator: "; ") }

    /// Returns sides of 1 to 200 pixels, or a strip of up to 3 x 3000 pixels. Small sides are as frequent as large ones.
    private static func size(_ random: inout SeededGenerator) -> (Int, Int) {
        func side(_ largest: Double) -> Int { Int(random.logarithmic(1, largest + 1)) }
        guard random.chance(0.15) else { return (side(200), side(200)) }
        let strip = (side(3000), side(3))
        return random.chance(0.6) ? strip : (strip.1, strip.0)
    }

    /// Returns the effect's own region, the image, or a rectangle that may reach outside both.
    private static func region(_ own: Rect, _ extent: Rect, _ random: inout SeededGenerator) -> Rect {
        let choice = random.unit()
        if choice < 0.4, own.width * own.height < 300_000 { return own }
        if choice < 0.6 { return extent }
        let around = Rect(
            x: extent.x - 9, y: extent.y - 9, width: min(extent.width, 3000) + 18, height: extent.height + 18)
        return part(of: choice < 0.8 ? extent : around, &random)
    }

    private static func part(of rect: Rect, _ random: inout SeededGenerator) -> Rect {
        let (x, y) = (Int.random(in: 0..<rect.width, using: &random), Int.random(in: 0..<rect.height, using: &random))
        return Rect(
            x: rect.x + x, y: rect.y + y, width: Int.random(in: 1...rect.width - x, using: &random),
            height: Int.random(in: 1...rect.height - y, using: &random))
    }
}

// MARK: Effects

extension RandomCase {
    private static func effect(
        _ image: PixelBuffer, _ random: inout SeededGenerator, _ words: inout [String]
    ) throws -> Effect {
        var effect = random.chance(0.35) ? try gaussian(&random, &words) : try catalogued(image, &random, &words)
        if random.chance(0.5) { effect.outputStages.dither = random.chance(0.3) ? Dither() : nil }
        if random.chance(0.12) { effect.decoding = .sRGB }
        if effect.mask == nil, random.chance(0.15) {
            if random.chance(0.4) { effect = effect.masked() } else { effect.outputStages.mask = plainMask(&random) }
        }
        if random.chance(0.2) {
            effect.outputStages.clip = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
                try clip(image.layout.extent, &random)
            }
        }
        if random.chance(0.08) {
            let label = try TestImage.make(
                .softAlpha, Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random))
            let mode = ContentMode.allCases.randomElement(using: &random) ?? .center
            let bounds = part(of: image.layout.extent, &random)
            effect.outputStages.content = [ContentLayer(ContentImage(label), mode: mode, bounds: bounds)]
            words.append("content \(label.width)x\(label.height), \(mode), in \(bounds)")
        }
        // A generator of its own, so that the other properties of a seed stay the same.
        var own = random
        if own.chance(0.12), !effect.isRedaction {
            effect.outputStages.opacity = own.chance(0.2) ? 0 : own.unit()
            words.append("opacity \(effect.outputStages.opacity)")
        }
        let stages = effect.outputStages
        words.append("dither \(stages.dither != nil), light \(effect.decoding != nil)")
        if let mask = effect.mask { words.append("\(mask)") }
        if !stages.clip.isEmpty { words.append("clip \(stages.clip)") }
        return effect
    }

    private static func gaussian(_ random: inout SeededGenerator, _ words: inout [String]) throws -> Effect {
        // Some sigmas are 0, and some exceed the image.
        func sigma() -> Double { random.chance(0.05) ? 0 : random.logarithmic(0.1, 1000) }
        let x = sigma()
        let y = random.chance(0.3) ? sigma() : x
        let edge = EdgeMode.allCases.randomElement(using: &random) ?? .clamp
        words.append("sigma \(x), \(y), \(edge)")
        return Effect(try GaussianBlur(sigmaX: x, sigmaY: y, edge: edge))
    }

    /// Returns an effect of the catalogue. Half of the effects have the default parameters.
    private static func catalogued(
        _ image: PixelBuffer, _ random: inout SeededGenerator, _ words: inout [String]
    ) throws -> Effect {
        let description = EffectCatalog.all.randomElement(using: &random) ?? .gaussian
        var values: [String: EffectValue] = [:]
        let all = random.chance(0.5)
        let contrast = ["min-contrast", "content-color"]
        for parameter in description.parameters
        where all && !contrast.contains(parameter.name) || parameter.name == "seed" {
            values[parameter.name] = try value(parameter, &random)
        }
        // A generator of its own, so that the other properties of a seed stay the same. Large contrasts to most colours are
        // refused, so the colours are black and white.
        var own = random
        if all, own.chance(0.3) {
            values["min-contrast"] = .number(1.2 + 6 * own.unit())
            values["content-color"] = .color(try Color(parsing: own.chance(0.5) ? "black" : "white"))
        }
        words.append("\(description.name) \(values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })")
        do throws(ParameterError) { return try description.make(values) } catch {
            // Some combinations are refused, such as a ramp that ends where it begins.
            words.append("refused: \(error)")
            return try description.make(values.filter { $0.key == "seed" })
        }
    }

    private static func value(
        _ parameter: EffectParameter, _ random: inout SeededGenerator
    ) throws(ParameterError) -> EffectValue {
        switch parameter.kind {
        case .number(let unit, let range, let usual):
            if parameter.name == "seed" { return .number(Double(Int.random(in: 1...1000, using: &random))) }
            // The exact reference takes seconds for long kernels that are not separable.
            let isLength = unit == "pixels" || unit == "points"
            let most = isLength ? min(range.upperBound, max(30, 2 * usual)) : range.upperBound
            let share = random.unit()
            let number = range.lowerBound + (most - range.lowerBound) * (isLength ? share * share : share)
            return .number(random.chance(0.1) ? range.lowerBound : number)
        case .color:
            return .color(
                try Color(red: random.unit(), green: random.unit(), blue: random.unit(), alpha: random.unit()))
        case .choice(let names, let usual): return .choice(names.randomElement(using: &random) ?? usual)
        case .colorOrAuto: return .choice(parameter.defaultText)
        case .stops: return .stops(random.chance(0.5) ? [] : stops(&random))
        }
    }

    /// Returns two to five stops of a gradient. Some lie at the same position.
    private static func stops(_ random: inout SeededGenerator) -> [Mask.Ramp.Stop] {
        var positions = (0..<Int.random(in: 2...5, using: &random)).map { _ in random.unit() * 1.4 - 0.2 }.sorted()
        if random.chance(0.3) { positions[1] = positions[0] }
        return positions.map { Mask.Ramp.Stop($0, random.chance(0.3) ? random.unit().rounded() : random.unit()) }
    }

    private static func plainMask(_ random: inout SeededGenerator) -> Mask {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .image
        case 1:
            .band(Mask.Band(top: 0.5 * random.unit(), bottom: 0.5 + 0.5 * random.unit(), falloff: 0.4 * random.unit()))
        case 2:
            .circle(
                Mask.Circle(
                    centerX: random.unit(), centerY: random.unit(), radius: 0.6 * random.unit() + 0.1,
                    border: 0.1 * random.unit()))
        case 3: .ramp(Mask.Ramp(stops: stops(&random), angle: 360 * random.unit()))
        default: .ramp(Mask.Ramp(from: random.unit(), to: random.unit(), angle: 360 * random.unit()))
        }
    }

    /// Returns a rounded rectangle in or around the image.
    private static func clip(_ extent: Rect, _ random: inout SeededGenerator) throws -> RoundedRect {
        let (x, y) = (Double(extent.width) * random.unit(), Double(extent.height) * random.unit())
        let width = 0.5 + Double(extent.width) * random.unit()
        let height = 0.5 + Double(extent.height) * random.unit()
        let isWhole = random.chance(0.3)
        let rect =
            isWhole
            ? try RoundedRect(x: x.rounded(), y: y.rounded(), width: width.rounded(.up), height: height.rounded(.up))
            : try RoundedRect(
                x: x - 2, y: y - 2, width: width, height: height, radius: 0.5 * min(width, height) * random.unit())
        return random.chance(0.25) ? try rect.turned(by: 360 * random.unit() - 180) : rect
    }
}

extension SeededGenerator {
    /// Returns true with a probability.
    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Returns a number whose logarithm is uniform.
    mutating func logarithmic(_ least: Double, _ most: Double) -> Double {
        least * exp(unit() * log(most / least))
    }
}
