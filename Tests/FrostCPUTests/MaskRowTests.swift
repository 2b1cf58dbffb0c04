import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares rows of mask values with the definition of the mask.
struct MaskRowTests {
    @Test("the values of a circle, with every instruction set")
    func circle() {
        var check = KernelCheck()
        for (first, count) in [(0, 1), (-7, 33), (100, 64), (1 << 20, 257)] {
            check.context = "\(count) from \(first) on"
            let (start, step, square, lowest, slope) = (Float(-0.4), Float(0.003), Float(0.01), Float(0.1), Float(7))
            let expected = (first..<first + count).map { x in
                let dx = start + Float(x) * step
                let t = min(max(((dx * dx + square).squareRoot() - lowest) * slope, 0), 1)
                return t * t * (3 - 2 * t)
            }
            unsafe check.expect(expected, "circle_parts") { table, _, out in
                unsafe table.circle_parts(out, Int32(first), Int32(count), start, step, square, lowest, slope)
            }
        }
    }

    @Test("the values of a ramp, with every instruction set")
    func ramp() {
        var check = KernelCheck()
        for (first, count) in [(0, 1), (-7, 33), (100, 64), (1 << 20, 257)] {
            check.context = "\(count) from \(first) on"
            let (start, step) = (0.4 - Double(first) / 91, 1.0 / 91)
            let expected = (first..<first + count).map { min(max(Float(start + Double($0) * step), 0), 1) }
            unsafe check.expect(expected, "ramp_parts") { table, _, out in
                unsafe table.ramp_parts(out, Int32(first), Int32(count), start, step)
            }
        }
    }

    @Test("an enlarged row of a mask, with every instruction set")
    func stretched() {
        var check = KernelCheck()
        var values = KernelValues(seed: 5)
        for count in [1, 15, 33, 257] {
            for scale in [1, 0.97, 0.25, 0.01] {
                check.context = "\(count) elements, scale \(scale)"
                let row = (0..<count + RowStorage.slack).map { _ in values.between(0, 1) }
                let weights = (0..<count + RowStorage.slack).map { _ in values.between(0, 1) }
                let lefts = (0..<count + RowStorage.slack).map { Int32(Double(min($0, count - 1)) * scale) }
                let expected = (0..<count).map { i in
                    let left = row[Int(lefts[i])]
                    return left + (row[Int(lefts[i]) + 1] - left) * weights[i]
                }
                unsafe check.expect(expected, "stretch_row") { table, _, out in
                    unsafe table.stretch_row(row, lefts, weights, out, Int32(count))
                }
            }
        }
    }

    private let stops: [Mask.Ramp.Stop] = [
        .init(0.1, 0.4), .init(0.3, 1), .init(0.3, 0), .init(0.6, 0), .init(0.9, 0.7), .init(0.9, 1),
    ]

    @Test("every mask is its definition, in any part of a row")
    func definition() throws {
        let image = MaskImage(
            try TestImage.make(7, 5, PixelFormat(.grey)) { x, y, _ in
                x < 2 ? 0 : x > 4 ? 1 : Double((3 * x + 5 * y) % 7) / 6
            })
        let narrow = MaskImage(try TestImage.make(1, 1, PixelFormat(.grey)) { _, _, _ in 0.3 })
        let masks: [(Mask, MaskImage?)] = [
            (.image, image), (.image, narrow), (.band(Mask.Band(top: 0.4, bottom: 0.6, falloff: 0.2)), nil),
            (.circle(Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.3, border: 0.1)), nil),
            (.circle(Mask.Circle(centerX: 0.4, centerY: 0.6, radius: 0.3, border: 0)), nil),
            (.ramp(Mask.Ramp(from: 0.2, to: 0.7)), nil), (.ramp(Mask.Ramp(from: 0.9, to: 0.1, angle: 30)), nil),
            (.ramp(Mask.Ramp(from: 0.4, to: 0.4, angle: 120)), nil),
            (.ramp(Mask.Ramp(stops: stops)), nil), (.ramp(Mask.Ramp(stops: stops, angle: -70)), nil),
            (.ramp(Mask.Ramp(stops: stops, angle: 180)), nil),
        ]
        let extent = Rect(x: -20, y: 30, width: 333, height: 47)
        for (mask, image) in masks {
            for columns in [extent.columns, 5..<90, 200..<313] {
                let rows = try MaskRows(mask, columns: columns, extent: extent, image: image)
                for y in extent.rows {
                    for part in [0..<columns.count, 3..<40, columns.count - 9..<columns.count] {
                        var parts = [Float](repeating: .nan, count: columns.count + RowStorage.slack)
                        let whole = unsafe rows.values(y, part, into: &parts)
                        for i in part {
                            let expected = mask.value(x: columns.lowerBound + i, y: y, extent: extent, image: image)
                            let found = whole ?? parts[i]
                            guard abs(Double(found) - expected) < 1e-5 else {
                                Issue.record("\(mask) at \(i),\(y) of \(columns): \(found) instead of \(expected)")
                                return
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("the length of a run of equal values, or of other ones")
    func ends() {
        for length in [0, 1, 15, 16, 17, 40, 100] {
            for start in 0..<3 {
                let list = (0..<120).map { $0 < start + length ? Float(1) : 0 }
                unsafe list.withUnsafeBufferPointer { list in
                    guard let elements = list.baseAddress else { return }
                    unsafe #expect(elements.end(start..<120, of: 1, true) == start + length)
                    unsafe #expect(elements.end(start..<120, of: 0, false) == start + length)
                    unsafe #expect(elements.end(start..<start + length, of: 1, true) == start + length)
                    unsafe #expect(elements.end(start..<120, of: 0, true) == (length == 0 ? 120 : start))
                }
            }
        }
    }
}
