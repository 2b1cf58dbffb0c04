import Glibc
import FrostExact
import FrostCore
import FrostTestSupport
import Testing

/// Compares the exact reference with numbers that are worked out by hand from the laws.
struct TransitionNumberTests {
    /// A grey source of 10x8 pixels whose value is x/100 + y/10, and a target of the value 1.
    private static func value(
        _ name: String, _ parameters: [String: Double], at time: Double, x: Int, y: Int, source: Double? = nil,
        mask: MaskImage? = nil
    ) throws -> Double {
        let format = PixelFormat(.grey, .f32)
        let pictures = TransitionPictures(
            try TestImage.make(10, 8, format) { x, y, _ in source ?? Double(x) / 100 + Double(y) / 10 },
            try TestImage.make(10, 8, format) { _, _, _ in 1 }, mask: mask)
        let transition = try TransitionCatalog.transition(name).make(parameters.mapValues { .number($0) })
        let rows = try transition.exact(at: time, pictures).rows
        return rows[y][x * rows.channels.count]
    }

    private static func expect(
        _ value: Double, is expected: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Floats of the images have 24 bits.
        #expect(abs(value - expected) < 1e-6, "\(value) is not \(expected)", sourceLocation: sourceLocation)
    }

    @Test("dissolve and swipe have the shares of their laws")
    func shares() throws {
        Self.expect(try Self.value("dissolve", [:], at: 0.25, x: 3, y: 2), is: 0.75 * 0.23 + 0.25)
        // The edge's end is at -5 + 14/2 = 2, and pixel 5 at u = 0.5: the share is 1.5/4.
        Self.expect(try Self.value("swipe", ["width": 4], at: 0.5, x: 5, y: 0), is: 0.05 + 0.95 * 1.5 / 4)
        Self.expect(try Self.value("swipe", ["width": 4], at: 0.5, x: 2, y: 0), is: 1)
        // The gleam's weight is 4 * 0.375 * 0.625.
        let mixed = 0.05 + 0.95 * 0.375
        Self.expect(
            try Self.value("swipe", ["width": 4, "opacity": 0.5], at: 0.5, x: 5, y: 0),
            is: mixed + (1 - mixed) * 0.5 * 0.9375)
    }

    @Test("the lamp of the copy machine lights, and uncovers the target on its way back")
    func copyMachine() throws {
        // At time 0.25 the bar is in the middle. Pixel 5 is half a pixel from it: the bell is (1 - 0.25²)².
        Self.expect(
            try Self.value("copy-machine", ["width": 4, "opacity": 0.6], at: 0.25, x: 5, y: 0, source: 0),
            is: try #require(Self.light(0.6 * 0.9375 * 0.9375)))
        // An opacity above 1 lifts the sides of the bell, and leaves its top at 1.
        Self.expect(
            try Self.value("copy-machine", ["width": 4, "opacity": 3], at: 0.25, x: 5, y: 0, source: 0),
            is: try #require(Self.light(3 * 0.87890625 / (1 + 2 * 0.87890625))))
        // At time 0.75 the bar is in the middle again. The share of pixel 5 is clamp(0.5 + 0.5), and of pixel 4 it is 0.
        Self.expect(try Self.value("copy-machine", ["width": 4, "opacity": 0], at: 0.75, x: 5, y: 0), is: 1)
        Self.expect(try Self.value("copy-machine", ["width": 4, "opacity": 0], at: 0.75, x: 4, y: 0), is: 0.04)
    }

    /// The red that the default colour (0.6, 1, 0.8) adds to black.
    private static func light(_ weight: Double) -> Double? { 0.6 * weight }

    @Test("bars slide one after another, and mix at their borders")
    func bars() throws {
        // Two bars of 4 pixels. Bar 0 has moved by (10 + 2)/4 = 3 pixels, and bar 1 by 1 pixel.
        let bars = ["angle": 0.0, "width": 4, "bar-offset": 2]
        Self.expect(try Self.value("bars-swipe", bars, at: 0.5, x: 3, y: 1), is: 0.1)
        Self.expect(try Self.value("bars-swipe", bars, at: 0.5, x: 2, y: 1), is: 1)
        Self.expect(try Self.value("bars-swipe", bars, at: 0.5, x: 1, y: 6), is: 0.6)
        Self.expect(try Self.value("bars-swipe", bars, at: 0.5, x: 0, y: 6), is: 1)
        // Bars of 3.5 pixels have a border in the middle of row 3. Bar 0 has moved by 14/4, bar 1 by 1.5 pixels, and bar 2
        // not at all. Between two pixels, values are mixed.
        Self.expect(
            try Self.value("bars-swipe", ["angle": 0.0, "width": 3.5, "bar-offset": 2], at: 0.5, x: 6, y: 3),
            is: 0.3 + (0.025 + 0.045) / 2)
    }

    @Test("holes are discs around the points of a grid")
    func mod() throws {
        // The centre is at (5, 4), and pixel (8, 4) at the offset (3.5, 0.5), at the distance 3.5355. With a compression of
        // that distance the scale is 2, so that the distance in the grid is 1.7678. The hole's radius is 0.25 √2 * 4.
        let distance = 12.5.squareRoot()
        let share = (2.0.squareRoot() * 4 * 0.25 - distance / 2) * 2 + 0.25
        #expect(share < 0)
        let near = (2.0.squareRoot() * 4 * 0.3 - distance / 2) * 2 + 0.3
        #expect(near > 0 && near < 1)
        let mod = ["radius": 4, "compression": distance, "angle": 0]
        Self.expect(try Self.value("mod", mod, at: 0.25, x: 8, y: 4), is: 0.48)
        Self.expect(try Self.value("mod", mod, at: 0.3, x: 8, y: 4), is: 0.48 + 0.52 * near)
    }

    @Test("the source disintegrates where the mask is dark, and casts a shadow")
    func disintegrate() throws {
        // A mask whose columns are 0.25 and 0.75, as large as the image, has its change between columns 4 and 5.
        let mask = MaskImage(try TestImage.make(10, 8, PixelFormat(.grey, .f32)) { x, _, _ in x < 5 ? 0.25 : 0.75 })
        let parameters = ["shadow-radius": 0, "shadow-density": 0.4, "shadow-x": -4.5, "shadow-y": 0]
        func value(_ time: Double, _ x: Int) throws -> Double {
            try Self.value("disintegrate-with-mask", parameters, at: time, x: x, y: 2, mask: mask)
        }
        // Columns 4 and 5 have g = 0.25: their values range from 0.125 to 0.375 and from 0.625 to 0.875. Column 4 is in the
        // shadow of columns 8 and 9.
        Self.expect(try value(0.2, 4), is: 0.24 * 0.7 + 0.3 * (1 - 0.4))
        Self.expect(try value(0.5, 7), is: 0.27)
        // At half of the time, columns from 5 on are left. The shadow of columns 5 and 4, moved to the left by 4.5 pixels,
        // is on column 0: half of column 5 (1) and half of column 4 (0).
        Self.expect(try value(0.5, 0), is: 1 - 0.4 / 2)
        Self.expect(try value(0.5, 1), is: 1 - 0.4)
    }

    @Test("a ripple bends the picture")
    func ripple() throws {
        // The centre is at (0.5, 3.5), the centre of pixel (0, 3). R is hypot(9.5, 4.5). At the crest h is 1 and the share is
        // one half.
        let reach = (9.5 * 9.5 + 4.5 * 4.5).squareRoot()
        // This scale gives a shift of 1.5 pixels, below the limit of 0.41 * 4.
        let scale = 1.5 / pow(1 - pow(1.5 / 1.64, 4), 0.25)
        let parameters = ["center-x": 0.05, "center-y": 3.5 / 8, "width": 4.0, "scale": scale]
        // The crest passes pixel (6, 3) at this time. It shows the place 1.5 pixels nearer to the centre.
        let time = (6 + 4) / (reach + 8)
        Self.expect(try Self.value("ripple", parameters, at: time, x: 6, y: 3), is: (0.345 + 1) / 2)
    }

    @Test("a flash overexposes the picture and fades")
    func flash() throws {
        let parameters = ["striation-strength": 0.0, "fade-threshold": 0.5, "center-x": 0.5, "center-y": 0.5]
        let reach = 41.0.squareRoot()
        let radius = (reach + 1).squareRoot() - 1
        // Pixel (8, 4) is at the distance √12.5 from the centre. The colour's red is 1, and the gain 4.
        let glow = (radius / 12.5.squareRoot()) * (radius / 12.5.squareRoot())
        Self.expect(try Self.value("flash", parameters, at: 0.25, x: 8, y: 4, source: 0), is: 4 * glow * glow)
        Self.expect(try Self.value("flash", parameters, at: 0.25, x: 8, y: 4, source: 0.3), is: 0.3 + 4 * glow * glow)
        Self.expect(try Self.value("flash", parameters, at: 0.25, x: 5, y: 4, source: 0), is: 1)
        Self.expect(try Self.value("flash", parameters, at: 0.75, x: 5, y: 4), is: 1)
    }

    @Test("the light of a flash fades with the square of the rest of the time, and is clipped at white")
    func fade() throws {
        let format = PixelFormat(.rgba, .f32)
        let pictures = TransitionPictures(
            try TestImage.make(3, 2, format) { _, _, _ in 1 },
            try TestImage.make(3, 2, format) { x, _, channel in channel < 3 ? 0.1 : x == 0 ? 0.5 : 1 })
        let flash = try TransitionCatalog.transition("flash").make([
            "color": .color(Color(red: 1, green: 0.5, blue: 0, alpha: 0.8)), "fade-threshold": .number(0.2),
        ])
        // Three quarters of the fade are over, so the gain is 4 / 16.
        let pixels = try flash.exact(at: 0.8, pictures).rows[0]
        for (value, expected) in zip(pixels[4..<8], [0.1 + 0.25 * 0.8, 0.1 + 0.25 * 0.4, 0.1, 1]) {
            Self.expect(value, is: expected)
        }
        // Pixel 0 is half transparent. The light's alpha is 0.2. Red is clipped at the new alpha.
        for (value, expected) in zip(pixels[0..<4], [0.05 + 0.2, 0.05 + 0.1, 0.05, 0.5 + 0.5 * 0.2]) {
            Self.expect(value, is: expected)
        }
        let bright = try flash.exact(at: 0.5, pictures).rows[0]
        // The gain is 4 * 0.625². The light's alpha is above 1, so the result is opaque.
        for (value, expected) in zip(bright[0..<4], [1, 0.05 + 1.5625 * 0.4, 0.05, 1]) {
            Self.expect(value, is: expected)
        }
    }

    @Test("an accordion compresses its pleats and darkens every second one")
    func accordion() throws {
        // At half of the time it is 4 pixels high and has two pleats of 2 pixels. Row 1 shows the place 3, between rows 2
        // and 3. Row 2 is in the second pleat, whose factor is 1 - ∛0.5 (1 - 0.5²).
        let parameters = ["folds": 2.0, "fold-shadow-amount": 0.5]
        Self.expect(try Self.value("accordion-fold", parameters, at: 0.5, x: 3, y: 1), is: 0.03 + 0.25)
        Self.expect(
            try Self.value("accordion-fold", parameters, at: 0.5, x: 3, y: 2),
            is: (1 - cbrt(0.5) * 0.75) * (0.03 + 0.45))
        Self.expect(try Self.value("accordion-fold", parameters, at: 0.5, x: 3, y: 6), is: 1)
        // A pixel on a crease is half dark: three pleats of 1.5 pixels meet in the middle of row 1.
        Self.expect(
            try Self.value("accordion-fold", ["folds": 3, "fold-shadow-amount": 0.5], at: 0.4375, x: 3, y: 1),
            is: (1 - 0.5 * cbrt(0.5) * (1 - 0.5625 * 0.5625)) * (0.03 + 0.1 * (1.5 * 8 / 4.5 - 0.5)))
    }

    @Test("a page rolls up and shows its back")
    func pageCurl() throws {
        // With r = 1 the axis is at -5 + 11/2 = 0.5. Pixel 5 has x = 0, where the back shows the place π pixels behind it, in the
        // light of the flat back.
        let curl = ["radius": 1.0]
        let back = 0.75.squareRoot() * (Self.sample(5.5 - .pi, y: 1) * 0.3 + 0.7)
        Self.expect(try Self.value("page-curl", curl, at: 0.5, x: 5, y: 1), is: back)
        // Pixel 4 has x = 1: half of it is the outline of the roll, where front and back show the same place. The
        // front is 0.7 as bright, and the back 0.5.
        let outline = Self.sample(4.5 + 1 - .pi / 2, y: 1)
        let front = 0.5 + 0.5 * 0.7 * outline
        Self.expect(
            try Self.value("page-curl", curl, at: 0.5, x: 4, y: 1),
            is: front * 0.5 + 0.5 * 0.5 * (outline * 0.3 + 0.7))
        // With r = 2 the axis is at -5 + 12/2 = 1. Pixel 5 has x = 0.5, so sin φ is 0.25. Its front shows the arc 2 φ. Its back
        // shows the place 0.2217, at the border of the page, which covers 0.7217 of the pixel.
        let angle = asin(0.25)
        let covered = 5.5 + 0.5 - 2 * (.pi - angle) + 0.5
        let under = Self.sample(6 - 2 * angle, y: 1) * (1 - 0.3 * (1 - cos(angle)))
        let gloss = 0.5 * 0.75 * 0.75
        let lit = cos(angle - .pi / 6) * (0.1 * 0.3 + 0.7)
        Self.expect(
            try Self.value("page-curl", ["radius": 2], at: 0.5, x: 5, y: 1),
            is: under * (1 - covered) + covered * (lit + (1 - lit) * gloss))
        // Pixel 2 has u = -2.5 and x = 3.5, behind the roll.
        Self.expect(try Self.value("page-curl", ["radius": 2], at: 0.5, x: 2, y: 1), is: 1)
        // Pixel 9 has u = 4.5, 3.5 pixels ahead of the axis. The back there would be 2π + 7 pixels behind it, outside.
        Self.expect(try Self.value("page-curl", ["radius": 2], at: 0.5, x: 9, y: 1), is: 0.19)
        // The shadow is soft: at x - r = 1.5 with σ = 1 it has the weight 0.5 (1 - G(1.5)). It is as strong as given, because
        // the axis is more than r from both ends.
        Self.expect(
            try Self.value(
                "page-curl-with-shadow", ["radius": 2, "shadow-size": 0.5, "shadow-amount": 0.5], at: 0.5, x: 2, y: 1),
            is: 1 - 0.5 * 0.0668072012688581)
    }

    /// The source's value at a place along a row.
    private static func sample(_ place: Double, y: Int) -> Double { (place - 0.5) / 100 + Double(y) / 10 }

    @Test("a wrong angle is noticed")
    func wrongAngle() throws {
        let pictures = TransitionPictures(
            try TestImage.make(.gradient, 30, 20), try TestImage.make(.uniformNoise, 30, 20))
        for name in ["swipe", "copy-machine", "bars-swipe", "mod", "page-curl"] {
            let description = try TransitionCatalog.transition(name)
            func drawn(_ angle: Double) throws -> ExactImage {
                let small = ["width", "radius"].filter { name in description.parameters.contains { $0.name == name } }
                let values = Dictionary(uniqueKeysWithValues: (small.map { ($0, 6.0) } + [("angle", angle)]))
                return try description.make(values.mapValues { .number($0) }).exact(at: 0.6, pictures)
            }
            let (right, wrong) = (try drawn(30), try drawn(-30))
            #expect(try Comparison(right.rows, wrong.rows).maximum > 8, "\(name)")
        }
    }
}
