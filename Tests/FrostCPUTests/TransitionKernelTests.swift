import CFrostKernels
import FrostTestSupport
import Glibc
import Testing

@testable import FrostCPU

/// Compares the kernels that read images at positions with the baseline's, for every instruction set; see ``KernelTests``. The images have no memory around them, so reading a pixel outside an image ends the process.
struct TransitionKernelTests {
    /// Sizes that include single pixels, rows and columns.
    private static let sizes = [(1, 1), (1, 5), (6, 1), (2, 2), (7, 5), (19, 9)]

    /// Positions inside and outside an image: pixel centres and corners, neighbours of them, and values that no image has.
    private static func positions(_ width: Int, _ height: Int, _ values: inout KernelValues) -> [(x: Float, y: Float)] {
        func edges(_ side: Int) -> [Float] {
            let side = Float(side)
            return [
                0, -0.0, 0.5, Float(0.5).nextDown, Float(0.5).nextUp, -0.5, -0.499, -1.5, -1.501, -3, side - 0.5,
                (side - 0.5).nextDown, (side - 0.5).nextUp, side, side + 0.5, side + 0.499, side + 2, 1e30, -1e30, .nan,
                -.nan, .infinity, -.infinity, 2_147_483_648, -2_147_483_904, 0x1p-133,
            ]
        }
        let (xs, ys) = (edges(width), edges(height))
        var all: [(x: Float, y: Float)] = xs.flatMap { x in ys.map { (x, $0) } }
        for _ in 0..<61 { all.append((values.between(-2, Float(width) + 2), values.between(-2, Float(height) + 2))) }
        return all
    }

    /// The positions in groups of all lengths that the vector loops treat differently.
    private static func groups(_ positions: [(x: Float, y: Float)]) -> [[(x: Float, y: Float)]] {
        var (groups, start): ([[(x: Float, y: Float)]], Int) = ([], 0)
        while start < positions.count {
            let end = min(start + 1 + (groups.count * 7) % 40, positions.count)
            groups.append(Array(positions[start..<end]))
            start = end
        }
        return groups
    }

    private static let placements = [Placement(atEnd: true, shift: 0), Placement(atEnd: false, shift: 0)]

    @Test("samples of bytes", arguments: [false, true]) func bytes(isStraight: Bool) {
        var check = KernelCheck(placements: Self.placements)
        var values = KernelValues(seed: isStraight ? 2 : 1)
        for (width, height) in Self.sizes {
            let image = values.rows(height) { $0.bytes(4 * width) }
            // The rows have a gap of 4 bytes between them, but the last row ends with its last pixel.
            let stride = 4 * width + 4
            let bytes = Array(image.joined(separator: [9, 8, 7, 6]))
            for group in Self.groups(Self.positions(width, height, &values)) {
                check.context =
                    "\(width)x\(height), \(isStraight ? "straight" : "premultiplied"), \(group.count) positions"
                unsafe check.agree(4 * group.count, "sample_u8") { table, memory, out in
                    unsafe table.sample_u8(
                        memory.taps(bytes), Int64(stride), Int32(width), Int32(height), memory.taps(group.map(\.x)),
                        memory.taps(group.map(\.y)), out, Int32(group.count), isStraight ? 1 : 0)
                }
            }
        }
    }

    @Test("samples of floats") func floats() {
        var check = KernelCheck(placements: Self.placements)
        var values = KernelValues(seed: 3)
        for (width, height) in Self.sizes {
            let image = values.rows(height) { $0.floats(4 * width) }
            let stride = 16 * width + 16
            let floats = Array(image.joined(separator: [9, 8, 7, 6]))
            for group in Self.groups(Self.positions(width, height, &values)) {
                check.context = "\(width)x\(height), \(group.count) positions"
                unsafe check.agree(4 * group.count, "sample_f32") { table, memory, out in
                    unsafe table.sample_f32(
                        memory.taps(floats), Int64(stride), Int32(width), Int32(height), memory.taps(group.map(\.x)),
                        memory.taps(group.map(\.y)), out, Int32(group.count))
                }
            }
        }
    }

    @Test("a pixel is read at its centre, neighbours are interpolated, and outside the image it is transparent")
    func samplesOfTwoPixels() {
        let check = KernelCheck()
        let image: [Float] = [1, 2, 3, 4, 5, 6, 7, 8]
        func sample(_ positions: [(x: Float, y: Float)]) -> [Float] {
            unsafe check.baseline(4 * positions.count) { table, memory, out in
                unsafe table.sample_f32(
                    memory.taps(image), 32, 2, 1, memory.taps(positions.map(\.x)), memory.taps(positions.map(\.y)), out,
                    Int32(positions.count))
            }
        }
        #expect(sample([(1.5, 0.5)]) == [5, 6, 7, 8])
        #expect(sample([(1, 0.5)]) == [3, 4, 5, 6])
        #expect(sample([(2, 0)]) == [1.25, 1.5, 1.75, 2])
        #expect(sample([(-0.5, 0.5), (.nan, 0.5)]) == [0, 0, 0, 0, 0, 0, 0, 0])
    }
}

/// Compares the polynomials of transitions with the C library's functions in double precision.
struct TransitionMathTests {
    /// The largest difference between a function and its reference at 200,001 numbers of a range.
    private func error(
        _ range: ClosedRange<Float>, _ value: (Float) -> Float, _ exact: (Double) -> Double
    ) -> Double {
        (0...200_000).reduce(0) { worst, i in
            let x = range.lowerBound + (range.upperBound - range.lowerBound) * (Float(i) / 200_000)
            let error = abs(Double(value(x)) - exact(Double(x)))
            // NaN counts as an infinite error.
            return error <= worst ? worst : error.isNaN ? .infinity : error
        }
    }

    @Test("sine and cosine keep their error bounds") func sines() {
        #expect(error(-1...1, { quarterSine($0) }) { sin(.pi / 2 * $0) } < 2e-7)
        // The sine enters the formulas squared, or in a product, with a factor of 2. That makes 4 * 2e-7 of its error, and
        // the results are rounded to floats.
        #expect(error(-1...1, { cosine(ofPi: $0) }) { cos(.pi * $0) } < 1e-6)
        #expect(error(-1...1, { sine(ofPi: $0) }) { sin(.pi * $0) } < 1e-6)
        #expect(quarterSine(0) == 0 && sine(ofPi: 0) == 0 && cosine(ofPi: 0) == 1)
    }

    @Test("the arc sine keeps its error bound") func arcs() {
        #expect(error(0...1, { arcSine($0) }) { asin($0) } < 3e-7)
    }

    @Test("the error function keeps its error bound") func errors() {
        #expect(error(-6...6, { errorFunction($0) }) { erf($0) } < 2e-6)
        #expect(errorFunction(Float.infinity) == 1 && errorFunction(-Float.infinity) == -1)
        #expect(errorFunction(1e30) == 1 && errorFunction(-1e30) == -1)
    }

    @Test("angles keep the bound of the arc tangent") func angles() {
        // To the bound of 3e-8 turns come the roundings of the quotient and of three differences below 1, 3e-8 each.
        let bound = 1.5e-7
        let worst = (0...200_000).reduce(0.0) { worst, i in
            let place = 2 * .pi * Double(i) / 200_000
            let (x, y) = (Float(cos(place)), Float(sin(place)))
            let difference = abs(Double(turns(x, y)) - atan2(Double(y), Double(x)) / (2 * .pi))
            // Angles that differ by a whole turn are equal. So the angle just below a whole turn may be 0.
            let error = abs(difference - difference.rounded())
            return error <= worst ? worst : error.isNaN ? .infinity : error
        }
        #expect(worst < bound)
        #expect(turns(0, 0) == 0 && turns(1, 0) == 0 && turns(0, 1) == 0.25 && turns(-1, 0) == 0.5)
        #expect(turns(0, -1) == 0.75 && turns(1, -1e-30) == 0)
    }

    @Test("an error function of half the accuracy would be found") func comparator() {
        #expect(error(-6...6, { errorFunction($0) + 4e-6 }) { erf($0) } > 2e-6)
        #expect(error(0...1, { $0 == 1 ? .nan : arcSine($0) }) { asin($0) } == .infinity)
    }

    @Test("limits turn NaN into the lower limit, and the nearest integer has ties to even") func limits() {
        #expect(unit(Float.nan) == 0 && unit(Float(-1)) == 0 && unit(Float(0.25)) == 0.25 && unit(Float.infinity) == 1)
        #expect(limited(Float.nan, -2, 7) == -2 && limited(Float(9), -2, 7) == 7 && limited(Float(1), -2, 7) == 1)
        #expect(nearest(Float(2.5)) == 2 && nearest(Float(3.5)) == 4 && nearest(Float(-0.6)) == -1)
    }
}
