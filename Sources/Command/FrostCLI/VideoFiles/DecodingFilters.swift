import FrostImages

/// How ffmpeg converts, checks and turns the frames before Frost gets them.
extension VideoCommands {
    /// Whether the decoder makes luma and chroma in planes.
    private var isPlanar: Bool { source.video.pixelFormat.map { DecodedFormat.isPlanar($0) } ?? false }

    /// The filters between the decoder and Frost.
    var decodingFilters: [String] {
        let toRGB = format.scalerMatrix.map { ["scale=in_color_matrix=\($0):in_range=\(range)"] } ?? []
        let convert = toRGB + ["format=\(format.name)"]
        var filters = isPlanar ? sizeCheck : convert + sizeCheck
        if arguments.has(.deinterlace) {
            // The frames of some files are not marked as interlaced, but their container is.
            filters.append("bwdif=mode=send_frame" + (source.video.isInterlaced ? "" : ":deint=interlaced"))
        }
        if isPlanar { filters += convert }
        switch turn {
        case .none, .free: break
        case .exact(let turning, _): filters += turning
        }
        return filters
    }

    /// The filter that fails if the size of the frames changes, or the size of their chroma. ffmpeg would scale them without a
    /// word, and rectangles would be in the wrong place.
    private var sizeCheck: [String] {
        guard !acceptsFaults || hides, let width = source.side("width"), let height = source.side("height") else {
            return []
        }
        switch turn {
        // ffmpeg turns the frames before this filter.
        case .free: return []
        case .none, .exact: break
        }
        var isSame = "eq(iw,\(width))*eq(ih,\(height))"
        // Hardware may decode to another format.
        if isPlanar, !arguments.has(.hwaccel) {
            isSame += "*eq(hsub,\(format.chroma.columns))*eq(vsub,\(format.chroma.rows))"
        }
        return ["crop=w='if(\(isSame),iw,0)':h=ih:x=0:y=0:exact=1"]
    }

    /// Returns the error for frames that change, if ffmpeg has found such frames; otherwise nil.
    ///
    /// - Parameter words: what ffmpeg has printed.
    func change(_ words: String) -> String? {
        guard words.contains("non positive size for width '0'") else { return nil }
        return "the size or chroma format of its frames changes; make them equal first (ffmpeg -i IN -vf "
            + "scale=W:H,format=yuv420p COPY)" + (hides ? "" : ", or use --fail-on none")
    }

    /// The flags of ffmpeg's scaler. Chroma is repeated, not interpolated, if it is not converted to RGB.
    var scaler: String {
        (format.interpolatesChroma ? "bicubic" : "neighbor") + "+accurate_rnd+full_chroma_int+full_chroma_inp"
    }

    /// Returns why ffmpeg would mix hidden pixels into those beside them; nil if it does not.
    static func mixing(_ source: VideoSource, _ format: DecodedFormat, _ turn: FrameTurn) -> String? {
        let remedy = "redact a copy without the rotation (ffmpeg -i IN -c copy -metadata:s:v rotate=0 COPY)"
        switch turn {
        case .none: break
        case .free: return "its rotation mixes hidden pixels into those beside them; \(remedy)"
        case .exact:
            let (width, height) = (source.side("width") ?? 0, source.side("height") ?? 0)
            if width % format.chroma.columns + height % format.chroma.rows != 0 {
                return
                    "chroma samples on the border of its odd sides move when it is turned, so a redaction may leave hidden "
                    + "colours; \(remedy)"
            }
        }
        guard format.interpolatesChroma else { return nil }
        let name = source.video.pixelFormat ?? ""
        return "a redaction may leave hidden colours beside the rectangles of frames in \(name); redact a copy without "
            + "transparency"
    }
}
