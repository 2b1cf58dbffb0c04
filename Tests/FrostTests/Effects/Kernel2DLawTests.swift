@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests laws that disc, motion and zoom blurs obey.
struct Kernel2DLawTests {
    @Test("a surface of one colour stays as it is", arguments: Worker.wanted) func constant(worker: Worker) throws {
        let renderer = try worker.renderer()
        for one in Kernel2DTests.cases {
            for edge in [EdgeMode.clamp, .mirror, .repeat] {
                for format in [PixelFormat(.rgba), PixelFormat(.rgb, .u16)] {
                    let image = try TestImage.make(53, 41, format) { _, _, channel in
                        [0.2, 0.6, 1, 1][channel]
                    }
                    let result = try renderer.renderNow(image, one.effect(edge)).image
                    let tolerance = Tolerance("constant", steps: Tolerance.steps16In8, reason: "one rounding")
                    try expectClose(result, image, within: tolerance, "\(one.name) \(edge)")
                }
            }
        }
    }

    @Test("an impulse is drawn as the kernel: its sum is 1, a disc is round and a line is straight")
    func impulse() throws {
        let renderer = try Renderer(backend: .cpu, threads: 1)
        let image = try TestImage.make(.impulse, 61, 61, PixelFormat(.grey, .f32))
        for one in [Kernel2DTests.disc(9.3), Kernel2DTests.motion(17.4, 0.6)] {
            let rows = SampleRows(try renderer.renderNow(image, one.effect(.clamp)).image)
            let pixels = (0..<61).map { rows[$0] }
            #expect(abs(pixels.joined().reduce(0, +) - 1) < 1e-5)
            for y in 0..<61 {
                for x in 0..<61 {
                    // Both kinds of kernel stay the same if they are rotated by 180 degrees.
                    #expect(abs(pixels[y][x] - pixels[60 - y][60 - x]) < 1e-8)
                    if one.name.hasPrefix("disc") { #expect(abs(pixels[y][x] - pixels[x][y]) < 1e-8) }
                }
            }
        }
    }

    /// If the radius grows by 1/100 of a pixel, the kernel changes by at most the added area or length. If the radius were
    /// rounded to whole pixels, the kernel would change by a whole pixel in a single step.
    @Test("radius and angle may be animated: no step is larger than the new part")
    func animation() throws {
        func moved(_ a: [KernelRun], _ b: [KernelRun]) -> Double {
            var weights: [[Int]: Double] = [:]
            for (runs, sign) in [(a, 1.0), (b, -1.0)] {
                for run in runs {
                    for i in 0..<run.count { weights[[run.dx + i, run.dy], default: 0] += sign * run.weight }
                }
            }
            return weights.values.reduce(0) { $0 + abs($1) }
        }
        var (worst, rounded) = (0.0, 0.0)
        for step in 50..<900 {
            let (radius, next) = (Double(step) / 100, Double(step + 1) / 100)
            // The added ring gains weight, and all other pixels together lose the same weight. So the total change is twice
            // the ring's share of the area.
            let disc = moved(try DiscBlur(radius: radius).runs, try DiscBlur(radius: next).runs)
            #expect(disc <= 2 * (next * next - radius * radius) / (radius * radius) + 0.01, "\(radius)")
            let line = moved(try MotionBlur(radius: radius).runs, try MotionBlur(radius: next).runs)
            #expect(line <= 2 * (next - radius) / radius + 1e-9, "\(radius)")
            worst = max(worst, radius > 2 ? line : 0)
            let whole = moved(
                try MotionBlur(radius: radius.rounded()).runs, try MotionBlur(radius: next.rounded()).runs)
            rounded = max(rounded, radius > 2 ? whole : 0)
        }
        #expect(rounded > 5 * worst)
        for degree in 0..<3600 {
            let angle = Double(degree) * .pi / 1800
            let turned = try MotionBlur(radius: 10, angle: angle + .pi / 1800).runs
            // A turn by 1/10 degree moves a sample at a distance of 10 pixels by about 1/50 of a pixel. On average over
            // the line, the samples move by half of this distance. The weights of the four pixels around a sample
            // change in proportion to the sample's movement.
            #expect(moved(try MotionBlur(radius: 10, angle: angle).runs, turned) <= 0.05, "\(degree)")
        }
    }

    @Test("a zoom shows no copies of an edge: the edge falls evenly over the distance that it is smeared")
    func evenZoom() throws {
        // The picture is black up to column 299 and white from column 300 on. The centre of the zoom lies on the left edge.
        let image = try TestImage.make(400, 21, PixelFormat(.grey, .f32)) { x, _, _ in x < 300 ? 0 : 1 }
        let blur = try ZoomBlur(centerX: 0, centerY: 0.5, scales: 0.8...1)
        let rows = SampleRows(
            try Renderer(backend: .cpu, threads: 1).renderNow(image, Effect(name: "zoom", blur: blur)).image)
        for y in [0, 10, 20] {
            let row = rows[y]
            let steps = (302..<373).map { row[$0 + 1] - row[$0] }
            // The output pixel at column x is the mean of columns 0.8 x to x. Its white part grows from 0 at x = 300 to 1 at
            // x = 375. It grows a little less with each pixel.
            for (step, next) in zip(steps, steps.dropFirst()) {
                #expect(step > 0.008 && step < 0.02 && abs(next - step) < 0.002, "row \(y)")
            }
        }
    }
}
