/// The running sums for SSIM (structural similarity). The windows have 8x8 pixels and are four pixels apart. Each
/// window is combined from four blocks of 4x4 pixels.
///
/// Source: Z. Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, formula
/// 13. Here the weights are flat instead of Gaussian. The constants are the usual K1 = 0.01 and K2 = 0.03 for a range
/// of 1.
struct StructuralSimilarity {
    private struct Sums {
        var a = 0.0
        var b = 0.0
        var aa = 0.0
        var bb = 0.0
        var ab = 0.0
        var count = 0.0

        mutating func add(_ x: Double, _ y: Double) {
            a += x
            b += y
            aa += x * x
            bb += y * y
            ab += x * y
            count += 1
        }

        static func + (left: Sums, right: Sums) -> Sums {
            Sums(
                a: left.a + right.a, b: left.b + right.b, aa: left.aa + right.aa, bb: left.bb + right.bb,
                ab: left.ab + right.ab, count: left.count + right.count)
        }

        var index: Double {
            let meanA = a / count
            let meanB = b / count
            let varianceA = max(0, aa / count - meanA * meanA)
            let varianceB = max(0, bb / count - meanB * meanB)
            let covariance = ab / count - meanA * meanB
            let c1 = 0.01 * 0.01
            let c2 = 0.03 * 0.03
            return (2 * meanA * meanB + c1) * (2 * covariance + c2)
                / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
        }
    }

    private let width: Int
    private let height: Int
    private let channels: Int
    /// The number of blocks side by side (x) and one below another (y). The last block also contains the pixels that do
    /// not fill a block of their own.
    private let blocksX: Int
    private let blocksY: Int
    private var y = 0
    private var current: [Sums]
    private var above: [Sums] = []
    private var total = 0.0
    private var windows = 0.0

    init(width: Int, height: Int, channels: Int) {
        self.width = width
        self.height = height
        self.channels = channels
        blocksX = max(1, width / 4)
        blocksY = max(1, height / 4)
        current = [Sums](repeating: Sums(), count: blocksX * channels)
    }

    mutating func add(_ a: [Double], _ b: [Double]) {
        for x in 0..<width {
            let block = min(x / 4, blocksX - 1)
            for c in 0..<channels { current[block * channels + c].add(a[x * channels + c], b[x * channels + c]) }
        }
        y += 1
        let blockDone = y == height || (y % 4 == 0 && y / 4 < blocksY)
        if blockDone { endBlockRow() }
    }

    private mutating func endBlockRow() {
        let rows: [Sums]
        if blocksY == 1 {
            rows = current
        } else if above.isEmpty {
            rows = []
        } else {
            rows = zip(above, current).map { $0 + $1 }
        }
        if !rows.isEmpty {
            for c in 0..<channels {
                for block in 0..<max(1, blocksX - 1) {
                    let left = rows[block * channels + c]
                    total += (blocksX == 1 ? left : left + rows[(block + 1) * channels + c]).index
                    windows += 1
                }
            }
        }
        above = current
        current = [Sums](repeating: Sums(), count: blocksX * channels)
    }

    var result: Double { windows > 0 ? total / windows : 1 }
}
