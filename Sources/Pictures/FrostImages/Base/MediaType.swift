extension ImageFormat {
    /// The media type of the format's files, as HTTP and data URIs name it.
    package var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        case .qoi: "image/qoi"
        case .ppm: "image/x-portable-pixmap"
        case .pgm: "image/x-portable-graymap"
        case .pnm: "image/x-portable-anymap"
        case .pam: "image/x-portable-arbitrarymap"
        case .pfm: "image/x-portable-floatmap"
        case .tiff: "image/tiff"
        case .avif: "image/avif"
        case .jxl: "image/jxl"
        case .bmp: "image/bmp"
        case .heic: "image/heic"
        case .gif: "image/gif"
        }
    }
}
