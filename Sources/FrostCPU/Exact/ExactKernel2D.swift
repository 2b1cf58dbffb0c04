import FrostCore

/// Kernels that are not separable, carried out in Double by what ``Kernel2D`` says of them.
enum ExactKernel2D {
    /// - Parameter channels: what is computed, and returned.
    /// - Throws: ``CPUError/cancelled``, or ``CPUError/pixels(_:)`` if the source is not sized as the extent.
    /// - Complexity: O(pixels * runs), or for a zoom O(pixels * samples).
    @unsafe static func render(
        _ kernel2D: Kernel2D, source: PixelSource, extent: Rect, region: Rect, channels: ChannelLayout, threads: Int,
        cancellation: Cancellation?
    ) throws(CPUError) -> ExactImage {
        let values = try unsafe ExactSeparable.values(source, extent: extent, channels: channels)
        let image = ExtendedImage(
            values, extent: extent, count: channels.count,
            columns: kernel2D.reach(of: region.columns, along: .x), rows: kernel2D.reach(of: region.rows, along: .y),
            edge: kernel2D.edge)
        let result = SharedDoubles(count: region.width * region.height * channels.count)
        let next = TileCounter()
        let sums: RunSums? = if case .runs(let runs) = kernel2D.reads { RunSums(runs, image) } else { nil }
        Workers.shared.run(max(1, min(threads, region.height))) { _ in
            while true {
                let row = next.take()
                guard row < region.height, cancellation?.isCancelled != true else { return }
                let line =
                    switch kernel2D.reads {
                    case .runs: sums?.row(region.y + row, region.columns) ?? []
                    case .zoom(let zoom): zoomed(zoom, image, region.y + row, region.columns)
                    }
                for (index, value) in line.enumerated() { result.set(row * line.count + index, value) }
            }
        }
        if cancellation?.isCancelled == true { throw .cancelled }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: result.array)
    }

    private static func zoomed(_ zoom: Kernel2D.Zoom, _ image: ExtendedImage, _ y: Int, _ columns: Range<Int>)
        -> [Double]
    {
        let count = image.count
        return columns.flatMap { x -> [Double] in
            let (dx, dy) = (zoom.centerX - Double(x), zoom.centerY - Double(y))
            let steps = max(abs(dx), abs(dy))
            let (inward, outward) = (zoom.inward * steps, zoom.outward * steps)
            // Columns or rows, one a step.
            let (stepX, stepY) = steps > 0 ? (dx / steps, dy / steps) : (0, 0)
            var sums = [Double](repeating: 0, count: count)
            var total = 0.0
            for k in -Int((outward + 0.5).rounded(.down))...Int((inward + 0.5).rounded(.down)) {
                var weight = min(Double(k) + 0.5, inward) - max(Double(k) - 0.5, -outward)
                if inward + outward == 0 { weight = 1 }
                guard weight > 0 else { continue }
                let (sampleX, sampleY) = (Double(x) + Double(k) * stepX, Double(y) + Double(k) * stepY)
                let (left, top) = (Int(sampleX.rounded(.down)), Int(sampleY.rounded(.down)))
                let (partX, partY) = (sampleX - Double(left), sampleY - Double(top))
                total += weight
                for c in 0..<count {
                    let above = image[left, top, c] * (1 - partX) + image[left + 1, top, c] * partX
                    let below = image[left, top + 1, c] * (1 - partX) + image[left + 1, top + 1, c] * partX
                    sums[c] += weight * (above * (1 - partY) + below * partY)
                }
            }
            return sums.map { $0 / total }
        }
    }
}

/// An image and what its edge mode puts around it.
private struct ExtendedImage: Sendable {
    let values: [Double]
    let width: Int
    /// Samples per pixel.
    let count: Int
    let columns: Range<Int>
    let rows: Range<Int>
    /// For each column and row its place in the image; negative for transparent black.
    private let columnPlaces: [Int]
    private let rowPlaces: [Int]

    init(_ values: [Double], extent: Rect, count: Int, columns: Range<Int>, rows: Range<Int>, edge: EdgeMode) {
        self.values = values
        self.count = count
        self.columns = columns
        self.rows = rows
        width = extent.width
        columnPlaces = columns.map { edge.map($0, into: extent.columns).map { $0 - extent.x } ?? -1 }
        rowPlaces = rows.map { edge.map($0, into: extent.rows).map { $0 - extent.y } ?? -1 }
    }

    subscript(x: Int, y: Int, c: Int) -> Double {
        let (column, row) = (columnPlaces[x - columns.lowerBound], rowPlaces[y - rows.lowerBound])
        return column < 0 || row < 0 ? 0 : values[(row * width + column) * count + c]
    }

    /// The row of the image; nil for transparent black.
    func place(_ y: Int) -> Int? {
        let place = rowPlaces[y - rows.lowerBound]
        return place < 0 ? nil : place
    }

    /// For each row of the image, the sums of all that lies before each sample.
    var sums: [[Double]] {
        (0..<values.count / (width * count)).map { row in
            var sums = [Double](repeating: 0, count: (columnPlaces.count + 1) * count)
            for (index, column) in columnPlaces.enumerated() {
                for c in 0..<count {
                    let value = column < 0 ? 0 : values[(row * width + column) * count + c]
                    sums[(index + 1) * count + c] = sums[index * count + c] + value
                }
            }
            return sums
        }
    }
}

/// Averages of runs, each the difference of two sums.
private struct RunSums: Sendable {
    private let runs: [Kernel2D.Run]
    private let image: ExtendedImage
    private let sums: [[Double]]

    init(_ runs: [Kernel2D.Run], _ image: ExtendedImage) {
        self.runs = runs
        self.image = image
        sums = image.sums
    }

    func row(_ y: Int, _ columns: Range<Int>) -> [Double] {
        let count = image.count
        var out = [Double](repeating: 0, count: columns.count * count)
        for run in runs {
            guard let place = image.place(y + run.dy) else { continue }
            let first = (columns.lowerBound + run.dx - image.columns.lowerBound) * count
            let end = first + run.count * count
            let line = sums[place]
            for index in out.indices { out[index] += run.weight * (line[end + index] - line[first + index]) }
        }
        return out
    }
}
