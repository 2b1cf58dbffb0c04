public import FrostCore

/// A mosaic with an optional random change of each cell's colours, computed from its definition: each pixel becomes the mean
/// of its square cell, or of the nearest cell that lies in the image as a whole. If the image is smaller than a cell, its edge
/// pixels continue outside.
public struct MosaicOracle {
    /// The side of a cell in pixels.
    let side: Int
    /// The largest change of a colour, as a fraction of full scale.
    let shift: Double
    /// The first word of the key that decides the changes. The other three are 0.
    let seed: UInt32

    public init(side: Int, shift: Double = 0, seed: UInt32 = 0) {
        (self.side, self.shift, self.seed) = (side, shift, seed)
    }

    /// Returns the index of the cell whose colour a pixel has. Pixels after the last whole cell of the image have the colour of
    /// that cell.
    ///
    /// - Parameter count: the number of the image's pixels along the axis.
    private func cell(_ pixel: Int, of count: Int) -> Int {
        let wholeCells = max(1, count / side)
        return min(max(Int((Double(pixel) / Double(side)).rounded(.down)), 0), wholeCells - 1)
    }

    /// Computes the mosaic of premultiplied RGBA.
    public func render(_ image: SampleRows, region: Rect) -> SampleRows {
        let (width, height) = (image.width, image.height)
        var known: [[Int]: [Double]] = [:]
        return SampleRows(width: region.width, height: region.height, channels: .rgba) { row in
            region.columns.flatMap { column -> [Double] in
                let (cellX, cellY) = (cell(column, of: width), cell(row + region.y, of: height))
                if let mean = known[[cellX, cellY]] { return mean }
                var sum = [Double](repeating: 0, count: 4)
                for y in cellY * side..<(cellY + 1) * side {
                    let pixels = image[min(max(y, 0), height - 1)]
                    for x in cellX * side..<(cellX + 1) * side {
                        let at = 4 * min(max(x, 0), width - 1)
                        for c in 0..<4 { sum[c] += pixels[at + c] }
                    }
                }
                let mean = sum.map { $0 / Double(side * side) }
                known[[cellX, cellY]] = mean
                return mean
            }
        }
    }

    /// Returns a pixel with the change of its cell. XTEA encrypts the cell's position; each colour takes 16 bits of the
    /// result.
    func shifted(_ pixel: [Double], _ x: Int, _ y: Int, of extent: Rect) -> [Double] {
        let key: [UInt32] = [seed, 0, 0, 0]
        var words = [UInt32(cell(x, of: extent.width)), UInt32(cell(y, of: extent.height))]
        for round in 0..<64 {
            // Delta is the fractional part of the golden ratio, as 32 bits. Odd rounds use the next multiple of it.
            let sum = UInt32(truncatingIfNeeded: (round + 1) / 2) &* 0x9E37_79B9
            let (from, to) = round.isMultiple(of: 2) ? (1, 0) : (0, 1)
            let word = words[from]
            let index = round.isMultiple(of: 2) ? sum & 3 : sum >> 11 & 3
            let mixed: UInt32 = ((word << 4) ^ (word >> 5)) &+ word
            words[to] &+= mixed ^ (sum &+ key[Int(index)])
        }
        let bits = [words[0] & 0xFFFF, words[0] >> 16, words[1] & 0xFFFF]
        var pixel = pixel
        for (c, bits) in bits.enumerated() { pixel[c] += ((Double(bits) + 0.5) / 32768 - 1) * shift }
        return pixel
    }
}
