import FrostCore

/// The end of a chain that adds rows to the mixture of a blend.
final class MixtureEnd: ChainEnd {
    var output: ChainOutput
    private let mixture: MixedRows
    private let level: MixedRows.Level
    private let rows: RowRing

    /// - Parameter level: the level of the blend that the chain computes.
    init(_ output: ChainOutput, _ mixture: MixedRows, _ level: MixedRows.Level) throws(CPUError) {
        self.output = output
        self.mixture = mixture
        self.level = level
        rows = try output.ring()
    }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        try output.count(rows)
        for index in rows {
            try mixture.add(index, inputRow(index), as: inputKind, channels: output.channels, of: level)
        }
    }
}
