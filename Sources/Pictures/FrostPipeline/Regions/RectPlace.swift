package import Frost

/// A rectangle as users write it: `X,Y,W,H`, where each value is in pixels or in percent of the picture; `GRAVITY,WxH`; or a
/// geometry in pixels as other programs print it, `WxH+X+Y` (ImageMagick and X11) or `X,Y WxH` (slurp).
package enum RectPlace: Sendable, Hashable {
    /// The maximum absolute value of a length in pixels. Sums of such numbers do not overflow.
    package static let limit = 1 << 30

    /// A length in pixels, or in percent of the picture's width or height.
    package enum Length: Sendable, Hashable {
        case pixels(Int)
        case percent(Double)

        /// Parses a length such as "120" or "50%".
        ///
        /// - Parameter allowsNegative: whether zero and negative values are allowed. A position may lie outside the
        ///   picture; a size must be positive.
        init?(written text: Substring, allowsNegative: Bool) {
            if text.hasSuffix("%") {
                guard let number = Double(decimal: text.dropLast()), abs(number) <= 10_000 else { return nil }
                self = .percent(number)
                guard allowsNegative || number > 0 else { return nil }
            } else {
                guard let number = Int(text), (-RectPlace.limit...RectPlace.limit).contains(number) else { return nil }
                self = .pixels(number)
                guard allowsNegative || number > 0 else { return nil }
            }
        }

        /// Returns the length in pixels, without rounding, for a picture side of `whole` pixels.
        func of(_ whole: Int) -> Double {
            switch self {
            case .pixels(let number): Double(number)
            case .percent(let number): number / 100 * Double(whole)
            }
        }

        var isPixels: Bool { if case .pixels = self { true } else { false } }
    }

    /// A side, a corner or the centre of the picture, named by compass directions.
    package enum Gravity: String, Sendable, CaseIterable {
        case center, north, northeast, east, southeast, south, southwest, west, northwest

        /// The position of the rectangle along each axis of the picture: 0 places it at the left or top edge, 1 places
        /// it at the right or bottom edge, and 0.5 centres it.
        var position: (x: Double, y: Double) {
            switch self {
            case .center: (0.5, 0.5)
            case .north: (0.5, 0)
            case .northeast: (1, 0)
            case .east: (1, 0.5)
            case .southeast: (1, 1)
            case .south: (0.5, 1)
            case .southwest: (0, 1)
            case .west: (0, 0.5)
            case .northwest: (0, 0)
            }
        }
    }

    case edges(x: Length, y: Length, width: Length, height: Length)
    case gravity(Gravity, width: Length, height: Length)

    package init?(written text: String) {
        let parts = Self.parts(of: text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed })
        if parts.count == 2, let gravity = Gravity(rawValue: String(parts[0])) {
            let sides = parts[1].split(separator: "x", omittingEmptySubsequences: false)
            guard sides.count == 2, let width = Length(written: sides[0], allowsNegative: false),
                let height = Length(written: sides[1], allowsNegative: false)
            else { return nil }
            self = .gravity(gravity, width: width, height: height)
            return
        }
        guard parts.count == 4, let x = Length(written: parts[0], allowsNegative: true),
            let y = Length(written: parts[1], allowsNegative: true),
            let width = Length(written: parts[2], allowsNegative: false),
            let height = Length(written: parts[3], allowsNegative: false)
        else { return nil }
        self = .edges(x: x, y: y, width: width, height: height)
    }

    /// Returns the parts of the form `X,Y,W,H` for a geometry in another form. Returns all other parts unchanged.
    private static func parts(of parts: [Substring]) -> [Substring] {
        if parts.count == 2, let space = parts[1].firstIndex(of: " ") {
            let sides = parts[1][space...].trimmed.split(separator: "x", omittingEmptySubsequences: false)
            return sides.count == 2 ? [parts[0], parts[1][..<space]] + sides : parts
        }
        guard parts.count == 1, let cross = parts[0].firstIndex(of: "x") else { return parts }
        // The offsets keep their signs: 200x100-5+10.
        let (width, rest) = (parts[0][..<cross], parts[0][cross...].dropFirst())
        let signs = rest.indices.filter { rest[$0] == "+" || rest[$0] == "-" }
        guard signs.count == 2 else { return parts }
        return [rest[signs[0]..<signs[1]], rest[signs[1]...], width, rest[..<signs[0]]]
    }

    /// Returns the rectangle of whole pixels in a picture. The positions of the edges are rounded, not the width and
    /// height, so two rectangles that share an edge meet without a gap or an overlap.
    package func rect(width pictureWidth: Int, height pictureHeight: Int) -> Rect {
        let (left, top, width, height): (Double, Double, Double, Double)
        switch self {
        case .edges(let x, let y, let w, let h):
            (left, width) = (x.of(pictureWidth), w.of(pictureWidth))
            (top, height) = (y.of(pictureHeight), h.of(pictureHeight))
        case .gravity(let gravity, let w, let h):
            // The sides are rounded first, so that the rectangle reaches the picture's edge.
            width = max(1, w.of(pictureWidth).rounded())
            height = max(1, h.of(pictureHeight).rounded())
            left = ((Double(pictureWidth) - width) * gravity.position.x).rounded(.down)
            top = ((Double(pictureHeight) - height) * gravity.position.y).rounded(.down)
        }
        // Lengths in pixels are at most `limit`, so sums of them are exact in Double and fit in an Int. If
        // rounding would make a side empty, the side gets one pixel.
        func range(_ start: Double, _ length: Double) -> (Int, Int) {
            let (first, end) = (Int(start.rounded()), Int((start + length).rounded()))
            return first < end ? (first, end - first) : (Int((start + length / 2).rounded(.down)), 1)
        }
        let (horizontal, vertical) = (range(left, width), range(top, height))
        return Rect(x: horizontal.0, y: vertical.0, width: horizontal.1, height: vertical.1)
    }

    /// Whether the rectangle is the same in every picture, because all of its lengths are in pixels.
    var isAbsolute: Bool {
        switch self {
        case .edges(let x, let y, let width, let height): [x, y, width, height].allSatisfy(\.isPixels)
        case .gravity: false
        }
    }
}

extension Substring {
    /// The text without the spaces around it.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
