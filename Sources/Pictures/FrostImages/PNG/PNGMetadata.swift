import CPNG
import FrostCore
import Glibc

/// Converts between libpng's chunks and ``ImageMetadata``.
extension ImageMetadata {
    /// Copies the metadata chunks that the PNG shim found.
    ///
    /// - Parameter channels: the channels of the picture.
    /// - Returns: the metadata, and the orientation that EXIF states.
    static func reading(
        _ chunks: frost_png_metadata, _ channels: ChannelLayout, _ problems: ReadProblems
    ) -> (ImageMetadata, Orientation) {
        var result = ImageMetadata()
        unsafe result.takeStatements(chunks, channels, problems)
        var orientation: Orientation?
        var points: CodePoints?
        var (hasXMP, compressed) = (false, 0)
        // SAFETY: the shim holds `raw_count` chunks of the stated sizes, and all of them are copied.
        guard let raw = unsafe chunks.raw_chunks else { return (result, .upright) }
        for i in unsafe 0..<chunks.raw_count {
            let chunk = unsafe raw[i]
            let name = unsafe withUnsafeBytes(of: chunk.name) { unsafe String(decoding: $0.prefix(4), as: UTF8.self) }
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: chunk.bytes, count: chunk.size))
            let text = PNGText(chunk: name, bytes: bytes)
            switch name {
            // libpng does not know cICP yet. The third byte stands for RGB, the fourth for the full range.
            case "cICP" where bytes.count == 4 && bytes[2...] == [0, 1]:
                points = points ?? CodePoints(primaries: UInt16(bytes[0]), transfer: UInt16(bytes[1]))
            case "mDCV" where bytes.count == 24 && result.masteringDisplay == nil: result.masteringDisplay = bytes
            case "cLLI" where bytes.count == 8 && result.contentLight == nil: result.contentLight = bytes
            case "eXIf" where orientation == nil: orientation = result.take(exif: bytes, problems)
            case "cICP" where bytes.count == 4 && bytes[2...] == [0, 0]:
                problems.add(
                    "its samples have the narrow range (cICP), which Frost does not know: the result has lost this")
            case "cICP", "cLLI", "eXIf", "mDCV": problems.leaveOut("chunk \(name)")
            default:
                if text.isCompressed { compressed += 1 }
                if compressed > maximumCompressed || hasXMP && text.isXMP {
                    problems.leaveOut(text.title)
                } else if text.isXMP {
                    hasXMP = true
                    result.take(xmp: text.xmp, problems)
                } else if let rebuilt = text.rebuilt(leaveOut: problems.leaveOut) {
                    result.texts.append(rebuilt)
                }
            }
        }
        if let points { result.take(points, problems) }
        let turn = orientation ?? .upright
        result.pixelDensity = turn.turned(result.pixelDensity)
        return (result, turn)
    }

    /// Stores code points, which take precedence over all other descriptions of the colours. Those that leave the colours
    /// unspecified change nothing. A profile stays beside code points of another ordinary curve or of other primaries: it describes
    /// the same colours to readers that do not know the code points, and in formats that cannot hold them.
    private mutating func take(_ points: CodePoints, _ problems: ReadProblems) {
        guard points == .sRGB || !points.isPlain else { return }
        let others = [CodePoints.linearTransfer, CodePoints.pqTransfer, CodePoints.hlgTransfer]
        if iccProfile != nil, others.contains(points.transfer) || points == .sRGB {
            problems.leaveOut("chunk iCCP")
            iccProfile = nil
        }
        (profileFault, gamma, chromaticities) = (iccProfile == nil ? nil : profileFault, nil, nil)
        renderingIntent = points == .sRGB ? .perceptual : nil
        codePoints = points == .sRGB ? nil : points
    }

    /// The largest number of compressed texts that are read. A small file could hold many that are large after
    /// decompression.
    private static let maximumCompressed = 32

    /// Copies the chunks that describe the colours and the density.
    private mutating func takeStatements(
        _ chunks: frost_png_metadata, _ channels: ChannelLayout, _ problems: ReadProblems
    ) {
        func has(_ chunk: frost_png_chunk) -> Bool { unsafe chunks.present & chunk.rawValue != 0 }
        // SAFETY: if the ICCP bit is set, libpng holds a zero-terminated name and `icc_size` bytes. Both are copied.
        if has(FROST_PNG_ICCP), let name = unsafe chunks.icc_name, let bytes = unsafe chunks.icc_bytes {
            let letters = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
            let profile = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(chunks.icc_size))
            let name = unsafe String(String.UnicodeScalarView(letters.map { Unicode.Scalar($0) }))
            unsafe take(ICCProfile(name: name, bytes: Array(profile)), for: channels, problems)
        }
        if has(FROST_PNG_ICCP_REFUSED) { profileFault = .unusable }
        if has(FROST_PNG_SRGB) { renderingIntent = unsafe RenderingIntent(rawValue: chunks.intent) }
        if has(FROST_PNG_GAMA) { gamma = unsafe chunks.gamma }
        if has(FROST_PNG_CHRM) {
            let c = unsafe chunks.chromaticities
            chromaticities = Chromaticities(
                white: .init(x: c.0, y: c.1), red: .init(x: c.2, y: c.3), green: .init(x: c.4, y: c.5),
                blue: .init(x: c.6, y: c.7))
        }
        if has(FROST_PNG_PHYS), let unit = unsafe PixelDensity.Unit(rawValue: chunks.density_unit) {
            pixelDensity = unsafe PixelDensity(x: chunks.density_x, y: chunks.density_y, unit: unit)
        }
    }

    /// The first bytes of an iTXt chunk that holds XMP: the keyword, followed by zero bytes. The zero bytes mean that
    /// there is no compression, no language and no translated keyword.
    private static let xmpPrefix = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)

    /// The chunks that libpng does not write itself: code points, light levels, EXIF, XMP and texts.
    private var rawChunks: [(name: String, bytes: [UInt8])] {
        let points = codePoints.map { [("cICP", [UInt8(clamping: $0.primaries), UInt8(clamping: $0.transfer), 0, 1])] }
        let light = [("mDCV", masteringDisplay), ("cLLI", contentLight)]
        return (points ?? []) + light.compactMap { (name, bytes) in bytes.map { (name, $0) } }
            + (exif.map { [("eXIf", $0)] } ?? [])
            + (xmp.map { [("iTXt", Self.xmpPrefix + $0)] } ?? [])
            + texts.map { ($0.chunk, $0.bytes) }
    }

    /// Calls `body` with the metadata chunks to write. The pointers in the chunks are valid only during the call.
    @unsafe func withChunks<Result>(_ body: (frost_png_metadata) -> Result) -> Result {
        let raw = rawChunks
        // SAFETY: the bytes of the chunks are in `storage`, which does not change during the call.
        let storage = raw.flatMap(\.bytes)
        return unsafe storage.withUnsafeBufferPointer { bytes in
            var next = 0
            var chunks: [frost_png_raw_chunk] = unsafe []
            for (name, content) in raw where !content.isEmpty {
                guard let base = bytes.baseAddress else { break }
                var chunk = unsafe frost_png_raw_chunk(name: (0, 0, 0, 0, 0), size: content.count, bytes: base + next)
                unsafe withUnsafeMutableBytes(of: &chunk.name) { unsafe $0.copyBytes(from: name.utf8.prefix(4)) }
                unsafe chunks.append(chunk)
                next += content.count
            }
            return unsafe chunks.withUnsafeBufferPointer { raw in
                unsafe withStatements {
                    var chunks = unsafe $0
                    unsafe chunks.raw_chunks = raw.baseAddress
                    unsafe chunks.raw_count = raw.count
                    return unsafe body(chunks)
                }
            }
        }
    }

    /// Calls `body` with the metadata chunks to write, apart from the raw chunks. The pointers in the chunks are valid
    /// only during the call.
    @unsafe private func withStatements<Result>(_ body: (frost_png_metadata) -> Result) -> Result {
        var chunks = unsafe frost_png_metadata()
        func add(_ chunk: frost_png_chunk) { unsafe chunks.present |= chunk.rawValue }
        if let renderingIntent {
            add(FROST_PNG_SRGB)
            unsafe chunks.intent = renderingIntent.rawValue
        }
        if let gamma {
            add(FROST_PNG_GAMA)
            unsafe chunks.gamma = gamma
        }
        if let chromaticities {
            let (white, red, green, blue) =
                (chromaticities.white, chromaticities.red, chromaticities.green, chromaticities.blue)
            add(FROST_PNG_CHRM)
            unsafe chunks.chromaticities =
                (white.x, white.y, red.x, red.y, green.x, green.y, blue.x, blue.y)
        }
        if let pixelDensity {
            add(FROST_PNG_PHYS)
            unsafe chunks.density_x = pixelDensity.x
            unsafe chunks.density_y = pixelDensity.y
            unsafe chunks.density_unit = pixelDensity.unit.rawValue
        }
        guard let iccProfile else { return unsafe body(chunks) }
        add(FROST_PNG_ICCP)
        unsafe chunks.icc_size = UInt32(clamping: iccProfile.bytes.count)
        // SAFETY: both pointers are used only within the call, and the name ends with a zero byte.
        return unsafe iccProfile.keyword.withUnsafeBytes { name in
            unsafe iccProfile.bytes.withUnsafeBufferPointer { bytes in
                unsafe chunks.icc_name = name.baseAddress?.assumingMemoryBound(to: CChar.self)
                unsafe chunks.icc_bytes = bytes.baseAddress
                return unsafe body(chunks)
            }
        }
    }
}

extension ICCProfile {
    /// The profile's name as a PNG keyword: 1 to 79 bytes of printable Latin-1 without leading, trailing or double
    /// spaces, followed by a zero byte.
    fileprivate var keyword: [UInt8] {
        let letters = name.unicodeScalars.map { scalar -> UInt8 in
            let value = UInt8(exactly: scalar.value) ?? 0
            return (33...126).contains(value) || value >= 161 ? value : value == 32 ? 32 : 63
        }
        var words = Array(letters.split(separator: 32).joined(separator: [32]).prefix(79))
        if words.last == 32 { words.removeLast() }
        return (words.isEmpty ? Array("ICC profile".utf8) : words) + [0]
    }
}
