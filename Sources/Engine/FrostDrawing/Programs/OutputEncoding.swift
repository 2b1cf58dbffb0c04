package import FrostCore

/// How a program without output stages writes its result. The values are the shader's constants STORE_….
package enum OutputEncoding: Int32, CaseIterable, Sendable {
    /// Writes values as computed, without rounding.
    case value
    /// Writes premultiplied colour, rounded to 8 bits.
    case premultiplied
    /// Writes straight colour: divided by the rounded alpha, and rounded to 8 bits.
    case straight
    /// Writes premultiplied colour, rounded to floats of 16 bits. Without this, some drivers would truncate.
    case halves
    /// Writes straight colour: divided by the rounded alpha, and rounded to floats of 16 bits.
    case dividedHalves

    /// The encodings of results that are read back.
    package static let readBack: [OutputEncoding] = [.value, .premultiplied, .straight]

    /// The encoding for a result that is read back. Colour of more than 8 bits is divided by alpha after it was read.
    package init(readBack format: PixelFormat) {
        guard format.sample.isEightBit else {
            self = .value
            return
        }
        self = format.needsPremultiplication ? .straight : .premultiplied
    }

    /// The encoding for a result in a texture or framebuffer of the host.
    package init(surface format: PixelFormat) {
        let isStraight = format.needsPremultiplication
        if format.sample.isEightBit {
            self = isStraight ? .straight : .premultiplied
        } else {
            self = isStraight ? .dividedHalves : .halves
        }
    }
}
