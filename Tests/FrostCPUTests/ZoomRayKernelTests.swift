import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU

/// A zoom of a grid of floats, for the twin of the kernel that sums along rays.
private struct RayTwin {
    let grid: [[Float]]
    /// The column and the row of the grid at which the first pixel of the image lies.
    let margin: Int
    let centre: (x: Double, y: Double)
    let inward, outward: Double
    let far: Double
    let scale: Float
    let channels: Int

    private static let rays = Int(FROST_ZOOM_RAYS)
    private var spacing: Double { 1 / (far * Double(FROST_ZOOM_RAYS_PER_PIXEL)) }

    private func number(_ along: Int, _ across: Int, _ isAlongRow: Bool, _ channel: Int) -> Float {
        let (x, y) = isAlongRow ? (along, across) : (across, along)
        let place = isAlongRow ? min(max(y, -margin), grid.count - margin - 1) : y
        let column = isAlongRow ? x : min(max(x, -margin), grid[0].count / channels - margin - 1)
        return grid[place + margin][(column + margin) * channels + channel]
    }

    /// Computes one number of the pixel (x, y) from the two rays beside it.
    func value(_ x: Int, _ y: Int, channel: Int) -> Float {
        let isAlongRow = abs(Double(x) - centre.x) >= abs(Double(y) - centre.y)
        let (along, across) = isAlongRow ? (centre.x, centre.y) : (centre.y, centre.x)
        let (place, pixel) = isAlongRow ? (x, y) : (y, x)
        let distance = abs(Double(place) - along)
        let side = Double(place) > along ? 1 : -1
        // The slope of ray 0 of the pixel's wedge.
        let wedge = Double(Self.rays) * spacing
        var index = ((Double(pixel) - across) / distance / wedge).rounded(.down)
        if Double(pixel) < across + index * wedge * distance { index -= 1 }
        if Double(pixel) >= across + (index + 1) * wedge * distance { index += 1 }
        let low = index * wedge
        let position = (Double(pixel) - (across + low * distance)) * (1 / (spacing * distance))
        let ray = min(Int(position), Self.rays - 1)
        let part = Float(position - Double(ray))

        let (towards, away) = (inward * distance, outward * distance)
        let fullIn = towards >= 0.5 ? Int(towards - 0.5) : 0
        let fullOut = away >= 0.5 ? Int(away - 0.5) : 0
        var sums: [Int32] = [0, 0]
        var bends: [(change: Float, part: Float)] = []
        for step in -fullIn...fullOut {
            let column = place + side * step
            let distance = abs(Double(column) - along)
            let base = across + low * distance
            let below = Int(base.rounded(.down))
            let offset = Float(base - base.rounded(.down))
            let height = Float(spacing * distance)
            let rays = 1 / height
            var found: [(change: Float, part: Float)] = []
            var (i, first) = (0, 0)
            while first <= Self.rays {
                let (before, after, next) = (
                    number(column, below + i, isAlongRow, channel), number(column, below + i + 1, isAlongRow, channel),
                    number(column, below + i + 2, isAlongRow, channel)
                )
                let bend = (Float(i + 1) - offset) * rays
                let end = bend > Float(Self.rays) ? Self.rays + 1 : Int(bend.rounded(.up))
                let difference = after - before
                let origin = (before + difference * (offset - Float(i))) * scale + 0.5
                let change = difference * (height * scale)
                for neighbour in 0..<2 where (first..<max(end, first)).contains(ray + neighbour) {
                    let product = Float(ray + neighbour) * change
                    sums[neighbour] &+= Int32(origin + product)
                }
                if end <= Self.rays, end - 1 == ray {
                    found.append((((next - after) - difference) * height, bend - Float(end - 1)))
                }
                (first, i) = (max(first, end), i + 1)
            }
            bends.insert(contentsOf: found.reversed(), at: 0)
        }
        var sum = Float(sums[0])
        let rise = (Float(sums[1]) - sum) * part
        sum = (sum + rise) * (1 / scale)
        for bend in bends {
            let product = bend.change * (min(part, bend.part) - part * bend.part)
            sum -= product
        }
        let own = Float(min(towards, 0.5) + min(away, 0.5))
        let rest = number(place, pixel, isAlongRow, channel) * (own - 1)
        sum += rest
        let slope = Float(across - Double(pixel)) / Float(distance)
        for (full, length, direction) in [(fullIn, towards, 1), (fullOut, away, -1)] {
            let weight = Float(length - (Double(full) + 0.5))
            guard weight > 0 else { continue }
            let k = full + 1
            let offset = Float(k) * (direction > 0 ? slope : -slope)
            let below = Int(offset.rounded(.down))
            let column = place - side * direction * k
            let (first, second) = (
                number(column, pixel + below, isAlongRow, channel),
                number(column, pixel + below + 1, isAlongRow, channel)
            )
            let difference = (second - first) * (offset - Float(below))
            let product = (first + difference) * weight
            sum += product
        }
        return sum / Float(towards + away)
    }
}

/// Compares the sums along rays of a zoom with a scalar twin and with the samples of each line.
struct ZoomRayKernelTests {
    @Test("sums along rays", arguments: 1...4) func rays(channels: Int) {
        var check = KernelCheck(placements: [Placement(atEnd: true, shift: 0), Placement(atEnd: false, shift: 1)])
        var values = KernelValues(seed: UInt64(channels) + 20)
        let (width, height, margin) = (43, 31, 44)
        for (centre, inward, outward) in [
            ((21.0, 15.0), 0.3, 0.0), ((20.5, 15.5), 1, 0), ((3.1, 30.77), 0.25, 0.5), ((-0.5, -0.5), 0, 1),
            ((41.3, 2.9), 0.4, 0.004),
        ] {
            let grid = values.rows(height + 2 * margin + 1) { values in
                values.bytes((width + 2 * margin + 1) * channels).map { Float($0) }
            }
            for (near, far, block) in [(5.0, 16.0, 13..<17), (16, 32, 0..<4), (16, 32, 27..<31), (32, 64, 4..<7)] {
                let twin = RayTwin(
                    grid: grid, margin: margin, centre: (x: centre.0, y: centre.1), inward: inward, outward: outward,
                    far: far, scale: 4096, channels: channels)
                let length = width * channels
                // Pixels at other distances keep their numbers.
                let expected = (0..<block.count * length).map { index -> Float in
                    let (x, y) = (index % length / channels, block.lowerBound + index / length)
                    let distance = max(abs(Double(x) - centre.0), abs(Double(y) - centre.1))
                    return distance >= near && distance < far ? twin.value(x, y, channel: index % channels) : -1
                }
                check.context =
                    "\(channels) channels, centre \(centre), \(inward) and \(outward), \(near)..<\(far), rows \(block)"
                unsafe check.expect(expected, "zoom_rays") { table, memory, out in
                    for index in expected.indices { unsafe out[index] = -1 }
                    let rows = unsafe memory.rows(grid).map { unsafe $0.map { unsafe $0 + margin * channels } }
                    var starts = [Int32](repeating: 0, count: 8 * width * height)
                    var bends = [frost_zoom_bend](
                        repeating: frost_zoom_bend(), count: (width + 2 * margin) * Int(FROST_ZOOM_RAYS))
                    var links = [Int32](repeating: -1, count: bends.count)
                    unsafe rows.withUnsafeBufferPointer { rows in
                        unsafe starts.withUnsafeMutableBufferPointer { starts in
                            unsafe bends.withUnsafeMutableBufferPointer { bends in
                                unsafe links.withUnsafeMutableBufferPointer { links in
                                    var zoom = unsafe frost_zoom_rays()
                                    unsafe zoom.rows = rows.baseAddress.map { unsafe $0 + margin }
                                    unsafe (zoom.read_first_column, zoom.read_first_row) = (
                                        Int32(-margin), Int32(-margin)
                                    )
                                    unsafe zoom.read_end_column = Int32(width + margin + 1)
                                    unsafe zoom.read_end_row = Int32(height + margin + 1)
                                    unsafe zoom.end_column = Int32(width)
                                    unsafe (zoom.first_row, zoom.end_row) = (
                                        Int32(block.lowerBound), Int32(block.upperBound)
                                    )
                                    unsafe (zoom.out, zoom.out_stride) = (out, Int32(length))
                                    unsafe zoom.channels = Int32(channels)
                                    unsafe (zoom.centre_x, zoom.centre_y) = centre
                                    unsafe (zoom.inward, zoom.outward) = (inward, outward)
                                    unsafe (zoom.near, zoom.far, zoom.scale) = (near, far, 4096)
                                    unsafe (zoom.starts, zoom.bends) = (starts.baseAddress, bends.baseAddress)
                                    unsafe zoom.links = links.baseAddress
                                    unsafe table.zoom_rays(&zoom)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
