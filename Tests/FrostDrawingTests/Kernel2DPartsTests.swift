import FrostCore
import FrostTestSupport
import Testing

@testable import FrostDrawing

struct Kernel2DPartsTests {
    @Test("parts cover the output once, edges apart, none with more reads than allowed but for single rows")
    func parts() throws {
        let extent = Rect(x: 0, y: 0, width: 70, height: 50)
        for kernel in [
            try DiscBlur(radius: 4.2) as any Blur, try MotionBlur(radius: 9, angle: 0.3),
            try ZoomBlur(scales: 0.5...1.2),
        ] {
            for region in [extent, Rect(x: -9, y: 20, width: 60, height: 37)] {
                let plan = try Effect(name: "one", blur: kernel).plan(extent: extent, region: region)
                guard case .kernel2D(let kernel2D) = plan.work else {
                    Issue.record("\(plan)")
                    continue
                }
                for limit in [1, 5000, 1e9] {
                    var covered = [Int](repeating: 0, count: region.width * region.height)
                    for part in kernel2D.parts(in: plan, limit: limit) {
                        #expect(part.reads <= limit || part.rows.count == 1)
                        for y in part.rows {
                            for x in part.columns {
                                covered[y * region.width + x] += 1
                                let reach = Rect(
                                    columns: kernel2D.reach(of: region.x + x..<region.x + x + 1, along: .x),
                                    rows: kernel2D.reach(of: region.y + y..<region.y + y + 1, along: .y))
                                #expect(part.hasEdges || extent.contains(reach))
                            }
                        }
                    }
                    #expect(covered.allSatisfy { $0 == 1 })
                }
                #expect(kernel2D.parts(in: plan, limit: 1e9).count <= 5)
            }
        }
    }
}
