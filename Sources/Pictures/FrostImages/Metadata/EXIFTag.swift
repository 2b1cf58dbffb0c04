/// The tags of EXIF that Frost keeps, by the standard CIPA DC-008. No tag that can hold a picture is among them, and none
/// that counts pixels, because Frost turns pictures upright.
enum EXIFTag {
    /// The directories of an EXIF block whose tags are known.
    enum Directory { case main, exif, gps }

    /// What the value of a tag may be.
    enum Content {
        /// At most six numbers.
        case numbers
        /// At most four bytes.
        case bytes
        /// A plain text.
        case text
        /// A plain text after eight bytes that name its encoding.
        case comment
    }

    static let orientation = 0x0112
    /// The entries that hold the offsets of the other two directories.
    static let (exif, gps) = (0x8769, 0x8825)
    /// The entries of the densities along rows and along columns: of the picture, and of the sensor.
    static let densities = [(0x011A, 0x011B), (0xA20E, 0xA20F)]
    /// The largest number of bytes of a text.
    static let longestText = 1 << 14

    /// Returns what the value of a tag may be; nil if the tag is not kept.
    static func content(of tag: Int, in directory: Directory) -> Content? {
        switch directory {
        case .main:
            switch tag {
            // Description, maker, model, software, date, artist, computer, copyright.
            case 0x010E, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298: .text
            // Density, white point, primaries, Y'CbCr, rating.
            case 0x011A, 0x011B, 0x0128, 0x013E, 0x013F, 0x0211, 0x0213, 0x0214, 0x4746, 0x4749: .numbers
            default: nil
            }
        case .exif:
            switch tag {
            // Sensitivity's name, dates and their offsets, fractions of seconds.
            case 0x8824, 0x9003, 0x9004, 0x9010...0x9012, 0x9290...0x9292: .text
            // The picture's number; owner, serial numbers and names of camera and lens; title, photographer, software.
            case 0xA420, 0xA430, 0xA431, 0xA433...0xA43C: .text
            case 0x9286: .comment
            // Versions, channels, sources.
            case 0x9000, 0x9101, 0xA000, 0xA300, 0xA301: .bytes
            // Exposure, aperture, sensitivity, distance, light, flash, focal length, surroundings.
            case 0x829A, 0x829D, 0x8822, 0x8827, 0x8830...0x8835, 0x9102, 0x9201...0x920A, 0x9400...0x9405: .numbers
            // Colour space, flash energy, focal plane, sensor, modes of the camera, lens, gamma.
            case 0xA001, 0xA20B, 0xA20E...0xA210, 0xA215, 0xA217, 0xA401...0xA40A, 0xA40C, 0xA432, 0xA460, 0xA461,
                0xA500:
                .numbers
            default: nil
            }
        case .gps:
            switch tag {
            // References, satellites, status, mode, datum, date.
            case 0x01, 0x03, 0x08...0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x13, 0x15, 0x17, 0x19, 0x1D: .text
            case 0x1B, 0x1C: .comment
            // Version, coordinates, altitude, time, precision, speed, directions, distance.
            case 0x00, 0x02, 0x04...0x07, 0x0B, 0x0D, 0x0F, 0x11, 0x14, 0x16, 0x18, 0x1A, 0x1E, 0x1F: .numbers
            default: nil
            }
        }
    }

    /// The number of a tag as text for messages, with the names of those that most often hold pictures.
    static func text(_ tag: Int) -> String {
        let digits = String(tag, radix: 16, uppercase: true)
        let number = "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let names = [
            0x0111: "strips", 0x014A: "further directories", 0x0201: "thumbnail", 0x02BC: "XMP", 0x83BB: "IPTC",
            0x8649: "Photoshop", 0x8773: "colour profile", 0x927C: "maker's note", 0x935C: "Photoshop layers",
        ]
        return number + (names[tag].map { " (\($0))" } ?? "")
    }
}
