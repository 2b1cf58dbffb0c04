public import FrostCore

/// The reader and the encoder of a format. The encoder of a format that Frost only reads throws an error.
struct Codec {
    let reader: (ByteSource, ImageReadOptions, ReadProblems) throws(ImageError) -> any RowReader & ~Copyable
    let encoder:
        (PixelLayout, ImageMetadata, ImageFormat, ImageWriteOptions, EncodedBytes) throws(ImageError)
            -> any RowEncoder & ~Copyable
    /// Opens the library of the format for reading, if Frost opens it at run time.
    let load: (_ name: String) throws(ImageError) -> Void
    let encodingMemory: (PixelLayout, ImageWriteOptions) -> Int

    init<Reader: FormatReader & ~Copyable, Encoder: FormatEncoder & ~Copyable>(_: Reader.Type, _: Encoder.Type) {
        reader = { source, options, problems throws(ImageError) in
            try Reader(source: source, options, problems: problems)
        }
        encoder = { layout, metadata, format, options, output throws(ImageError) in
            try Encoder(layout, metadata, as: format, options, to: output)
        }
        load = { name throws(ImageError) in try Reader.load(name: name) }
        encodingMemory = { Encoder.memory(for: $0, $1) }
    }

    /// The codec of a format that Frost only reads.
    init<Reader: FormatReader & ~Copyable>(reading _: Reader.Type) {
        reader = { source, options, problems throws(ImageError) in
            try Reader(source: source, options, problems: problems)
        }
        encoder = { _, _, format, _, output throws(ImageError) in
            throw .cannotEncode(path: output.name, reason: "Frost does not write \(format.traits.title)")
        }
        load = { name throws(ImageError) in try Reader.load(name: name) }
        encodingMemory = { _, _ in 0 }
    }
}

extension ImageFormat {
    /// The codec of the format; nil in a build without the format. This is the only place that maps formats to codecs.
    private var codec: Codec? {
        switch self {
        case .png: return Codec(PNGReader.self, PNGEncoder.self)
        case .jpeg: return Codec(JPEGReader.self, JPEGEncoder.self)
        case .webp: return Codec(WebPReader.self, WebPEncoder.self)
        case .qoi: return Codec(QOIReader.self, QOIEncoder.self)
        case .ppm, .pgm, .pnm, .pam, .pfm: return Codec(NetpbmReader.self, NetpbmEncoder.self)
        case .bmp: return Codec(reading: BMPReader.self)
        case .gif: return Codec(reading: GIFReader.self)
        case .heic:
            #if HEIC
                return Codec(reading: HEICReader.self)
            #else
                return nil
            #endif
        case .tiff:
            #if TIFF
                return Codec(TIFFReader.self, TIFFEncoder.self)
            #else
                return nil
            #endif
        case .avif:
            #if AVIF
                return Codec(AVIFReader.self, AVIFEncoder.self)
            #else
                return nil
            #endif
        case .jxl:
            #if JPEGXL
                return Codec(JXLReader.self, JXLEncoder.self)
            #else
                return nil
            #endif
        }
    }

    /// Creates a reader of all frames of an animation.
    ///
    /// - Throws: ``ImageError/unsupported(path:format:reason:)`` for a format whose animations Frost does not read.
    func framesReader(
        _ source: ByteSource, _ options: ImageReadOptions, _ problems: ReadProblems
    ) throws(ImageError) -> any RowReader & ~Copyable {
        switch self {
        case .gif: return try FramesReader<GIFFrames>(source: source, options, problems: problems)
        case .webp: return try FramesReader<WebPFrames>(source: source, options, problems: problems)
        case .png: return try FramesReader<PNGFrames>(source: source, options, problems: problems)
        case .avif:
            #if AVIF
                return try FramesReader<AVIFFrames>(source: source, options, problems: problems)
            #else
                throw .unsupported(path: source.name, format: self, reason: absence)
            #endif
        case .jpeg, .qoi, .ppm, .pgm, .pnm, .pam, .pfm, .tiff, .jxl, .bmp, .heic:
            throw .unsupported(
                path: source.name, format: self,
                reason: "Frost does not read frames of \(traits.title), and a .gif is made of frames")
        }
    }

    /// Whether Frost reads all frames of an animation in this format.
    public var hasReadableFrames: Bool {
        switch self {
        case .gif, .webp, .png, .avif: true
        case .jpeg, .qoi, .ppm, .pgm, .pnm, .pam, .pfm, .tiff, .jxl, .bmp, .heic: false
        }
    }

    /// Returns the codec of the format. Throws if this build does not include the format.
    ///
    /// - Parameter name: the name of the picture, for the error.
    func codec(for name: String) throws(ImageError) -> Codec {
        guard let codec else { throw .cannotEncode(path: name, reason: absence) }
        return codec
    }

    /// Returns an estimate of the memory, in bytes, that writing a picture in this format takes, without the rows of
    /// the caller and without the bytes of the file that the sink keeps.
    ///
    /// - Parameters:
    ///   - layout: the layout of the picture.
    ///   - options: how to write the file.
    public func encodingMemory(for layout: PixelLayout, options: ImageWriteOptions) -> Int {
        codec?.encodingMemory(layout, options) ?? 0
    }
}
