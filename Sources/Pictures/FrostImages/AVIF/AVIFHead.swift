#if AVIF
    import CAVIF
    import FrostCore

    /// What the header of an AVIF file states of its picture.
    struct AVIFHead {
        /// The layout of the pixels in the file.
        let layout: PixelLayout
        let metadata: ImageMetadata
        let orientation: Orientation
        /// The part of the stored picture that is shown.
        let crop: Rect

        /// - Parameter decoder: a decoder that has parsed the file.
        @unsafe init(
            _ decoder: UnsafeMutablePointer<avifDecoder>, _ file: [UInt8], _ options: ImageReadOptions,
            _ source: ByteSource, _ problems: ReadProblems
        ) throws(ImageError) {
            let name = source.name
            let image = unsafe decoder.pointee.image.pointee
            let hasAlpha = unsafe decoder.pointee.alphaPresent != 0
            let (width, height) = unsafe (Int(image.width), Int(image.height))
            try options.limits.check(width: width, height: height, name: name)
            try options.limits.check(width: width, height: height, of: source)
            var crop = Rect(x: 0, y: 0, width: width, height: height)
            if unsafe image.transformFlags & AVIF_TRANSFORM_CLAP.rawValue != 0 {
                guard let found = unsafe Rect(image.clap, width: width, height: height) else {
                    throw .corrupt(
                        path: name, format: .avif,
                        reason: "its crop is not a rectangle of whole pixels in the picture", offset: nil)
                }
                crop = found
            }
            metadata = unsafe ImageMetadata(image, problems)
            for name in ISOItems(file).leftOut(hasAlpha: hasAlpha) { problems.leaveOut(name) }
            let isGrey = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 && metadata.iccProfile?.space != "RGB "
            var channels: ChannelLayout = isGrey ? .grey : .rgb
            if hasAlpha { channels = channels.addingAlpha }
            let format = PixelFormat(channels, unsafe image.depth == 8 ? .u8 : .u16, colorSpace: metadata.colorSpace)
            layout = try PixelLayout(reading: width, height, format, name: name)
            orientation = unsafe Orientation(image)
            self.crop = crop
        }
    }

    extension Rect {
        /// Converts the clean aperture of a picture: its size, and the distance of its centre from that of the picture. Both
        /// are fractions. Returns nil if the rectangle has no whole pixels, or is not within the picture.
        fileprivate init?(_ box: avifCleanApertureBox, width: Int, height: Int) {
            func side(_ n: UInt32, _ d: UInt32, _ offsetN: UInt32, _ offsetD: UInt32, of whole: Int) -> (Int, Int)? {
                let (n, d, offset) = (Int(n), Int(d), Int(Int32(bitPattern: offsetN)))
                let twice = 2 * Int(offsetD)
                guard d > 0, n % d == 0, twice > 0, n / d > 0, n / d <= whole else { return nil }
                let start = (whole - n / d) * Int(offsetD) + 2 * offset
                guard start >= 0, start % twice == 0, start / twice + n / d <= whole else { return nil }
                return (start / twice, n / d)
            }
            guard let x = side(box.widthN, box.widthD, box.horizOffN, box.horizOffD, of: width),
                let y = side(box.heightN, box.heightD, box.vertOffN, box.vertOffD, of: height)
            else { return nil }
            self.init(x: x.0, y: y.0, width: x.1, height: y.1)
        }
    }

    extension ImageMetadata {
        /// Collects the metadata of an AVIF image.
        fileprivate init(_ image: avifImage, _ problems: ReadProblems) {
            self.init()
            let isGrey = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
            if let profile = unsafe image.icc.array.map({ ICCProfile(bytes: $0) }) {
                // A file with an RGB profile but without chroma may be a grey picture that was stored as RGB. The
                // reader returns RGB pixels for such a file, so that they match the profile.
                take(profile, for: isGrey && profile.space != "RGB " ? .grey : .rgb, problems)
            }
            if iccProfile == nil {
                let points = unsafe CodePoints(
                    primaries: image.colorPrimaries, transfer: image.transferCharacteristics)
                if points == .sRGB { renderingIntent = .perceptual }
                if !points.isPlain { codePoints = points }
            }
            // AVIF states the orientation outside EXIF, and an orientation in EXIF only repeats it.
            if let block = unsafe image.exif.array { _ = take(exif: block, problems) }
            if let packet = unsafe image.xmp.array { take(xmp: packet, problems) }
            if unsafe image.depth > 8 { significantBits = unsafe Int(image.depth) }
        }
    }

    extension avifRWData {
        /// A copy of libavif's bytes; nil if there are none.
        fileprivate var array: [UInt8]? {
            // SAFETY: libavif's buffer holds `size` bytes.
            unsafe size == 0 ? nil : Array(UnsafeBufferPointer(start: data, count: size))
        }
    }

    extension Orientation {
        /// Combines AVIF's two transforms: first a counterclockwise rotation, then a mirror.
        fileprivate init(_ image: avifImage) {
            let turned = unsafe image.transformFlags & AVIF_TRANSFORM_IROT.rawValue != 0 ? image.irot.angle & 3 : 0
            let isMirrored = unsafe image.transformFlags & AVIF_TRANSFORM_IMIR.rawValue != 0
            let plain: [Orientation] = [.upright, .turnedLeft, .turnedHalf, .turnedRight]
            let topToBottom: [Orientation] = [.flipped, .transposed, .mirrored, .transversed]
            let leftToRight: [Orientation] = [.mirrored, .transversed, .flipped, .transposed]
            let all = unsafe isMirrored ? (image.imir.mode == 0 ? topToBottom : leftToRight) : plain
            self = all[Int(turned)]
        }
    }
#endif
