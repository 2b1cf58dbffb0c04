import CFrostKernels
import FrostCore

/// Stages of colour as the kernel for cells takes them: as few limits as there can be, since pixels are made again where cells
/// meet them differently.
///
/// With a the alpha of x, and s > 0,
///
///     min(max(s min(max(x, 0), a) + p a, 0), a) = min(max(s x + p a, max(p, 0) a), min(s + p, 1) a),
///
/// so that what is brightened or darkened after it was saturated is limited once.
struct CellStages {
    /// As they are limited.
    private(set) var list: [ColorStage] = []
    /// The least and the most that is left of colours, of alpha.
    private var ranges: [(least: Double, most: Double)] = []

    init(_ stages: [ColorStage]) {
        for stage in ColorStage.merged(stages) {
            if case .matrix(let second) = stage, let (scale, shift) = second.evenScale,
                case .matrix(let first)? = list.last, let range = ranges.last, range == (0, 1)
            {
                list[list.count - 1] = .matrix(second.following(first))
                ranges[ranges.count - 1] = (max(shift, 0), min(scale + shift, 1))
            } else {
                list.append(stage)
                ranges.append((0, 1))
            }
        }
    }

    var stages: [frost_color_stage] {
        FloatStages(list, maximum: 255).stages.enumerated().map { i, stage in
            var stage = stage
            if case .matrix = list[i] {
                (stage.columns.5.0, stage.columns.5.1) = (Float(ranges[i].least), Float(ranges[i].most))
            }
            return stage
        }
    }

    /// Those that have limits to meet, a bit each.
    var limited: Int32 {
        list.indices.reduce(0) { $0 | (list[$1].keepsGamut && ranges[$1] == (0, 1) ? 0 : 1 << Int32($1)) }
    }
}

extension ColorMatrix {
    /// Of one that makes each colour scale x + shift a, with a positive scale, and keeps alpha; else nil.
    fileprivate var evenScale: (scale: Double, shift: Double)? {
        let (scale, shift) = (red[0], alpha[0])
        let even = ColorMatrix(scale: scale, luma: .rec709, lumaScale: 0, alphaScale: shift)
        // Ranges that are empty, or begin where they end, are not worth a case.
        return self == even && scale > 0 && shift < 1 && scale + shift > 0 ? (scale, shift) : nil
    }
}
