import FrostCore

/// The values of the uniform block Transition of transition.glsl.
package struct TransitionUniforms {
    /// The block's values as 32-bit words, in std140 layout.
    package private(set) var words: [UInt32] = []

    /// The maximum count of a drawing's numbers, in vectors of four.
    private static let numberVectors = 5
    /// The size of the block in bytes.
    package static let size = 16 * (13 + 2 * numberVectors + Flash.rayCount / 4)

    /// The sizes of the block's arrays, which the shader receives as definitions.
    static let sizes: [(name: String, value: Int)] = [
        ("NUMBER_VECTORS", numberVectors), ("RAY_COUNT", Flash.rayCount),
    ]

    /// Fills the block.
    ///
    /// - Throws: ``DrawingError/invalidPlan(_:)`` if the drawing has more numbers than the block has room for.
    package init(_ draw: TransitionDraw) throws(DrawingError) {
        let plan = draw.plan
        words.reserveCapacity(Self.size / 4)
        append(SIMD4(plan.canvas.width, plan.canvas.height, plan.region.x, plan.region.y))
        let (source, backside) = (draw.inputs[.sourceImage], draw.inputs[.backsideImage])
        append(SIMD4(source?.width ?? 0, source?.height ?? 0, backside?.width ?? 0, backside?.height ?? 0))
        for image in [.sourceImage, .secondImage, .targetImage, .backsideImage, .shadingImage] as [TransitionTexture] {
            let window = draw.inputs[image]?.window ?? Rect(x: 0, y: 0, width: 0, height: 0)
            append(SIMD4(window.x, window.y, window.x + window.width, window.y + window.height))
        }
        let images: [TransitionTexture] = [.sourceImage, .targetImage, .backsideImage, .shadingImage]
        let straight = images.map { draw.inputs[$0]?.isStraight == true ? 1 : 0 }
        append(SIMD4(straight[0], straight[1], straight[2], straight[3]))
        let layers = draw.layersRegion
        append(SIMD4(Int(draw.encoding.rawValue), 0, layers?.x ?? 0, layers?.y ?? 0))
        append(SIMD4(draw.fullScale, 0, 0, 0))
        append(plan.decoding)
        try append(draw.parameters)
        for index in stride(from: 0, to: Flash.rayCount, by: 4) {
            append(SIMD4<Float>((0..<4).reduce(into: SIMD4<Double>()) { $0[$1] = Flash.rays[index + $1] }))
        }
    }

    private mutating func append(_ vector: SIMD4<Int>) {
        for i in 0..<4 { words.append(UInt32(bitPattern: Int32(clamping: vector[i]))) }
    }

    private mutating func append(_ vector: SIMD4<Float>) {
        for i in 0..<4 { words.append(vector[i].bitPattern) }
    }

    /// Appends the numbers that decode and encode by a transfer function: see the members `decoding`, `encoding` and
    /// `exponents` of the block.
    private mutating func append(_ curve: TransferFunction?) {
        guard let curve else {
            for _ in 0..<3 { append(SIMD4<Float>()) }
            return
        }
        let scale = 1 / (1 + curve.offset)
        append(SIMD4<Float>(SIMD4(curve.threshold, 1 / curve.slope, scale, curve.offset * scale)))
        append(SIMD4<Float>(SIMD4(curve.threshold / curve.slope, curve.slope, 1 + curve.offset, -curve.offset)))
        append(SIMD4<Float>(SIMD4(curve.exponent, 1 / curve.exponent, 0, 0)))
    }

    private mutating func append(_ parameters: [Double]) throws(DrawingError) {
        guard parameters.count <= 4 * Self.numberVectors else {
            throw .invalidPlan("a transition has \(parameters.count) numbers; the limit is \(4 * Self.numberVectors)")
        }
        let parts = parameters.map { Self.split($0) }
        let padding = [UInt32](repeating: 0, count: 4 * Self.numberVectors - parameters.count)
        words += parts.map(\.first.bitPattern) + padding + parts.map(\.rest.bitPattern) + padding
    }

    /// Divides a number into a sum: see `exact` in transition.glsl.
    static func split(_ number: Double) -> (first: Float, rest: Float) {
        // Infinite numbers would become NaN when they are multiplied by 0.
        let number = min(max(number, -1e30), 1e30)
        let first = abs(number) < 65536 ? Float((number * 256).rounded() / 256) : Float(number)
        return (first, Float(number - Double(first)))
    }
}
