import Frost
import FrostCLI
import Glibc

/// The picture that the benchmark blurs. It is available in any size and in any format of the benchmark.
enum BenchPicture {
    case synthetic
    case file(PixelBuffer)

    /// The size of the input file; nil for the synthetic picture, which has no size of its own.
    var ownSize: PictureSize? {
        if case .file(let image) = self { PictureSize(width: image.width, height: image.height) } else { nil }
    }

    /// Returns the picture at the given size. A picture from a file is cropped. If the size is larger than the file's
    /// picture, mirrored copies fill the space around it.
    func pixels(_ size: PictureSize, _ format: BenchFormat) throws(CommandError) -> PixelBuffer {
        let layout = try rethrow(
            PixelLayout(width: size.width, height: size.height, format: format.pixels),
            as: { CommandError.frost(.pixels($0)) })
        switch self {
        case .synthetic:
            let synthetic = SyntheticPicture(size)
            return Self.draw(layout) { y, x in
                synthetic.pixel(x, y)
            } alpha: { y, x in
                synthetic.alpha(x, y)
            }
        case .file(let image):
            // The samples are premultiplied, so an opaque format shows the picture on black.
            let rows = SampleRows(image)
            let hasAlpha = rows.channels.hasAlpha
            let rgba = rows.expanded(to: .rgba)
            let synthetic = SyntheticPicture(size)
            var row: [Double] = []
            var rowIndex = -1
            func sample(_ y: Int, _ x: Int, _ channel: Int) -> Double {
                let from = EdgeMode.mirror.map(y, into: 0..<image.height) ?? 0
                if from != rowIndex {
                    row = rgba[from]
                    rowIndex = from
                }
                return row[4 * (EdgeMode.mirror.map(x, into: 0..<image.width) ?? 0) + channel]
            }
            return Self.draw(layout) { y, x in
                let color = SIMD3(sample(y, x, 0), sample(y, x, 1), sample(y, x, 2))
                guard format == .softAlpha, hasAlpha else { return color }
                let alpha = sample(y, x, 3)
                return alpha > 0 ? color / alpha : .zero
            } alpha: { y, x in
                hasAlpha ? sample(y, x, 3) : synthetic.alpha(x, y)
            }
        }
    }

    /// Fills an image row by row. `alpha` is called only for straight formats; in other formats alpha is 1.
    private static func draw(
        _ layout: PixelLayout, color: (Int, Int) -> SIMD3<Double>, alpha: (Int, Int) -> Double
    ) -> PixelBuffer {
        let format = layout.format
        let count = format.channels.count
        let maximum = format.sample.maximum
        return unsafe PixelBuffer(layout: layout) { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<layout.height {
                for x in 0..<layout.width {
                    let rgb = color(y, x)
                    var samples = SIMD4(rgb, format.needsPremultiplication ? alpha(y, x) : 1)
                    if count == 1 { samples[0] = (rgb * SIMD3(0.2126, 0.7152, 0.0722)).sum() }
                    samples.clamp(lowerBound: .zero, upperBound: .one)
                    samples = (samples * maximum).rounded(.toNearestOrAwayFromZero)
                    for channel in 0..<count {
                        let index = (y * layout.width + x) * count + channel
                        // SAFETY: the index is below width * height * count, which is the number of samples.
                        unsafe format.sample.store(samples[channel], base, at: index)
                    }
                }
            }
        }
    }
}

/// A synthetic picture with the features of a photograph: smooth gradients, texture at several scales, hard edges and
/// grain. It is the same on every machine and in every run, except that the sine function may differ in its last bit.
private struct SyntheticPicture {
    private let width: Double
    private let height: Double
    /// Waves of four lengths along each axis. The products of these waves are the texture.
    private let alongX: [SIMD4<Double>]
    private let alongY: [SIMD4<Double>]
    private static let tiles = PixelHash(seed: 1)
    private static let grain = PixelHash(seed: 2)

    init(_ size: PictureSize) {
        width = Double(size.width)
        height = Double(size.height)
        let lengths = SIMD4(611.0, 97, 23, 7)
        func waves(_ count: Int, _ shift: Double) -> [SIMD4<Double>] {
            (0..<count).map { position in
                let phase = SIMD4(repeating: Double(position) + shift) / lengths
                return SIMD4(sin(phase[0]), sin(phase[1]), sin(phase[2]), sin(phase[3]))
            }
        }
        alongX = waves(size.width, 3)
        alongY = waves(size.height, 41)
    }

    func pixel(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let texture = (alongX[x] * alongY[y] * SIMD4(0.16, 0.09, 0.05, 0.03)).sum()
        let sky = Double(y) / height
        var color = SIMD3(0.35 + 0.3 * sky, 0.45 + 0.1 * sky, 0.75 - 0.4 * sky) + texture
        // This grid of tiles has hard edges. One seventh of the tiles are darker, and one seventh are brighter.
        let tile = (PixelHash.bits(x: x / 90, row: Self.tiles.row(y / 70)) >> 16) % 7
        if tile == 0 { color = color * 0.35 }
        if tile == 1 { color = color * 0.5 + 0.5 }
        return color + (Self.grain.fraction(x: x, y: y) - 0.5) * 0.06
    }

    /// Returns the alpha of a soft disc, which is opaque in the centre and transparent in the corners.
    func alpha(_ x: Int, _ y: Int) -> Double {
        let dx = (Double(x) + 0.5) / width - 0.5
        let dy = (Double(y) + 0.5) / height - 0.5
        return min(max(1.6 - 3.2 * (dx * dx + dy * dy).squareRoot(), 0), 1)
    }
}

extension SIMD4 where Scalar == Double {
    fileprivate init(_ rgb: SIMD3<Double>, _ alpha: Double) { self.init(rgb.x, rgb.y, rgb.z, alpha) }
}
