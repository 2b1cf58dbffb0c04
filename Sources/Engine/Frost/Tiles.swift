import FrostCore
import FrostGPU

extension Rect {
    /// Divides the rectangle into the smallest number of tiles whose sides are at most `side`, in rows of tiles.
    func tiles(side: Int) -> [Rect] {
        func cuts(_ range: Range<Int>) -> [Range<Int>] {
            let count = (range.count + side - 1) / side
            return (0..<count).map { range.band($0, of: count) }
        }
        return cuts(rows).flatMap { rows in cuts(columns).map { Rect(columns: $0, rows: rows) } }
    }
}

extension PixelTarget {
    /// Returns the part of the target's memory that holds a tile.
    ///
    /// - Parameters:
    ///   - tile: a part of the region.
    ///   - region: the rectangle that the target holds.
    func tile(_ tile: Rect, of region: Rect) throws(GPUError) -> PixelTarget {
        let layout = unsafe layout
        let offset =
            (tile.y - region.y) * layout.bytesPerRow + (tile.x - region.x) * layout.format.bytesPerPixel
        let part = try rethrow(
            PixelLayout(
                width: tile.width, height: tile.height, format: layout.format, bytesPerRow: layout.bytesPerRow),
            as: { (error: PixelError) in GPUError.invalidPlan(error.description) })
        return unsafe PixelTarget(base + offset, layout: part)
    }
}

extension GPUReport {
    /// Adds the report of another tile.
    mutating func add(_ other: GPUReport) {
        // The sum of the GPU times is unknown if the time of one tile is unknown.
        gpuSeconds = passes == 0 ? other.gpuSeconds : gpuSeconds.flatMap { sum in other.gpuSeconds.map { sum + $0 } }
        passes += other.passes
        shaders.formUnion(other.shaders)
        formats.formUnion(other.formats)
        degradedPrecision = degradedPrecision ?? other.degradedPrecision
        bytesUploaded += other.bytesUploaded
        bytesRead += other.bytesRead
        uploadSeconds += other.uploadSeconds
        drawSeconds += other.drawSeconds
        newPrograms += other.newPrograms
        programSeconds += other.programSeconds
        readSeconds += other.readSeconds
    }
}
