@testable import FrostCore
import FrostExact
import FrostTestSupport
import Testing

/// Tests the parts of images that a frame of a transition reads. The exact backend knows nothing of them.
@Suite struct TransitionWindowTests {
    static let names = TransitionCatalog.all.map(\.name)

    /// An image whose content is replaced outside its window.
    enum Changed: CaseIterable {
        case source, target, backside
    }

    /// A random frame of a region.
    struct Frame {
        let transition: Transition
        let plan: TransitionPlan
        let time: Double
        let region: Rect
        let sizes: [Changed: Rect]
        let format: PixelFormat

        init(_ name: String, using generator: inout SeededGenerator) throws {
            func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
            func rect(_ sides: ClosedRange<Int>) -> Rect { Rect(x: 0, y: 0, width: whole(sides), height: whole(sides)) }
            var transition = try TransitionCatalog.transition(name).random(using: &generator)
            sizes = [.source: rect(5...40), .target: rect(5...40), .backside: rect(1...50)]
            if whole(0...2) > 0 {
                transition.extent = Rect(
                    x: whole(-20...20), y: whole(-20...20), width: whole(1...60), height: whole(1...60))
            }
            self.transition = transition
            time = generator.unit() * 0.999 + 0.0005
            // The smaller a region is, the better its window is known.
            let side = whole(0...1) == 0 ? 1 : whole(1...12)
            region = Rect(x: whole(-3...35), y: whole(-3...35), width: side, height: side)
            // The shadow of a disintegrating image depends on all of its alpha.
            format = PixelFormat(transition.extraImages.contains(.mask) ? .rgb : .rgba, .f32)
            plan = try transition.plan(
                at: time, from: try #require(sizes[.source]), to: try #require(sizes[.target]), region: region)
        }

        /// Returns the frame, with other content outside the windows of an image.
        func drawn(_ changed: Changed? = nil, outside windows: [Rect] = []) throws -> [Double] {
            func image(_ image: Changed, seed: UInt64) throws -> PixelBuffer {
                let size = try #require(sizes[image])
                let (noise, other) = (SeededNoise(seed: seed), SeededNoise(seed: seed + 100))
                return try TestImage.make(size.width, size.height, format) { x, y, channel in
                    let isKept = changed != image || windows.contains { $0.columns.contains(x) && $0.rows.contains(y) }
                    return (isKept ? noise : other).value(x, y, channel)
                }
            }
            let used = transition.extraImages
            return try transition.exact(
                at: time,
                TransitionPictures(
                    image(.source, seed: 1), image(.target, seed: 2),
                    mask: used.contains(.mask)
                        ? MaskImage(try TestImage.make(.uniformNoise, 13, 9, PixelFormat(.grey), seed: 5)) : nil,
                    backside: used.contains(.backside) && hasBackside ? image(.backside, seed: 3) : nil),
                region: region
            ).values
        }

        /// Whether a page has an image on its back. A third of the frames have none.
        var hasBackside: Bool { region.x % 3 != 0 }

        func windows(of image: Changed) -> [Rect] {
            let windows = plan.windows(backside: hasBackside ? sizes[.backside] : nil)
            return switch image {
            case .source: windows.source
            case .target: [windows.target]
            case .backside: [windows.backside].compactMap(\.self)
            }
        }
    }

    /// Other content outside the windows changes no pixel. If windows are a pixel smaller, some frames change.
    @Test(arguments: names) func windowsContainAllThatIsRead(_ name: String) throws {
        var generator = SeededGenerator(seed: 51)
        var noticed: [Changed: Int] = [:]
        // The back of a page is rarely in the region.
        let isPage = name.hasPrefix("page-curl")
        for _ in 0..<(TestCases.every ? 5000 : isPage ? 1200 : 300) {
            let frame = try Frame(name, using: &generator)
            let whole = try frame.drawn()
            for image in Changed.allCases {
                let windows = frame.windows(of: image)
                #expect(windows.allSatisfy { !$0.isEmpty && frame.sizes[image]?.contains($0) == true })
                let changed = try frame.drawn(image, outside: windows)
                guard changed == whole else {
                    Issue.record("\(image) outside \(windows): \(frame)")
                    return
                }
                // Each side is moved inwards by turns.
                let side = Int.random(in: 0..<4, using: &generator)
                let smaller = windows.map { window in
                    var window = window
                    if side < 2 { window.width -= 1 } else { window.height -= 1 }
                    if side == 1 { window.x += 1 } else if side == 3 { window.y += 1 }
                    return window
                }
                if try frame.drawn(image, outside: smaller) != whole { noticed[image, default: 0] += 1 }
            }
        }
        for image in Changed.allCases where image != .backside || isPage {
            #expect(noticed[image, default: 0] > 0, "\(image): \(noticed)")
        }
    }

    /// Bars and pages that are far apart are read at two windows, which do not grow with the distance.
    @Test func farPartsHaveTwoWindows() throws {
        let bars = try TransitionCatalog.transition("bars-swipe").make(parsing: "angle=0 width=9 bar-offset=5000")
        let size = Rect(x: 0, y: 0, width: 9000, height: 100)
        // The second bar has not started yet, and the first one has moved by 4500 pixels.
        let time = (4500 / (9000 + 11 * 5000.0)).squareRoot()
        let border = Rect(x: 8000, y: 5, width: 30, height: 8)
        let windows = try bars.plan(at: time, from: size, to: size, region: border).windows(backside: nil)
        #expect(windows.source.count == 2)
        #expect(windows.longestSide < 40)
        #expect(windows.source.map(\.x).max() ?? 0 > 7990)
        #expect(windows.source.map(\.x).min() ?? 0 < 3510)

        let curl = try TransitionCatalog.transition("page-curl").make(parsing: "angle=0 radius=1000")
        let page = try curl.plan(at: 0.5, from: size, to: size, region: Rect(x: 4200, y: 5, width: 20, height: 20))
        #expect(page.windows(backside: nil).source.count == 2)
        let backside = try #require(page.windows(backside: Rect(x: 0, y: 0, width: 900, height: 10)).backside)
        #expect(backside.width < 10 && backside.height < 10)
    }

    /// A pixel reads a few pixels, whatever the parameters are.
    @Test(arguments: names) func aPixelReadsFewPixels(_ name: String) throws {
        var generator = SeededGenerator(seed: 52)
        for _ in 0..<2000 {
            let frame = try Frame(name, using: &generator)
            let pixel = Rect(x: frame.region.x, y: frame.region.y, width: 1, height: 1)
            let windows = frame.plan.part(pixel).windows(backside: frame.sizes[.source])
            #expect(windows.source.count <= 2)
            #expect(windows.longestSide <= 6, "\(frame)")
        }
    }
}
