import Frost
import FrostImages

/// The pixel format in which ffmpeg gives Frost the frames of a video, and its meaning.
///
/// It is that of the decoder, if Frost knows it. Other formats are reordered without loss, if possible: nv12 to yuv420p.
struct DecodedFormat {
    /// The name of the pixel format in ffmpeg.
    let name: String
    let coding: VideoFormat.Coding
    /// The matrix of the stream, if Frost cannot compute with it. The frames can be processed only without it.
    let unknownMatrix: String?
    /// The matrix by which ffmpeg converts luma and chroma to RGB and back, as its filter `scale` names it; nil if it converts
    /// nothing.
    let scalerMatrix: String?
    /// The pixel format for the encoder, if that of the frames has copies of chroma samples; nil for that of the frames.
    let stored: String?
    /// The numbers of columns and rows that one chroma sample of the source covers.
    let chroma: (columns: Int, rows: Int)
    /// Whether ffmpeg interpolates the chroma of the source when it converts it to RGB.
    let interpolatesChroma: Bool

    /// The pixel format that the encoder gets, if Frost's frames are luma and chroma.
    var encoded: String { stored ?? name }

    /// Whether the frames are pixels of red, green and blue.
    var isRGB: Bool {
        switch coding {
        case .pixels: true
        case .yuv: false
        }
    }

    /// Chooses the format for a stream; nil if Frost cannot process the stream's pixel format.
    init?(_ stream: VideoSource.Stream, turn: FrameTurn) {
        guard let given = stream.pixelFormat else { return nil }
        let width = stream["width"].flatMap { Int($0) } ?? 0
        let height = stream["height"].flatMap { Int($0) } ?? 0
        let stated = stream["color_space"]
        let matrix = stated.map { Self.matrices[$0] } ?? .usual(width: width, height: height)
        let known = Self.planar[given] ?? given
        let own = Self.coding(given) ?? Self.coding(known) ?? .plain
        chroma = (1 << own.shiftX, 1 << own.shiftY)
        if var coding = Self.coding(known) {
            var (shown, wanted) = (known, given == "yuvj411p" || Self.coding(given) == nil ? known : given)
            if turn.swapsSides, coding.shiftX != coding.shiftY {
                // ffmpeg does not turn frames whose chroma differs along rows and columns.
                shown = Self.with("444", known)
                (coding.shiftX, coding.shiftY) = (0, 0)
                if own.shiftX < own.shiftY { wanted = Self.with("422", wanted) }
            }
            let (x, y) = turn.swapsSides ? (own.shiftY, own.shiftX) : (own.shiftX, own.shiftY)
            (coding.copiesX, coding.copiesY) = (x - coding.shiftX, y - coding.shiftY)
            coding.matrix = matrix ?? .bt709
            unknownMatrix = matrix == nil ? stated : nil
            coding.isFullRange = known.hasPrefix("yuvj") || stream["color_range"] == "pc"
            coding.siting = Self.siting(stream)
            // ffmpeg would otherwise convert full range to limited range when it reorders samples.
            let isJPEG = coding.isFullRange && coding.depth == 8
            name = Self.named(shown, isJPEG: isJPEG)
            self.coding = .yuv(coding)
            stored = Self.named(wanted, isJPEG: isJPEG) == name ? nil : Self.named(Self.limited(wanted), isJPEG: false)
            scalerMatrix = nil
            interpolatesChroma = false
            return
        }
        guard let rgb = Self.rgb(given) else { return nil }
        guard let format = VideoFormat.raw.first(where: { $0.name == rgb })?.format else { return nil }
        (name, coding, unknownMatrix, stored) = (rgb, .pixels(format), nil, nil)
        scalerMatrix = given.hasPrefix("yuv") ? Self.scalerName(matrix ?? .bt709) : nil
        interpolatesChroma = given.hasPrefix("yuv") && !given.contains("444")
    }
    /// Returns ffmpeg's name of the matrix that players assume for the stream, which does not state one, if they would assume
    /// another for frames of another size; nil if the matrix does not matter.
    func assumedMatrix(besides size: VideoFormat) -> String? {
        guard case .yuv(let coding) = coding, !coding.isGrey, unknownMatrix == nil,
            coding.matrix != .usual(width: size.width, height: size.height)
        else { return nil }
        return coding.matrix == .bt601 ? "smpte170m" : "bt709"
    }

    private static func scalerName(_ matrix: YUVCoding.Matrix) -> String {
        switch matrix {
        case .bt601: "bt601"
        case .bt709: "bt709"
        case .bt2020: "bt2020"
        case .smpte240M: "smpte240m"
        case .fcc: "fcc"
        }
    }

    /// The formats with the same samples in planes, or with copies of chroma samples if NUT has no name for the format.
    private static let planar = [
        "nv12": "yuv420p", "nv21": "yuv420p", "nv16": "yuv422p", "nv24": "yuv444p", "nv42": "yuv444p",
        "p010le": "yuv420p10le", "p012le": "yuv420p12le", "p016le": "yuv420p16le", "p210le": "yuv422p10le",
        "p216le": "yuv422p16le", "p410le": "yuv444p10le", "p416le": "yuv444p16le", "yuyv422": "yuv422p",
        "uyvy422": "yuv422p", "yvyu422": "yuv422p", "uyyvyy411": "yuv411p", "y210le": "yuv422p10le",
        "nv20le": "yuv422p10le", "yuvj411p": "yuvj422p", "yuv440p10le": "yuv444p10le", "yuv440p10be": "yuv444p10le",
        "yuv440p12le": "yuv444p12le", "yuv440p12be": "yuv444p12le",
    ]

    private static let matrices: [String: YUVCoding.Matrix] = [
        "bt709": .bt709, "smpte170m": .bt601, "bt470bg": .bt601, "bt2020nc": .bt2020, "smpte240m": .smpte240M,
        "fcc": .fcc,
    ]

    /// Returns the name of a format of two bytes a sample with the first byte low.
    private static func littleEndian(_ name: String) -> String {
        name.hasSuffix("be") ? name.dropLast(2) + "le" : name
    }

    /// Whether a format has luma and chroma in planes, or only luma, and Frost knows it.
    static func isPlanar(_ name: String) -> Bool { coding(name) != nil }

    /// Whether a format has transparency.
    static func hasAlpha(_ name: String) -> Bool {
        alphaPrefixes.contains { name.hasPrefix($0) } || ["ya8", "ya16le", "ya16be", "pal8"].contains(name)
    }

    /// Returns the number of bits of a format's samples, as its name states it.
    static func depth(_ name: String) -> Int {
        let plain = name.hasSuffix("le") || name.hasSuffix("be") ? name.dropLast(2) : name[...]
        if ["rgb48", "bgr48", "rgba64", "bgra64", "ayuv64", "p016", "p216", "p416"].contains(plain) { return 16 }
        if plain.hasSuffix("f32") { return 32 }
        if plain == "nv20" { return 10 }
        // Formats of one byte a sample have no order of bytes in their names.
        guard plain != name, let start = plain.lastIndex(where: { !("0"..."9").contains($0) }) else { return 8 }
        let number = Int(plain[plain.index(after: start)...]) ?? 8
        return number % 100 < 9 || number > 416 ? 8 : number % 100
    }

    /// Returns the coding that a name such as yuv420p10le describes; nil for all other names.
    private static func coding(_ name: String) -> YUVCoding? {
        var rest = name[...]
        var coding = YUVCoding.plain
        if rest.hasPrefix("gray") {
            rest = rest.dropFirst(4)
            coding.isGrey = true
        } else {
            guard rest.hasPrefix("yuv") else { return nil }
            rest = rest.dropFirst(3)
            coding.hasAlpha = rest.hasPrefix("a")
            if rest.hasPrefix("j") || rest.hasPrefix("a") { rest = rest.dropFirst() }
            switch rest.prefix(4) {
            case "420p": (coding.shiftX, coding.shiftY) = (1, 1)
            case "422p": coding.shiftX = 1
            case "440p": coding.shiftY = 1
            case "444p": break
            case "411p": coding.shiftX = 2
            case "410p": (coding.shiftX, coding.shiftY) = (2, 2)
            default: return nil
            }
            rest = rest.dropFirst(4)
        }
        if rest.isEmpty { return coding }
        guard rest.hasSuffix("le") || rest.hasSuffix("be"), let depth = Int(rest.dropLast(2)), (9...16).contains(depth),
            !coding.hasAlpha
        else { return nil }
        coding.depth = depth
        return coding
    }

    private static func siting(_ stream: VideoSource.Stream) -> YUVCoding.Siting {
        switch stream["chroma_location"] {
        case "center": .center
        case "topleft": .topLeft
        case nil where ["mjpeg", "mpeg1video"].contains(stream.codec): .center
        default: .left
        }
    }

    /// Returns a name such as yuv422p10le with other digits of chroma.
    private static func with(_ chroma: String, _ name: String) -> String {
        guard let digits = name.firstIndex(of: "4") else { return name }
        return name[..<digits] + chroma + name[digits...].dropFirst(3)
    }

    /// Returns the name of a format without the statement that its samples have the full range.
    private static func limited(_ name: String) -> String {
        name.hasPrefix("yuvj") ? "yuv" + name.dropFirst(4) : name
    }

    /// Returns ffmpeg's name of a format whose samples have the full range, if this has another name.
    private static func named(_ name: String, isJPEG: Bool) -> String {
        let hasJPEG = ["yuv420p", "yuv422p", "yuv440p", "yuv444p"].contains(name)
        return isJPEG && hasJPEG ? "yuvj" + name.dropFirst(3) : littleEndian(name)
    }

    private static let alphaPrefixes = ["yuva", "rgba", "bgra", "argb", "abgr", "gbrap", "ayuv"]

    /// Returns the format of red, green and blue that holds what another one holds; nil for unknown formats.
    private static func rgb(_ name: String) -> String? {
        let deep = ["48", "64", "p9", "p10", "p12", "p14", "p16", "f32", "x2", "16le", "16be"]
        let isDeep = deep.contains { name.contains($0) }
        if ["ya8", "ya16le", "ya16be", "pal8"].contains(name) { return isDeep ? "rgba64le" : "rgba" }
        if alphaPrefixes.contains(where: { name.hasPrefix($0) }) {
            return isDeep ? "rgba64le" : "rgba"
        }
        if ["rgb", "bgr", "gbr", "0rgb", "0bgr", "x2rgb", "x2bgr", "mono", "xyz"].contains(where: { name.hasPrefix($0) }
        ) {
            return isDeep || name.hasPrefix("xyz") ? "rgb48le" : "rgb24"
        }
        return nil
    }
}
