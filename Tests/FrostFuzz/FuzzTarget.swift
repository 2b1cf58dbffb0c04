import FrostImages

/// A part of Frost that reads bytes from outside, as a function for coverage-guided fuzzing.
///
/// ``run(_:)`` must return for all bytes: every fault of the bytes is an error that the function catches. It also
/// checks laws that hold for all bytes, and traps if one is broken. `Tools/fuzz` searches for bytes that end the
/// process, and the tests repeat the files of Tests/fuzz.
public enum FuzzTarget: String, CaseIterable, Sendable {
    // Files of pictures, with their metadata.
    case png, jpeg, webp, qoi, netpbm, tiff, avif, jxl, bmp, gif, heic
    /// Animations, of which all frames are read.
    case animation
    // Video streams.
    case y4m, raw
    // Texts of the command line.
    case arguments, color, effect, rectangle, template, transition
    // Other files.
    case boxes, manifest, program, scene
    /// Descriptions of dma-bufs.
    case dmabuf
    /// Messages from the process of a sandbox.
    case sandbox
    /// Requests to a server.
    case request

    /// Gives the bytes to the part of Frost.
    public func run(_ bytes: [UInt8]) {
        switch self {
        case .png: FuzzImages.run(bytes, [.png])
        case .jpeg: FuzzImages.run(bytes, [.jpeg])
        case .webp: FuzzImages.run(bytes, [.webp])
        case .qoi: FuzzImages.run(bytes, [.qoi])
        case .netpbm: FuzzImages.run(bytes, [.ppm, .pgm, .pnm, .pam, .pfm])
        case .tiff: FuzzImages.run(bytes, [.tiff])
        case .avif: FuzzImages.run(bytes, [.avif])
        case .jxl: FuzzImages.run(bytes, [.jxl])
        case .bmp: FuzzImages.run(bytes, [.bmp])
        case .gif: FuzzImages.run(bytes, [.gif])
        case .animation: FuzzImages.runFrames(bytes)
        case .heic: FuzzImages.run(bytes, [.heic])
        case .y4m: FuzzVideo.runY4M(bytes)
        case .raw: FuzzVideo.runRaw(bytes)
        case .arguments: FuzzTexts.runArguments(bytes)
        case .color: FuzzTexts.runColor(bytes)
        case .effect: FuzzTexts.runEffect(bytes)
        case .rectangle: FuzzTexts.runRectangle(bytes)
        case .template: FuzzTexts.runTemplate(bytes)
        case .transition: FuzzTexts.runTransition(bytes)
        case .boxes: FuzzFiles.runBoxes(bytes)
        case .manifest: FuzzFiles.runManifest(bytes)
        case .program: FuzzFiles.runProgram(bytes)
        case .scene: FuzzFiles.runScene(bytes)
        case .dmabuf: FuzzFiles.runDMABuffer(bytes)
        case .sandbox: FuzzSandbox.run(bytes)
        case .request: FuzzRequests.run(bytes)
        }
    }

    /// The words of the target's language. libFuzzer combines them; it cannot guess long words.
    public var words: [String] {
        switch self {
        case .effect: FuzzTexts.effectWords
        case .transition: FuzzTexts.transitionWords
        case .arguments: FuzzTexts.optionWords
        case .color, .rectangle: ["center", "northeast", "rebeccapurple", "%", "1e308", "-0", "nan", "inf"]
        case .template: ["{stem}", "{dir}", "{tree}", "{ext}", "..", "/"]
        case .boxes:
            ["file,", "frame,", "x,y,w,h", "x1,y1,x2,y2", "xywh", "xyxy", "{", "[[", "],[", "\\x0A", "1e9", "-1"]
        case .manifest: ["schema", "frost.manifest/1", "\\\\u", "\\\\ud83d\\\\ude00", "true", "null"]
        case .y4m:
            ["YUV4MPEG2 ", "FRAME", " C420jpeg", " C444alpha", " C422p10", " Cmono16", " F30:1", " XCOLORRANGE=FULL"]
        case .netpbm: ["P7", "TUPLTYPE RGB_ALPHA", "MAXVAL 65535", "ENDHDR", "WIDTH", "HEIGHT", "DEPTH", "PF", "-1.0"]
        case .png:
            [
                "IHDR", "IDAT", "IEND", "iCCP", "eXIf", "tEXt", "zTXt", "iTXt", "acTL", "fcTL", "fdAT", "cICP", "cHRM",
                "sBIT",
            ]
        case .webp: ["RIFF", "WEBP", "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP "]
        case .scene:
            [
                "width", "height", "duration", "background", "panels", "reveal", "dynamics", "behaviors", "keyframes",
                "effect",
                "rect", "corners", "time", "value", "spring", "gravity", "attachment", "collision", "snap", "push",
                "transition",
                "color", "picture", "video", "1e308", "-1",
            ]
        case .jpeg:
            [
                "JFIF", "Exif", "Adobe", "ICC_PROFILE", "http://ns.adobe.com/xap/1.0/", "\\xFF\\xC0", "\\xFF\\xC2",
                "\\xFF\\xC4", "\\xFF\\xDA", "\\xFF\\xDB", "\\xFF\\xDD", "\\xFF\\xE1", "\\xFF\\xE2", "\\xFF\\xEE",
                "\\xFF\\xFE",
            ]
        case .tiff:
            // A little-endian entry begins with the tag and the type, here SHORT: bits, compression, photometric, fill
            // order, orientation, samples, planes, predictor, tiles, extra samples, sample format.
            [0x0102, 0x0103, 0x0106, 0x010A, 0x0112, 0x0115, 0x011C, 0x013D, 0x0142, 0x0143, 0x0152, 0x0153].map {
                "\\x\(hex($0 & 255))\\x\(hex($0 >> 8))\\x03\\x00"
            }
        case .avif, .heic:
            [
                "ftypavif", "ftypheic", "hvcC", "meta", "iprp", "ipco", "ipma", "av1C", "ispe", "pixi", "irot", "imir",
                "clap", "colr",
                "nclx",
                "prof", "auxC", "auxl", "iref", "iloc", "iinf", "infe", "Exif", "mime", "prem", "mdat",
            ]
        case .jxl: ["JXL ", "ftypjxl ", "jxlc", "jxlp", "Exif", "xml ", "brob", "\\xFF\\x0A"]
        case .gif, .animation:
            ["GIF89a", "NETSCAPE2.0", "\\x21\\xF9\\x04", "ANMF", "ANIM", "acTL", "fcTL", "fdAT", "IDAT", "IEND"]
        case .bmp: ["BM", "sRGB", "DEBM", "KNIL"]
        case .sandbox:
            [
                "grey", "greyAlpha", "rgb", "rgba", "bgra", "u8", "u16", "f16", "f32", "straight", "premultiplied",
                "tEXt",
            ]
        case .request:
            [
                "/blur?sigma=", "&rect=", "signature=", "%2F", "http://", "image/webp;q=0.5", "*/*", "W/\\x22",
                "--b\\x0D\\x0A",
                "--b--", "Content-Disposition: form-data; name=", "filename=", "\\x0D\\x0A\\x0D\\x0A",
            ]
        case .qoi, .raw, .program, .dmabuf: []
        }
    }

    private func hex(_ byte: Int) -> String { String(byte + 256, radix: 16).suffix(2).uppercased() }
}
