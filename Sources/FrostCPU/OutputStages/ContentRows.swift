import CFrostKernels
import FrostCore

/// Draws content layers over rows of RGBA floats.
///
/// SAFETY: each row has one pixel for each requested column, followed by the slack that kernels need.
@safe struct ContentRows {
    private let layers: [Layer]
    private let maximum: Float

    fileprivate struct Layer {
        let content: PlacedContent
        /// The colour stage of the layer's vibrancy; nil if the content is drawn in its own colours.
        let vibrancy: [frost_color_stage]?
        /// The layer's pixels in the prepared row; empty if the layer has no pixels there.
        var pixels: [SIMD4<Float>] = []
        /// The alpha values of `pixels`, followed by the slack that vector loops may read.
        var alphas: [Float] = []
    }

    /// Places the content layers of a plan.
    ///
    /// - Parameter maximum: the number that represents full scale (1.0), for example 255.
    init(_ plan: Plan, maximum: Double) {
        self.maximum = Float(maximum)
        var layers: [Layer] = []
        for layer in plan.outputStages.content {
            guard let content = PlacedContent(layer, extent: plan.extent, region: plan.region) else { continue }
            let vibrancy = layer.vibrancy.map { FloatStages([.matrix($0.matrix)], maximum: maximum).stages }
            layers.append(Layer(content: content, vibrancy: vibrancy))
        }
        self.layers = layers
    }

    /// Prepares the pixels of all layers in a row, for ``Row/draw(_:over:scratch:table:)``.
    func row(_ y: Int) -> Row {
        var present: [Layer] = []
        for var layer in layers where layer.content.window.rows.contains(y) {
            layer.pixels = layer.content.row(y)
            layer.alphas = layer.pixels.map { $0[3] } + [Float](repeating: 0, count: RowStorage.slack)
            present.append(layer)
        }
        return Row(layers: present, maximum: maximum)
    }

    struct Row {
        fileprivate let layers: [Layer]
        fileprivate let maximum: Float

        /// Whether any layer's window overlaps these columns of the image.
        func isPresent(in columns: Range<Int>) -> Bool {
            layers.contains { $0.content.window.columns.overlaps(columns) }
        }

        /// Draws the layers over a part of a row, in place.
        ///
        /// - Parameters:
        ///   - columns: columns of the image; `row` starts with the first of them.
        ///   - scratch: memory for as many pixels as `row` has.
        func draw(
            _ columns: Range<Int>, over row: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>,
            table: frost_kernels
        ) {
            for layer in layers {
                let window = layer.content.window.columns
                let part = columns.clamped(to: window)
                let from = part.lowerBound - window.lowerBound
                let count = part.count
                guard layer.pixels[from..<from + count].contains(where: { $0[3] > 0 }) else { continue }
                let pixels = unsafe row + 4 * (part.lowerBound - columns.lowerBound)
                guard let vibrancy = layer.vibrancy else {
                    for i in 0..<count {
                        let content = layer.pixels[from + i]
                        for c in 0..<4 {
                            unsafe pixels[4 * i + c] = content[c] * maximum + pixels[4 * i + c] * (1 - content[3])
                        }
                    }
                    continue
                }
                unsafe scratch.update(from: pixels, count: 4 * count)
                unsafe table.color_stages(scratch, Int32(count), vibrancy, Int32(vibrancy.count), maximum, 0)
                unsafe layer.alphas.withUnsafeBufferPointer { alphas in
                    guard let base = alphas.baseAddress else { return }
                    unsafe table.color_mix(scratch, pixels, base + from, Int32(count))
                }
                unsafe pixels.update(from: scratch, count: 4 * count)
            }
        }
    }
}
