import CFrostKernels
import FrostCore

/// Runs a plan's output stages on each row of the result and writes the row in the caller's format.
///
/// The stages are nodes in a row: colours, mask, colours, content and the last mixture, as the plan needs them, and an encoder. All of
/// them compute in the same kind of numbers, so the result of a pixel does not depend on other pixels. A chunk of a row
/// passes all nodes before the next chunk follows.
///
/// Not thread-safe: each band of rows has its own runner.
final class OutputStageRunner {
    private let region: Rect
    private let bytesPerPixel: Int
    private let opaque: Float
    private let arriving: (kind: RowKind, channels: Int)
    private let kind: RowKind
    private let kernels: KernelSet
    private let nodes: [any OutputStage]
    private let encoder: any PixelEncoder
    private let original: OriginalPixels
    /// The mixtures with the original, and those of them whose pixels with the weight 0 equal the original byte for byte.
    /// No node may change such a pixel after its mixture.
    private let mixtures: [Mixture]
    private let masks: [Mixture]
    private let readsOriginal: Bool
    private let row: RowStorage
    private let scratch: RowStorage

    init(_ plan: CPUPlan) throws(CPUError) {
        let (stages, kernels) = (plan.plan.outputStages, plan.kernels)
        let (region, fixed) = (plan.plan.region, plan.arithmetic.outputStages)
        let kind: RowKind = fixed == nil ? .floats : .fixed
        let original = try OriginalPixels(plan, kind: kind, chunk: PixelChunk.maximumCount)
        let sample = plan.writer.format.sample
        let maximum = sample.maximum
        func mixture(_ coverage: any Coverage, _ base: any MixtureBase) throws(CPUError) -> Mixture {
            try Mixture(coverage, base, region: region, kind: kind, kernels: kernels)
        }
        var nodes: [any OutputStage] = []
        func add(_ stages: [ColorStage], _ fixedStages: [frost_fixed_stage]?) throws(CPUError) {
            if let fixedStages {
                if !fixedStages.isEmpty { nodes.append(FixedColors(fixedStages, kernels: kernels)) }
            } else if !stages.isEmpty {
                try nodes.append(FloatColors(stages, for: sample, columns: region.columns, kernels: kernels))
            }
        }
        let kept = try stages.mixesBlur ? KeptChunk(kind: kind) : nil
        let mask = try stages.mask.map { (mask) throws(CPUError) in
            try mixture(
                MaskRows(
                    mask, columns: region.columns, extent: plan.plan.maskExtent, image: plan.mask, kernels: kernels),
                kept ?? original)
        }
        let content =
            try stages.content.isEmpty
            ? nil
            : ContentRows(plan.plan, kind: kind, maximum: maximum, chunk: PixelChunk.maximumCount, kernels: kernels)
        let covered = ResultRows(stages, columns: region.columns)
        let shadow = try stages.shadowField(in: region).map { (field) throws(CPUError) in
            try ShadowRows(
                field, covered, original, columns: region.columns, kind: kind, maximum: maximum, kernels: kernels)
        }
        let last = try stages.endsInMixture ? mixture(shadow ?? covered, shadow ?? original) : nil
        // The fixed-point encoder applies the last colours itself.
        let edge = try stages.edge.map { (light) throws(CPUError) in
            try EdgeLightRows(
                light, stages.shapes, join: stages.join, columns: region.columns, kind: kind, maximum: maximum,
                kernels: kernels)
        }
        let isLast = content == nil && last == nil && edge == nil
        // The mask mixes encoded colours. Light is encoded in floats only.
        let encodings = kept == nil ? 0 : stages.encodingCount
        try add(Array(stages.inside.prefix(encodings)), fixed.map { _ in [] })
        if let kept { nodes.append(kept) }
        try add(Array(stages.inside.dropFirst(encodings)), fixed?.inside)
        if let mask { nodes.append(mask) }
        // A guaranteed contrast comes after the light. It is computed in floats only.
        let count = stages.countBeforeEdge
        try add(Array(stages.over.prefix(count)), fixed.map { isLast ? [] : $0.over })
        if let edge { nodes.append(edge) }
        try add(Array(stages.over.dropFirst(count)), fixed.map { _ in [] })
        if let content { nodes.append(content) }
        if let last { nodes.append(last) }
        self.nodes = nodes
        if let fixed {
            let fixedEncoder = try FixedEncoder(
                isLast ? fixed.over : [], plan.writer.format, dither: stages.dither, kernels: kernels)
            encoder = fixedEncoder
            onlyEncoder = nodes.isEmpty ? fixedEncoder : nil
        } else {
            encoder = try FloatEncoder(
                plan.writer, dither: stages.dither, chunk: PixelChunk.maximumCount, kernels: kernels)
            onlyEncoder = nil
        }
        let isDirect = mask == nil && kept == nil && content == nil && stages.opacity == 1
        directEncoder =
            if isDirect, let fixed {
                try FixedEncoder(fixed.over, plan.writer.format, dither: stages.dither, kernels: kernels)
            } else {
                nil
            }
        mixtures = [mask, last].compactMap { $0 }
        masks =
            stages.over.isEmpty && content == nil && edge == nil && kept == nil ? mixtures : [last].compactMap { $0 }
        readsOriginal = stages.readsOriginal
        self.region = region
        bytesPerPixel = plan.writer.format.bytesPerPixel
        opaque = Float(maximum)
        arriving = (plan.plan.work.cpu.resultKind(plan.arithmetic), plan.arithmetic.channels)
        self.kind = kind
        self.kernels = kernels
        self.original = original
        row = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
        scratch = try RowStorage(rows: 1, floats: 4 * PixelChunk.maximumCount)
    }

    /// The encoder, if there is no other node, so that a pass may write through it.
    let onlyEncoder: FixedEncoder?

    /// Returns the output stages of the pixels beside plain ones; nil if they are not colours and edge light alone.
    func sideRows(of plan: CPUPlan, _ plain: PlainPixels) throws(CPUError) -> SideRows? {
        let (stages, format) = (plan.plan.outputStages, plan.writer.format)
        guard let directEncoder, let fixed = plan.arithmetic.outputStages, !plain.middle.isEmpty,
            stages.clip.allSatisfy({ $0.wholeColumns(plain.middle.y).clamped(to: region.columns) == region.columns })
        else { return nil }
        if stages.edge == nil { return try SideRows(plan, plain, [], directEncoder) }
        return try SideRows(plan, plain, fixed.over, FixedEncoder([], format, dither: stages.dither, kernels: kernels))
    }

    /// An encoder with all colour stages, for pixels to which nothing else applies; nil if other stages concern all pixels.
    let directEncoder: FixedEncoder?

    /// Applies the output stages to a row and writes the row.
    ///
    /// - Parameters:
    ///   - values: the row of the plan's last pass.
    ///   - originals: the rows of the original image.
    ///   - streams: whether to write around the caches; see ``TargetRows/streams``.
    ///   - done: columns that are not written.
    func write(
        _ y: Int, _ values: Row, to out: Row, streams: Bool, _ originals: Originals?, without done: Range<Int> = 0..<0
    ) {
        if let onlyEncoder, done.isEmpty {
            return onlyEncoder.encode(
                PixelChunk(y: y, columns: region.columns, row: values), to: out, streams: streams)
        }
        if readsOriginal { original.select(row: y, originals) }
        for node in nodes { node.prepare(row: y) }
        if done.isEmpty { return write(region.columns, y, values, to: out, streams: streams) }
        write(region.x..<done.lowerBound, y, values, to: out, streams: streams)
        write(done.upperBound..<region.columns.upperBound, y, values, to: out, streams: streams)
    }

    /// Applies the output stages to rows of one cell that have the same values, and writes the rows.
    func write(
        _ rows: Range<Int>, _ values: Row, to target: TargetRows, _ originals: Originals?
    ) throws(CPUError) {
        guard let encoder = encoder as? FloatEncoder, mixtures.isEmpty, nodes.allSatisfy(\.isSameInCell) else {
            for y in rows { write(y, values, to: target.row(y), streams: target.streams, originals) }
            return
        }
        for node in nodes { node.prepare(row: rows.lowerBound) }
        for columns in region.columns.parts(of: PixelChunk.maximumCount) {
            let chunk = PixelChunk(y: rows.lowerBound, columns: columns, row: row.row(0))
            load(values, chunk)
            for node in nodes { node.apply(to: chunk) }
            try encoder.encode(
                chunk, in: rows, to: target.advanced(by: (columns.lowerBound - region.x) * bytesPerPixel))
        }
    }

    /// - Parameter out: the target's row.
    private func write(_ part: Range<Int>, _ y: Int, _ values: Row, to out: Row, streams: Bool) {
        for columns in part.parts(of: PixelChunk.maximumCount) {
            write(columns, of: y, values, to: out + (columns.lowerBound - region.x) * bytesPerPixel, streams: streams)
        }
    }

    /// - Parameter out: the target's pixel at the first column.
    private func write(_ columns: Range<Int>, of y: Int, _ values: Row, to out: Row, streams: Bool) {
        for mixture in mixtures { mixture.weigh(columns, y: y) }
        if masks.contains(where: { $0.uniform == 0 }) {
            return original.copy(columns, to: out, streams: streams)
        }
        let chunk = PixelChunk(y: y, columns: columns, row: row.row(0))
        load(values, chunk)
        for node in nodes { node.apply(to: chunk) }
        // A pixel that is written twice must not be written around the caches.
        let streams = streams && masks.allSatisfy { $0.zeros(in: columns) == nil }
        encoder.encode(chunk, to: out, streams: streams)
        for mask in masks {
            var rest = columns
            // Rounding and the division by alpha might have changed pixels that show only the original.
            while let part = mask.zeros(in: rest) {
                original.copy(
                    part, to: out + (part.lowerBound - columns.lowerBound) * bytesPerPixel, streams: false)
                rest = part.upperBound..<columns.upperBound
            }
        }
    }

    /// Copies a chunk of a row of the last pass, and converts it to RGBA of the nodes' kind.
    private func load(_ values: Row, _ chunk: PixelChunk) {
        let samples = chunk.columns.count * arriving.channels
        let from = values + (chunk.columns.lowerBound - region.x) * arriving.channels * arriving.kind.size
        if arriving.channels == 4 { return arriving.kind.convert(from, to: kind, chunk.row, samples, kernels) }
        let plain = scratch.row(0)
        arriving.kind.convert(from, to: .floats, plain, samples, kernels)
        unsafe ChannelLayout(canonical: arriving.channels).expand(
            plain.floats, count: chunk.columns.count, opaque: opaque, into: chunk.row.floats)
    }
}
