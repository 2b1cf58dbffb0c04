package import Frost
package import FrostImages

/// How a picture is resized before the effect, before the size of the picture is known.
package struct ResizeRequest: Sendable, Hashable {
    /// The wanted size.
    package let size: Size
    /// What becomes of the ratio of the sides.
    package let mode: Mode

    package init(_ size: Size, _ mode: Mode = .fit) { (self.size, self.mode) = (size, mode) }

    /// A size as users write it.
    package enum Size: Sendable, Hashable {
        /// Two sides in pixels.
        case sides(width: Int, height: Int)
        /// The width in pixels. The height follows from the ratio of the sides.
        case width(Int)
        /// The height in pixels. The width follows from the ratio of the sides.
        case height(Int)
        /// Both sides in percent.
        case percent(Double)

        /// The sides that are stated.
        package var stated: (width: Int?, height: Int?) {
            switch self {
            case .sides(let width, let height): (width, height)
            case .width(let width): (width, nil)
            case .height(let height): (nil, height)
            case .percent: (nil, nil)
            }
        }

        /// The allowed percentages.
        package static let percentRange = 0.001...100_000.0

        /// Parses a size such as "640x480", "640", "x480" or "50%".
        package init?(written text: String) {
            if text.hasSuffix("%") {
                guard let number = Double(decimal: text.dropLast()), Self.percentRange.contains(number) else {
                    return nil
                }
                self = .percent(number)
                return
            }
            let sides = text.split(separator: "x", omittingEmptySubsequences: false)
            func side(_ text: Substring) -> Int? {
                Int(text).flatMap { (1...ImageLimits.largestSide).contains($0) ? $0 : nil }
            }
            switch sides.count {
            case 1:
                guard let width = side(sides[0]) else { return nil }
                self = .width(width)
            case 2:
                guard let height = side(sides[1]) else { return nil }
                if sides[0].isEmpty {
                    self = .height(height)
                } else {
                    guard let width = side(sides[0]) else { return nil }
                    self = .sides(width: width, height: height)
                }
            default: return nil
            }
        }
    }

    /// What becomes of the ratio of the sides, if two sides are given.
    package enum Mode: String, Sendable, CaseIterable {
        /// The picture fits within the size, and one of its sides may be smaller.
        case fit
        /// The picture covers the size. What is beyond it is cut off, on both sides alike.
        case cover
        /// The picture gets the size, and its shapes are distorted.
        case stretch
    }

    /// Returns the size of a resized picture, and the part of the picture that it shows.
    package func placed(width: Int, height: Int) -> (width: Int, height: Int, part: PictureResize.Part) {
        let (toWidth, toHeight, part) = exactly(width: width, height: height)
        return (Self.side(toWidth), Self.side(toHeight), part)
    }

    /// Returns the size before it is rounded to whole pixels, and the part of the picture that it shows.
    package func exactly(width: Int, height: Int) -> (width: Double, height: Double, part: PictureResize.Part) {
        let (w, h) = (Double(width), Double(height))
        var part = PictureResize.Part(width: w, height: h)
        switch size {
        case .width(let side): return (Double(side), h * Double(side) / w, part)
        case .height(let side): return (w * Double(side) / h, Double(side), part)
        case .percent(let number): return (w * (number / 100), h * (number / 100), part)
        case .sides(let width, let height):
            let (toWidth, toHeight) = (Double(width), Double(height))
            let (x, y) = (toWidth / w, toHeight / h)
            switch mode {
            case .fit:
                let scale = min(x, y)
                return (min(w * scale, toWidth), min(h * scale, toHeight), part)
            case .stretch: break
            case .cover:
                let scale = max(x, y)
                (part.width, part.height) = (min(toWidth / scale, w), min(toHeight / scale, h))
                (part.left, part.top) = ((w - part.width) / 2, (h - part.height) / 2)
            }
            return (toWidth, toHeight, part)
        }
    }

    /// A side that is not a whole number is rounded, but is at least one pixel.
    package static func side(_ length: Double) -> Int { max(1, Int(min(length, 0x1p40).rounded())) }
}

extension PictureResize {
    /// Returns the pixels of the output that a rectangle of the input touches; nil if it lies outside the output.
    package func placed(_ rect: Rect) -> Rect? {
        let (x, y) = (Double(output.width) / part.width, Double(output.height) / part.height)
        func range(_ start: Int, _ length: Int, _ origin: Double, _ scale: Double) -> (first: Int, count: Int) {
            // A position that should be a whole number may differ from it in its last digits.
            let first = Int(((Double(start) - origin) * scale + 1e-6).rounded(.down))
            let end = Int(((Double(start + length) - origin) * scale - 1e-6).rounded(.up))
            return (first, max(end, first + 1) - first)
        }
        let (columns, rows) = (
            range(rect.x, rect.width, part.left, x), range(rect.y, rect.height, part.top, y)
        )
        let placed = Rect(x: columns.first, y: rows.first, width: columns.count, height: rows.count)
        return placed.intersection(output.extent) == nil ? nil : placed
    }
}
