@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// A surface's part of the Wayland protocol ext-background-effect-v1, as a compositor keeps it: what the protocol's
/// description requires of `set_blur_region`, with the regions of the core protocol.
private struct BlurredSurface {
    /// A `wl_region`: the requests that the client has sent, in order.
    struct Requests {
        enum Request {
            case add(Rect)
            case subtract(Rect)
        }

        var list: [Request] = []

        /// The region: each request changes the result of those before.
        var region: Region {
            var region = Region()
            for request in list {
                switch request {
                case .add(let rect): region.formUnion(Region(rect))
                case .subtract(let rect): region.subtract(Region(rect))
                }
            }
            return region
        }

        /// Whether the region contains a pixel, by the definition: the last request that covers the pixel decides.
        func contains(_ x: Int, _ y: Int) -> Bool {
            let pixel = Rect(x: x, y: y, width: 1, height: 1)
            for request in list.reversed() {
                switch request {
                case .add(let rect): if rect.contains(pixel) { return true }
                case .subtract(let rect): if rect.contains(pixel) { return false }
                }
            }
            return false
        }
    }

    private let id: UInt64
    private let effect: Effect
    var place: Rect
    private var pending = Requests()
    private(set) var current = Requests()

    init(id: UInt64, place: Rect, effect: Effect) {
        (self.id, self.place, self.effect) = (id, place, effect)
    }

    /// The region is copied, so the client may change or destroy its `wl_region` afterwards. A NULL region removes the effect.
    mutating func setBlurRegion(_ region: Requests?) { pending = region ?? Requests() }

    /// Destroying the effect object removes the effect with the next commit.
    mutating func destroyEffect() { pending = Requests() }

    /// `wl_surface.commit` applies the pending region.
    mutating func commit() { current = pending }

    /// The panel behind the surface. Frost clips the region to the surface, as the protocol requires.
    var panel: Panel { Panel(place, effect: effect, id: id, region: current.region) }
}

@Suite("regions of ext-background-effect-v1")
struct BackgroundEffectTests {
    private static let (width, height) = (120, 90)

    /// Renders a frame, and compares each pixel with the rules of the protocol. Returns the number of pixels drawn.
    private static func expect(
        _ surface: BlurredSurface, _ stage: inout BackdropStage, shows requests: BlurredSurface.Requests? = nil
    ) throws -> (isRight: Bool, drawn: Int) {
        stage.backdrop.panels = [surface.panel]
        try stage.render(buffer: 1)
        let whole = try Renderer(backend: .cpu, threads: 1)
            .renderNow(stage.picture, surface.panel.placedEffect()).image
        let (place, requests) = (surface.place, requests ?? surface.current)
        var isRight = true
        for y in 0..<height {
            for x in 0..<width {
                let pixel = Rect(x: x, y: y, width: 1, height: 1)
                let isBlurred = place.contains(pixel) && requests.contains(x - place.x, y - place.y)
                let at = 4 * (y * width + x)
                let wanted =
                    isBlurred ? Array(whole.bytes[at..<at + 4]) : [UInt8](repeating: BackdropStage.untouched, count: 4)
                isRight = isRight && Array(stage.target.bytes[at..<at + 4]) == wanted
            }
        }
        return (isRight, stage.report.panelPixels)
    }

    @Test("regions are built by add and subtract, double-buffered, clipped to the surface, and removed by NULL")
    func requests() throws {
        var stage = try BackdropStage(Self.width, Self.height)
        var surface = BlurredSurface(
            id: 3, place: Rect(x: 20, y: 15, width: 70, height: 50), effect: try BackdropStage.gaussian(4))
        // Initially the region is empty.
        #expect(try Self.expect(surface, &stage) == (true, 0))
        var region = BlurredSurface.Requests(list: [
            .add(Rect(x: -10, y: 5, width: 60, height: 30)), .add(Rect(x: 40, y: 20, width: 100, height: 20)),
            .subtract(Rect(x: 10, y: 10, width: 15, height: 100)), .add(Rect(x: 12, y: 12, width: 4, height: 4)),
        ])
        surface.setBlurRegion(region)
        // Nothing is shown before the commit.
        #expect(try Self.expect(surface, &stage) == (true, 0))
        surface.commit()
        #expect(try Self.expect(surface, &stage).isRight && stage.report.panelPixels > 1000)
        #expect(try Self.expect(surface, &stage) == (true, 0))
        // The region was copied: later requests of the client do not count, until it is set again.
        let before = region
        region.list.append(.subtract(Rect(x: 60, y: 25, width: 5, height: 5)))
        region.list.append(.add(Rect(x: 0, y: 45, width: 8, height: 3)))
        surface.commit()
        #expect(try Self.expect(surface, &stage, shows: before) == (true, 0))
        surface.setBlurRegion(region)
        surface.commit()
        // Only the difference is drawn.
        #expect(try Self.expect(surface, &stage) == (true, 8 * 3))
        #expect(Region(stage.report.uncovered) == Region(Rect(x: 80, y: 40, width: 5, height: 5)))
        // The comparison notices another order of the requests, and a region that is not clipped.
        let other = BlurredSurface.Requests(list: region.list.reversed())
        #expect(try !Self.expect(surface, &stage, shows: other).isRight)
        // A surface that moves takes its region along.
        surface.place.x += 6
        #expect(try Self.expect(surface, &stage).isRight && stage.report.panelPixels > 0)
        surface.setBlurRegion(nil)
        surface.commit()
        #expect(try Self.expect(surface, &stage) == (true, 0))
        #expect(!stage.report.uncovered.isEmpty)
        surface.setBlurRegion(region)
        surface.destroyEffect()
        surface.commit()
        #expect(try Self.expect(surface, &stage) == (true, 0))
    }

    @Test("random requests show exactly the pixels that the protocol defines", arguments: 0..<6)
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var stage = try BackdropStage(Self.width, Self.height)
        var surface = BlurredSurface(
            id: 3, place: Rect(x: 10, y: 10, width: 90, height: 60), effect: try BackdropStage.gaussian(4))
        for _ in 0..<12 {
            var requests = BlurredSurface.Requests()
            for _ in 0..<Int.random(in: 0...9, using: &generator) {
                let rect = Rect(
                    x: .random(in: -20...90, using: &generator), y: .random(in: -20...60, using: &generator),
                    width: .random(in: 1...60, using: &generator), height: .random(in: 1...60, using: &generator))
                requests.list.append(.random(using: &generator) ? .add(rect) : .subtract(rect))
            }
            surface.setBlurRegion(requests)
            surface.commit()
            if Bool.random(using: &generator) { surface.place.y += 3 }
            if Bool.random(using: &generator) { try stage.damage(Rect(x: 40, y: 30, width: 9, height: 7)) }
            #expect(try Self.expect(surface, &stage).isRight)
        }
    }
}
