import FrostTestSupport
import Testing

@testable import FrostCore

struct BoxPlanTests {
    @Test("widths are odd, 1 to 2001, passes 1 to 3; others are refused with name, value and range")
    func ranges() throws {
        for width in [-1, 0, 2003, .max, .min] {
            let refused = ParameterError.outOfRange(parameter: "width y", value: Double(width), allowed: 1...2001)
            #expect(throws: refused) { try BoxBlur(widthX: 3, widthY: width) }
        }
        for width in [2, 2000] {
            let refused = ParameterError.malformed(parameter: "width x", value: "\(width)", expected: "an odd number")
            #expect(throws: refused) { try BoxBlur(width: width) }
        }
        for passes in [0, 4] {
            let refused = ParameterError.outOfRange(parameter: "passes", value: Double(passes), allowed: 1...3)
            #expect(throws: refused) { try BoxBlur(width: 3, passes: passes) }
        }
        for width in [1, 2001] { #expect(try BoxBlur(width: width, passes: 3).width(.y) == width) }
        let radius = ParameterError.malformed(parameter: "radius", value: "2.5", expected: "a whole number")
        #expect(throws: radius) { try EffectCatalog.effect("box").make(["radius": .number(2.5)]) }
        #expect(throws: ParameterError.self) { try EffectCatalog.effect("box").make(["passes": .number(4)]) }
    }

    @Test("a plan is a convolution of equal taps for each pass and axis, each with the blur's edge")
    func structure() throws {
        let extent = Rect(x: -7, y: 11, width: 100, height: 60)
        for edge in EdgeMode.allCases {
            let plan = try BoxBlur(widthX: 9, widthY: 21, passes: 3, edge: edge).plan(extent: extent)
            #expect(plan.passes.map(\.axis) == [.x, .x, .x, .y, .y, .y])
            #expect(plan.passes.allSatisfy { $0.edge == EdgeRule(edge) })
            for pass in plan.passes {
                let width = pass.axis == .x ? 9 : 21
                let taps = [Float](repeating: 1 / Float(width), count: width)
                #expect(pass.operation == .convolve(taps: taps))
            }
            // A pass produces pixels outside the image only with transparent edges. Each pass then extends the image by one
            // radius.
            let spill = edge == .clear
            #expect(plan.slots[0].window.columns == (spill ? -11..<97 : extent.columns))
            #expect(plan.slots[3].window.rows == (spill ? 1..<81 : extent.rows))
            #expect(plan.slots[2].window.columns == extent.columns)
            #expect(plan.errorBound < 0.001)
        }
    }

    @Test("a tile needs no more than it reads")
    func tile() throws {
        let extent = Rect(x: 0, y: 0, width: 1000, height: 1000)
        let plan = try BoxBlur(width: 11, passes: 2).plan(
            extent: extent, region: Rect(x: 500, y: 0, width: 10, height: 10))
        #expect(plan.slots[0].window == Rect(columns: 495..<515, rows: 0..<20))
        #expect(plan.slots[2].window == Rect(columns: 500..<510, rows: 0..<15))
    }

    @Test("boxes of one pixel are copied")
    func copy() throws {
        let extent = Rect(x: 0, y: 0, width: 10, height: 10)
        #expect(try BoxBlur(width: 1, passes: 3).plan(extent: extent).passes.isEmpty)
        let outside = try BoxBlur(width: 1, passes: 3).plan(
            extent: extent, region: Rect(x: -1, y: 0, width: 5, height: 5))
        #expect(outside.passes.map(\.operation) == [.convolve(taps: [1])])
        #expect(throws: ParameterError.self) {
            try BoxBlur(width: 3).plan(extent: Rect(x: 0, y: 0, width: 0, height: 1))
        }
    }
}
