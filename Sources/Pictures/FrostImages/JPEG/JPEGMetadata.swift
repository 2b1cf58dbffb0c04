import CJPEG
import FrostCore

/// Converts between the segments of a JPEG file and ``ImageMetadata``.
extension ImageMetadata {
    private static let exifName = Array("Exif\0\0".utf8)
    private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let profileName = Array("ICC_PROFILE\0".utf8)
    private static let mpfName = Array("MPF\0".utf8)
    /// How gain maps announce themselves: the segment of ISO 21496-1, and the XMP schema of Adobe and Google.
    private static let gainMapName = Array("urn:iso:std:iso:ts:21496:".utf8)
    private static let gainMapSchema = Array("http://ns.adobe.com/hdr-gain-map/1.0/".utf8)

    /// Returns the metadata and the orientation in the segments.
    static func reading(
        _ layout: frost_jpeg_layout, _ segments: [(marker: UInt32, bytes: [UInt8])], _ problems: ReadProblems
    ) -> (ImageMetadata, Orientation) {
        var result = ImageMetadata()
        var orientation = Orientation.upright
        var profile: [UInt8: [UInt8]] = [:]
        var parts = 0
        var hasEXIF = false
        var (hasPictures, hasGainMap) = (false, false)
        if layout.channels == 4 { result.colorModel = .cmyk }
        if layout.has_density { result.pixelDensity = PixelDensity(layout.density) }
        for (marker, bytes) in segments {
            switch marker {
            case 0xFE: result.take(comment: bytes, problems)
            case 0xE1 where bytes.starts(with: exifName) && !hasEXIF:
                hasEXIF = true
                orientation = result.take(exif: Array(bytes.dropFirst(exifName.count)), problems)
            case 0xE1 where bytes.starts(with: xmpName) && result.xmp == nil:
                hasGainMap = hasGainMap || bytes.contains(gainMapSchema)
                result.take(xmp: Array(bytes.dropFirst(xmpName.count)), problems)
            case 0xE2 where bytes.starts(with: profileName) && bytes.count >= profileName.count + 2:
                // A JPEG file stores an ICC profile in numbered pieces. The numbers begin at 1, and each piece states
                // the number of pieces.
                profile[bytes[profileName.count]] = Array(bytes.dropFirst(profileName.count + 2))
                parts = Int(bytes[profileName.count + 1])
            case 0xE0 where bytes.starts(with: Array("JFIF\0".utf8)):
                if bytes.count >= 14, bytes[12] > 0, bytes[13] > 0 { problems.leaveOut("the JFIF thumbnail") }
            default:
                hasPictures = hasPictures || marker == 0xE2 && bytes.starts(with: mpfName)
                hasGainMap = hasGainMap || marker == 0xE2 && bytes.starts(with: gainMapName)
                let name = PlainText.printable(bytes.prefix { (33...126).contains($0) })
                problems.leaveOut("segment APP\(marker & 15)" + (name.isEmpty ? "" : " (\(name))"))
            }
        }
        if hasPictures || hasGainMap {
            problems.add(
                hasGainMap
                    ? "its gain map was left out: the result has the brightness of an ordinary picture"
                    : "its further pictures (MPF) were left out")
        }
        if !profile.isEmpty {
            // If a piece of the profile is missing, the profile is dropped.
            let pieces = (1...max(parts, 1)).compactMap { profile[UInt8($0)] }
            let whole = pieces.count == parts ? Array(pieces.joined()) : []
            result.take(ICCProfile(bytes: whole), for: layout.channels == 1 ? .grey : .rgb, problems)
        }
        result.pixelDensity = orientation.turned(result.pixelDensity)
        return (result, orientation)
    }

    /// The metadata segments to write after the JPEG header. The segments of the ICC profile are not included. Metadata
    /// that exceed the maximum size of a segment, 65533 bytes, are omitted.
    var segments: [(marker: UInt32, bytes: [UInt8])] {
        var result: [(marker: UInt32, bytes: [UInt8])] = []
        if let exif { result.append((0xE1, Self.exifName + exif)) }
        if let xmp { result.append((0xE1, Self.xmpName + xmp)) }
        result += comments.map { (0xFE, $0) }
        return result.filter { $0.bytes.count <= 65533 }
    }
}

extension PixelDensity {
    static let inchesPerMetre = 1 / 0.0254

    /// Converts a JFIF density. Returns nil if JFIF states only that the pixels are square.
    fileprivate init?(_ density: frost_jpeg_density) {
        guard density.x > 0, density.y > 0 else { return nil }
        func perMetre(_ value: UInt16) -> UInt32 {
            let factor = density.unit == 1 ? Self.inchesPerMetre : 100
            return UInt32((Double(value) * factor).rounded())
        }
        switch density.unit {
        case 1, 2: self.init(x: perMetre(density.x), y: perMetre(density.y), unit: .perMetre)
        case 0 where density.x != density.y: self.init(x: UInt32(density.x), y: UInt32(density.y), unit: .unknown)
        default: return nil
        }
    }

    /// The density for JFIF. It is converted to pixels per inch, the usual unit, unless its unit is unknown. Nil if the
    /// numbers are 0 or do not fit in 16 bits.
    var jfif: frost_jpeg_density? {
        func number(_ value: UInt32) -> UInt16? {
            let number = unit == .perMetre ? (Double(value) / Self.inchesPerMetre).rounded() : Double(value)
            return number >= 1 ? UInt16(exactly: number) : nil
        }
        guard let x = number(x), let y = number(y) else { return nil }
        return frost_jpeg_density(unit: unit == .perMetre ? 1 : 0, x: x, y: y)
    }
}
