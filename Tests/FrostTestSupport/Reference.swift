package import FrostCore
import Glibc

/// Runs a plan in Double, sample by sample, from the formulas of `Pass.Operation` alone. This is slow, but it does not
/// depend on the order in which the GPU reads its taps.
package struct Reference {
    /// A window of samples. Each sample has premultiplied red, green, blue and alpha.
    package struct Image {
        package var window: Rect
        package var values: [SIMD4<Double>]

        package subscript(x: Int, y: Int) -> SIMD4<Double> {
            get { values[(y - window.y) * window.width + x - window.x] }
            set { values[(y - window.y) * window.width + x - window.x] = newValue }
        }

        package init(window: Rect) {
            self.window = window
            values = Array(repeating: .zero, count: window.width * window.height)
        }
    }

    /// Returns the plan's output as exact numbers, before they are rounded.
    package static func run(_ plan: Plan, on source: PixelBuffer) -> Image {
        var places: [Place: Image] = [.source: Samples.image(of: source, at: plan.extent)]
        for pass in plan.passes {
            let window: Rect
            switch pass.to {
            case .slot(let slot): window = plan.slots[slot].window
            case .output, .source: window = plan.region
            }
            places[pass.to] = apply(pass, places[pass.from] ?? Image(window: plan.extent), window)
        }
        return places[.output] ?? Image(window: plan.region)
    }

    private static func apply(_ pass: Pass, _ input: Image, _ window: Rect) -> Image {
        var output = Image(window: window)
        let exists = input.window[pass.axis]
        for y in window.rows {
            for x in window.columns {
                let i = pass.axis == .x ? x : y
                var sum = SIMD4<Double>.zero
                for (index, weight) in terms(pass.operation, i) {
                    guard let place = pass.edge.map(index, into: exists) else { continue }
                    sum += weight * (pass.axis == .x ? input[place, y] : input[x, place])
                }
                output[x, y] = sum
            }
        }
        return output
    }

    private static func terms(_ operation: Pass.Operation, _ i: Int) -> [(Int, Double)] {
        switch operation {
        case .convolve(let taps):
            return taps.enumerated().map { (i + $0.offset - taps.count / 2, Double($0.element)) }
        case .decimate(let taps):
            return taps.enumerated().map { (2 * i + $0.offset - (taps.count / 2 - 1), Double($0.element)) }
        case .interpolate(let taps):
            // This range of j contains every input sample that has a tap. Samples in it without a tap are skipped.
            return (i / 2 - taps.count...i / 2 + taps.count).compactMap { j in
                let tap = i - 2 * j + taps.count / 2 - 1
                return taps.indices.contains(tap) ? (j, 2 * Double(taps[tap])) : nil
            }
        }
    }
}

extension Reference {
    /// Returns premultiplied pixels blurred in double precision, with the image continued by its border pixels.
    ///
    /// - Parameters:
    ///   - pixels: `width` pixels for each row.
    ///   - sigma: the standard deviation in pixels, which may be 0.
    package static func blurred(_ pixels: [SIMD4<Double>], width: Int, sigma: Double) -> [SIMD4<Double>] {
        let height = pixels.count / width
        let radius = Int((6 * sigma).rounded(.up))
        let weights = (-radius...radius).map { sigma > 0 ? exp(-Double($0 * $0) / (2 * sigma * sigma)) : 1 }
        let total = weights.reduce(0, +)
        func filtered(_ pixels: [SIMD4<Double>], alongX: Bool) -> [SIMD4<Double>] {
            pixels.indices.map { i in
                let (x, y) = (i % width, i / width)
                var sum = SIMD4<Double>.zero
                for (t, weight) in weights.enumerated() {
                    let column = alongX ? min(max(x + t - radius, 0), width - 1) : x
                    let row = alongX ? y : min(max(y + t - radius, 0), height - 1)
                    sum += weight / total * pixels[row * width + column]
                }
                return sum
            }
        }
        return filtered(filtered(pixels, alongX: true), alongX: false)
    }
}

/// Reads the samples of an image as numbers, using only the definition of the image's format.
package enum Samples {
    /// Returns the sample of the channel at this position in a pixel's memory. For integer types, 1.0 stands for the type's
    /// maximum.
    package static func value(_ image: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> Double {
        let format = image.format
        let at = y * image.layout.bytesPerRow + x * format.bytesPerPixel + channel * format.sample.size
        let bits = (0..<format.sample.size).reduce(UInt32(0)) { $0 | UInt32(image.bytes[at + $1]) << (8 * UInt32($1)) }
        return switch format.sample {
        case .u8, .u16: Double(bits) / format.sample.maximum
        case .f16: Double(Float16(bitPattern: UInt16(bits)))
        case .f32: Double(Float(bitPattern: bits))
        }
    }

    /// Returns red, green, blue and alpha as they are stored. Straight colours are not multiplied by alpha.
    package static func pixel(_ image: PixelBuffer, _ x: Int, _ y: Int) -> SIMD4<Double> {
        func v(_ channel: Int) -> Double { value(image, x, y, channel) }
        switch image.format.channels {
        case .grey: return SIMD4(v(0), v(0), v(0), 1)
        case .greyAlpha: return SIMD4(v(0), v(0), v(0), v(1))
        case .rgb: return SIMD4(v(0), v(1), v(2), 1)
        case .rgba: return SIMD4(v(0), v(1), v(2), v(3))
        case .bgra: return SIMD4(v(2), v(1), v(0), v(3))
        }
    }

    package static func image(of source: PixelBuffer, at extent: Rect) -> Reference.Image {
        var image = Reference.Image(window: extent)
        for y in 0..<source.height {
            for x in 0..<source.width {
                var pixel = pixel(source, x, y)
                if source.format.needsPremultiplication {
                    let alpha = pixel.w
                    pixel *= alpha
                    pixel.w = alpha
                }
                image[extent.x + x, extent.y + y] = pixel
            }
        }
        return image
    }

    /// Creates an image of noise from a seed. In premultiplied formats colours do not exceed alpha.
    package static func noise(
        _ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64 = 1, padding: Int = 0
    ) throws -> PixelBuffer {
        let stride = width * format.bytesPerPixel + padding * format.sample.size
        let layout = try PixelLayout(width: width, height: height, format: format, bytesPerRow: stride)
        var bytes = [UInt8](repeating: 0xAB, count: layout.byteCount)
        var generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        func next() -> Double { generator.unit() }
        let channels = format.channels.count
        for y in 0..<height {
            for x in 0..<width {
                // Transparent and opaque pixels occur often, as in real pictures.
                let kind = next()
                let alpha = !format.channels.hasAlpha ? 1 : kind < 0.2 ? 0 : kind < 0.5 ? 1 : next()
                for channel in 0..<channels {
                    var value = next()
                    if format.channels.hasAlpha {
                        if channel == channels - 1 {
                            value = alpha
                        } else if format.alpha == .premultiplied {
                            value *= alpha
                        }
                    }
                    let at = y * stride + x * format.bytesPerPixel + channel * format.sample.size
                    let bits =
                        switch format.sample {
                        case .u8, .u16: UInt32(value * format.sample.maximum + 0.5)
                        case .f16: UInt32(Float16(value).bitPattern)
                        case .f32: Float(value).bitPattern
                        }
                    for byte in 0..<format.sample.size {
                        bytes[at + byte] = UInt8(truncatingIfNeeded: bits >> (8 * byte))
                    }
                }
            }
        }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }
}

/// The largest difference between an output and the exact result, in steps of the output's sample type.
package struct Deviation: CustomStringConvertible {
    /// The part of the difference that exceeds the half step of the final rounding. It is 0 if every sample has the nearest
    /// possible value.
    package var excess = 0.0
    package var place = ""

    package var description: String { "\(excess) steps beyond rounding at \(place)" }

    /// Compares an output with the exact result. Alpha and premultiplied colour are compared directly. Straight colour is
    /// compared with the exact premultiplied colour divided by the output's alpha, and the difference is multiplied by this
    /// alpha: it may be any that gives the premultiplied colour within half a step.
    package init(_ output: PixelBuffer, from exact: Reference.Image) {
        let format = output.format
        let maximum = format.sample.maximum
        let isInteger = !format.sample.isFloat
        let half = isInteger ? 0.5 : 0
        for y in 0..<output.height {
            for x in 0..<output.width {
                let wanted = exact[exact.window.x + x, exact.window.y + y]
                let got = Samples.pixel(output, x, y)
                for channel in 0..<4 {
                    var target = wanted[channel]
                    var scale = 1.0
                    if channel < 3, format.needsPremultiplication {
                        target = got.w > 0 ? target / got.w : 0
                        scale = got.w
                    }
                    if isInteger { target = min(max(target, 0), 1) }
                    let error = abs(got[channel] - target) * maximum * scale - half
                    if error > excess || error.isNaN {
                        excess = error.isNaN ? .infinity : error
                        place = "(\(x), \(y)) channel \(channel): \(got[channel] * maximum), exact \(target * maximum)"
                    }
                }
            }
        }
    }
}
