import CFrostKernels
public import FrostCore
import FrostThreads

extension CPUExecutor {
    /// Computes one frame of a transition.
    ///
    /// The result has the same bits for every number of threads, and for every region that contains a pixel.
    ///
    /// - Parameters:
    ///   - images: the images. Not read after the call.
    ///   - layers: the layers of ``Disintegrate``, which cover the part of the region within the canvas; nil for all other
    ///     kinds.
    ///   - target: an image of the region's size, with the images' sample type. It must not share memory with an image.
    /// - Throws: ``CPUError``. Cancellation takes effect within a few rows.
    @unsafe public func execute(
        _ plan: TransitionPlan, images: TransitionImages, layers: TransitionLayers? = nil, target: PixelTarget,
        cancellation: Cancellation? = nil
    ) throws(CPUError) {
        try unsafe rethrow(plan.check(images, target: target), as: CPUError.pixels)
        let kernel: any TransitionKernel =
            switch plan.work {
            case .source: DissolveKernel(share: 0)
            case .target: DissolveKernel(share: 1)
            case .drawing(let kind, let frame): kind.kernel(frame, layers: layers)
            }
        let inputs = try unsafe TransitionInputs(images, plan, kernel.parts, threads: threads)
        let frame = unsafe TransitionFrameRows(plan, target, inputs: inputs)
        let height = plan.region.height
        let pieces = WorkPieces((height + Self.rowsAtOnce - 1) / Self.rowsAtOnce)
        try ThreadPool.computation.runAll(PlanPart.bands(plan.region, threads: threads)) { (_) throws(CPUError) in
            let block = try TransitionBlock()
            let composition = try TransitionComposition(
                inputs, color: kernel.color, isColorAdded: kernel.isColorAdded)
            while let piece = pieces.take() {
                let first = piece * Self.rowsAtOnce
                let rows = first..<min(first + Self.rowsAtOnce, height)
                try frame.draw(rows, kernel, block, composition, cancellation)
            }
        }
    }

    /// The number of rows that a thread takes at a time. Their costs differ: the roll of a page may lie in few of them.
    private static let rowsAtOnce = 16
}

/// Computes rows of one frame and writes them.
///
/// SAFETY: the target outlives this value, which is used during one call only. Each row is written by one thread.
@safe private struct TransitionFrameRows: @unchecked Sendable {
    private let plan: TransitionPlan
    private let target: PixelTarget
    private let inputs: TransitionInputs
    private let writer: RowConversion
    private let encode: frost_color_stage?

    init(_ plan: TransitionPlan, _ target: PixelTarget, inputs: TransitionInputs) {
        self.plan = plan
        unsafe self.target = target
        self.inputs = inputs
        writer = unsafe RowConversion(format: target.layout.format, addingAlpha: true)
        encode = plan.decoding.map { frost_color_stage(encode: $0) }
    }

    /// Computes rows of the region, counted from its top.
    func draw(
        _ rows: Range<Int>, _ kernel: any TransitionKernel, _ block: TransitionBlock,
        _ composition: TransitionComposition, _ cancellation: Cancellation?
    ) throws(CPUError) {
        let inside = plan.region.intersection(plan.canvas)
        let size = writer.format.bytesPerPixel
        for row in rows {
            if cancellation?.isCancelled == true { throw .cancelled }
            let out = unsafe target.row(row)
            let y = plan.region.y + row
            guard let inside, inside.rows.contains(y) else {
                unsafe out.initializeMemory(as: UInt8.self, repeating: 0, count: plan.region.width * size)
                continue
            }
            let before = (inside.x - plan.region.x) * size
            let end = (inside.columns.upperBound - plan.region.x) * size
            unsafe out.initializeMemory(as: UInt8.self, repeating: 0, count: before)
            unsafe (out + end).initializeMemory(as: UInt8.self, repeating: 0, count: plan.region.width * size - end)
            let copyEnd = copyEnd
            var x = inside.x
            while x < inside.columns.upperBound {
                // Blocks begin at multiples of their width, even left of the region, so that their numbers do not depend on
                // the region.
                let first = x / TransitionBlock.width * TransitionBlock.width
                var next = min(first + TransitionBlock.width, inside.columns.upperBound)
                if let end = copyEnd, x < end { next = min(next, end) }
                (block.x, block.y, block.count) = (first, y, next - first)
                kernel.fill(block)
                unsafe draw(block, from: x - first, composition, into: out + (x - plan.region.x) * size)
                x = next
            }
        }
    }

    /// The right end of the image that the frame shows at the ends of the transition; nil between them. Blocks end there, so
    /// that the image's pixels are copied.
    private var copyEnd: Int? {
        switch plan.work {
        case .source: plan.source.width
        case .target: plan.target.width
        case .drawing: nil
        }
    }

    /// Writes a block's pixels from index `skipped` on.
    private func draw(
        _ block: TransitionBlock, from skipped: Int, _ composition: TransitionComposition,
        into out: UnsafeMutableRawPointer
    ) {
        let content = composition.content(of: block)
        switch content {
        case .source: if unsafe copy(inputs.source, block, from: skipped, out) { return }
        case .target: if unsafe copy(inputs.target, block, from: skipped, out) { return }
        case .mixture: break
        }
        // SAFETY: the colours have room for `block.count` pixels of 4 floats.
        let (colors, count) = unsafe (composition.colors(of: block, content) + 4 * skipped, block.count - skipped)
        if var stage = encode {
            unsafe KernelSet.best.table.pointee.transfer(
                colors, Int32(count), 4, &stage, Float(writer.format.sample.maximum))
        }
        if writer.working.isGrey { unsafe writer.working.narrow(colors, count: count, into: colors) }
        unsafe writer.write(Row(colors), as: .floats, count: count, into: Row(out))
    }

    /// Copies a block of an image without any conversion, if formats and sizes allow it. At the ends of the transition the
    /// copy keeps every bit. Between them it is used if a conversion would keep every bit too, so that the result does not
    /// depend on which pixels share a block.
    private func copy(
        _ input: TransitionInput, _ block: TransitionBlock, from skipped: Int, _ out: UnsafeMutableRawPointer
    ) -> Bool {
        let (format, first) = (input.format, block.x + skipped)
        guard format.alpha == writer.format.alpha, input.extent.rows.contains(block.y),
            input.extent.columns.contains(first), block.x + block.count <= input.extent.width
        else { return false }
        guard format.channels == writer.format.channels else {
            return unsafe copySamples(of: format, input.pixel(first, block.y), count: block.count - skipped, out)
        }
        guard copyEnd != nil || (encode == nil && !format.needsPremultiplication) else { return false }
        unsafe out.copyMemory(
            from: input.pixel(first, block.y), byteCount: (block.count - skipped) * format.bytesPerPixel)
        return true
    }

    /// Copies the samples of pixels to their places among other channels, at the ends of the transition. A conversion would not
    /// keep the colours of transparent pixels.
    private func copySamples(
        of format: PixelFormat, _ pixels: UnsafeRawPointer, count: Int, _ out: UnsafeMutableRawPointer
    ) -> Bool {
        let (from, to, size) = (format.channels.order, writer.format.channels.order, format.sample.size)
        guard copyEnd != nil, let alpha = from.alpha, let toAlpha = to.alpha, from.colors.count <= to.colors.count
        else { return false }
        let places = [(from.red, to.red), (from.green, to.green), (from.blue, to.blue), (alpha, toAlpha)]
        for i in 0..<count {
            // SAFETY: the caller has checked that the pixels lie in the image; the places are those of a pixel's samples.
            let (pixel, target) = unsafe (
                pixels + i * format.bytesPerPixel, out + i * writer.format.bytesPerPixel
            )
            for (from, to) in places {
                unsafe (target + to * size).copyMemory(from: pixel + from * size, byteCount: size)
            }
        }
        return true
    }
}
