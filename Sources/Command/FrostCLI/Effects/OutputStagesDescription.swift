package import Frost

// This file describes the output stages as text for `frost plan`.

extension Plan {
    /// The lines that describe the plan: the passes, followed by the output stages.
    package var lines: [String] {
        var lines = description.split(separator: "\n").map(String.init)
        if decoding != nil, !lines.isEmpty { lines[0] += ", of decoded light" }
        let before = steps.count
        let stages = outputStages.stages.enumerated().map { "\(before + $0 + 1). \($1)" }
        lines.insert(contentsOf: stages, at: min(before, lines.count))
        return lines
    }
}

extension Effect {
    /// Descriptions of the blur and of the output stages, without dither.
    package var stages: [String] {
        var outputStages = outputStages
        outputStages.dither = nil
        let mask = blur.ownMask.map { ($0 == .image ? ", by " : ": ") + $0.words } ?? ""
        return [blur.phrase + mask] + (outputStages.lens.map { [$0.words] } ?? []) + outputStages.stages
    }
}

extension OutputStages {
    /// Descriptions of the output stages, one for each stage in order. Empty if the result is only rounded.
    package var stages: [String] {
        var stages = inside.map { $0.words }
        if mixesBlur {
            stages.append("the blur mixed in where the mask is below 1")
        } else if let mask {
            stages.append(mask == .image ? "mask by an image, the original where it is 0" : "mask: " + mask.words)
        }
        let colors = over.map { $0.words + (mask == nil ? "" : ", over all") }
        stages += colors.prefix(countBeforeEdge) + (edge?.words ?? []) + colors.dropFirst(countBeforeEdge)
        stages += automaticContrast.map { ["contrast of at least \(short($0.minimum)) to black or white"] } ?? []
        stages += content.map { $0.words }
        stages += clip.map { "only within \($0)" }
        if join > 0, clip.count > 1 { stages.append("joined within \(short(join)) pixels") }
        stages += shadow.map { [$0.words] } ?? []
        if opacity < 1 { stages.append("opacity \(short(opacity))") }
        if dither != nil { stages.append("dither by one step of the output") }
        return stages
    }
}

extension Lens {
    fileprivate var words: String {
        "lens of depth \(short(depth)) in a band of \(short(band)), \(profile.rawValue)"
            + (dispersion == 0 ? "" : ", dispersion \(short(dispersion))")
    }
}

extension EdgeLight {
    fileprivate var words: [String] {
        (shade > 0 ? ["shade of \(short(shade)) along \(short(shadeWidth)) pixels of the edge"] : [])
            + (rim > 0 ? ["light of \(short(rim)) along \(short(rimWidth)) pixels of the edge"] : [])
    }
}

extension DropShadow {
    fileprivate var words: String {
        "shadow of \(color), sigma \(short(sigma))"
            + (offset == .zero ? "" : ", moved by \(short(offset.x)), \(short(offset.y)) pixels")
    }
}

extension Mask {
    fileprivate var words: String {
        switch self {
        case .image: "an image"
        case .band(let band):
            "sharp from \(short(band.top)) to \(short(band.bottom)) of the height, falloff \(short(band.falloff))"
        case .circle(let circle):
            "sharp within \(short(circle.radius)) of the width around \(short(circle.centerX)), "
                + "\(short(circle.centerY)), border \(short(circle.border))"
        case .ramp(let ramp):
            ramp.words
        }
    }
}

extension Mask.Ramp {
    fileprivate var words: String {
        let way = "of the way at \(short(angle)) degrees"
        if let first = stops.first, let last = stops.last, stops.map(\.value) == [0, 1] {
            return "growing from \(short(first.position)) to \(short(last.position)) \(way)"
        }
        return stops.map { "\(short($0.value)) at \(short($0.position))" }.joined(separator: ", ") + " \(way)"
    }
}

extension ContentLayer {
    /// A phrase for the layer, for example "content of 300x80 pixels, center, as a vibrant label".
    fileprivate var words: String {
        "content of \(image.width)x\(image.height) pixels, \(mode.rawValue)"
            + (vibrancy.map { ", as a vibrant \($0.kind.rawValue)" } ?? "")
    }
}

extension ColorStage {
    fileprivate var words: String {
        switch self {
        case .matrix(let matrix): return matrix.words
        case .luminance(let curve):
            let values = (0..<4).map { short(curve.values[$0]) }.joined(separator: " ")
            return "towards the grey of luminance \(values) by \(short(curve.amount))"
                + (curve.saturation == 1 ? "" : ", saturation \(short(curve.saturation))")
        case .vivid(let vividness):
            let point = vividness.whitePoint
            return [
                vividness.saturation == 1 ? nil : "saturation \(short(vividness.saturation)) within the gamut",
                point == 0
                    ? nil
                    : "\(point > 0 ? "light" : "dark") areas towards \(point > 0 ? "white" : "black") by \(short(abs(point)))",
            ].compactMap { $0 }.joined(separator: ", ")
        case .grain(let grain):
            return "grain of \(short(grain.amplitude))"
        case .scatter(let scatter):
            return
                "each colour shifted by up to \(short(scatter.amplitude)) in cells of \(1 << scatter.level) pixels, by a "
                + (scatter.key.isSecret ? "secret key" : "known seed")
        case .contrast(let floor):
            return
                "luminance \(floor.raises ? "raised" : "lowered") to a contrast of at least \(short(floor.minimum)) to "
                + floor.content.words
        case .encode(let curve):
            return "encode light as " + (curve == .sRGB ? "sRGB" : "gamma \(short(curve.exponent))")
        }
    }
}

extension ColorMatrix {
    /// A phrase for the adjustment that results in this matrix, for example "brightness 0.1". If no known adjustment
    /// matches, the phrase lists the numbers of the matrix.
    fileprivate var words: String {
        if isNearly(.opaque) { return "opaque, over black" }
        if let color = straight, isNearly(.tint(color)) { return "tint \(color.words)" }
        for luma in [LumaWeights.rec709, .gpuImage] {
            let factor = red[0] - red[1]
            if isNearly(.saturation(factor, luma: luma)) { return "saturation \(short(factor))" }
            if isNearly(.rangeReduction(2 * alpha[0], luma: luma)) {
                return "luminance range reduced by \(short(2 * alpha[0]))"
            }
        }
        if isNearly(.brightness(alpha[0])) { return "brightness \(short(alpha[0]))" }
        if isNearly(.contrast(red[0])) { return "contrast \(short(red[0]))" }
        let rows = (0..<3).map { row in
            [red, green, blue, alpha, one].map { short($0[row]) }.joined(separator: " ")
        }
        return "colour matrix on r g b a 1: " + rows.joined(separator: " | ")
    }

    /// The colour of a matrix that draws a single colour over everything, as a straight (not premultiplied) colour; nil
    /// for other matrices.
    private var straight: Color? {
        guard one[3] > 0 else { return nil }
        // Rounding errors may make a quotient larger than 1.
        let color = (0..<3).map { min(one[$0] / one[3], 1) }
        return try? Color(red: color[0], green: color[1], blue: color[2], alpha: one[3])
    }

    private func isNearly(_ other: ColorMatrix) -> Bool {
        let pairs: [(SIMD4<Double>, SIMD4<Double>)] = [
            (red, other.red), (green, other.green), (blue, other.blue), (alpha, other.alpha), (one, other.one),
        ]
        return pairs.allSatisfy { pair in (0..<4).allSatisfy { abs(pair.0[$0] - pair.1[$0]) < 1e-9 } }
    }
}

extension Color {
    /// A phrase for the colour, for example "white 0.97 alpha 0.82" or "#ff0000 alpha 0.1".
    fileprivate var words: String {
        let text = red == green && green == blue ? "white \(short(red))" : String(description.dropLast(2))
        return "\(text) alpha \(short(alpha))"
    }
}

private func short(_ value: Double) -> String { numberText(value, decimals: 4) }
