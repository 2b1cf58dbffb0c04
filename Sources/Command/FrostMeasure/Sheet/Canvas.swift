import CCairo
import Frost
import FrostCLI

/// A page on which Cairo draws. The library Cairo is opened at run time. Lengths are in pixels, and the origin is the
/// upper left corner.
///
/// Cairo's simple text functions are enough here: names and summaries of effects are English.
// SAFETY: Cairo's objects and the pixels that they use are freed only by `deinit`.
@safe final class Canvas {
    /// Red, green, blue and alpha, from 0 to 1.
    typealias Ink = SIMD4<Double>

    /// A font of the system's sans-serif family.
    struct Font {
        let size: Double
        var isBold = false
    }

    let width: Int
    let height: Int
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let cairo: frost_cairo

    private static let library = Result { () throws(SharedLibraryError) -> frost_cairo in
        // SAFETY: one list of functions defines both the members of the struct and the names, so they have the same
        // order.
        try unsafe SharedLibrary.table(frost_cairo_name_list(), frost_cairo_name_count(), in: ["libcairo.so.2"])
    }

    /// Creates an empty page that is filled with `background`.
    ///
    /// - Throws: ``CanvasError`` if Cairo is not installed.
    init(width: Int, height: Int, background: Ink) throws(CanvasError) {
        do { cairo = try Self.library.get() } catch {
            throw CanvasError(
                reason: "drawing needs Cairo, which cannot be loaded (Debian's package is libcairo2): \(error)")
        }
        (self.width, self.height) = (width, height)
        // SAFETY: the surface uses these bytes until `deinit` destroys it. Rows of 4 bytes per pixel have the alignment
        // that Cairo asks for.
        unsafe bytes = .allocate(capacity: width * height * 4)
        unsafe bytes.initialize(repeating: 0)
        guard let start = unsafe bytes.baseAddress else { preconditionFailure("the page is empty") }
        unsafe surface = unsafe cairo.image_surface_create_for_data(
            start, Int32(FROST_CAIRO_ARGB32), Int32(width), Int32(height), Int32(width * 4))
        unsafe context = unsafe cairo.create(surface)
        use(background)
        unsafe cairo.paint(context)
    }

    deinit {
        // SAFETY: this object has the only references to the context, the surface and the bytes.
        unsafe cairo.destroy(context)
        unsafe cairo.surface_destroy(surface)
        unsafe bytes.deallocate()
    }

    // MARK: Text

    /// Returns the width of a line of text.
    func width(of text: String, in font: Font) -> Double {
        use(font)
        var extents = frost_cairo_extents()
        // SAFETY: `extents` is filled in during the call.
        unsafe cairo.text_extents(context, text, &extents)
        return extents.x_advance
    }

    /// Draws a line of text that begins at `x` and whose baseline is at `y`.
    func draw(_ text: String, x: Double, y: Double, _ font: Font, _ ink: Ink) {
        use(font)
        use(ink)
        // SAFETY: the context lives as long as this object, here and below.
        unsafe cairo.move_to(context, x, y)
        unsafe cairo.show_text(context, text)
    }

    /// Divides a text into lines that are at most `width` wide. Lines break at spaces. A word that is wider than a line
    /// also breaks at its hyphens.
    func lines(of text: String, in font: Font, width: Double) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if self.width(of: longer, in: font) <= width {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for part in Self.parts(word) {
                if !line.isEmpty, self.width(of: line + part, in: font) > width {
                    lines.append(line)
                    line = ""
                }
                line += part
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Splits a word at its hyphens. Each part keeps the hyphen at its end.
    private static func parts(_ word: Substring) -> [String] {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in index < parts.count - 1 ? part + "-" : String(part) }
    }

    // MARK: Shapes and pictures

    func fill(x: Double, y: Double, width: Double, height: Double, _ ink: Ink) {
        use(ink)
        unsafe cairo.rectangle(context, x, y, width, height)
        unsafe cairo.fill(context)
    }

    /// Draws a picture with rounded corners and a hairline around it. The picture must be premultiplied 8-bit RGBA.
    func draw(_ image: PixelBuffer, x: Int, y: Int, radius: Double, border: Ink) {
        precondition(image.format.channels == .rgba && image.format.sample == .u8, "the picture is not RGBA of 8 bits")
        var pixels: [UInt8] = []
        pixels.reserveCapacity(image.width * image.height * 4)
        for row in 0..<image.height {
            for column in 0..<image.width {
                let from = row * image.layout.bytesPerRow + column * 4
                let (red, green, blue, alpha) =
                    (image.bytes[from], image.bytes[from + 1], image.bytes[from + 2], image.bytes[from + 3])
                // ARGB32 is a 32-bit number in the machine's byte order.
                let pixel = UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
                unsafe withUnsafeBytes(of: pixel) { bytes in unsafe pixels.append(contentsOf: bytes) }
            }
        }
        let (left, top) = (Double(x), Double(y))
        let (width, height) = (Double(image.width), Double(image.height))
        unsafe pixels.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            // SAFETY: the surface is destroyed before the pixels are freed.
            let picture = unsafe cairo.image_surface_create_for_data(
                start, Int32(FROST_CAIRO_ARGB32), Int32(image.width), Int32(image.height),
                Int32(image.width * 4))
            outline(left, top, width, height, radius)
            unsafe cairo.clip(context)
            unsafe cairo.set_source_surface(context, picture, left, top)
            unsafe cairo.paint(context)
            unsafe cairo.reset_clip(context)
            use(border)
            unsafe cairo.surface_destroy(picture)
        }
        outline(left + 0.5, top + 0.5, width - 1, height - 1, max(0, radius - 0.5))
        unsafe cairo.set_line_width(context, 1)
        unsafe cairo.stroke(context)
    }

    /// Adds a rounded rectangle to the path.
    private func outline(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double) {
        let r = min(radius, width / 2, height / 2)
        let corners = [
            (x + width - r, y + r), (x + width - r, y + height - r), (x + r, y + height - r), (x + r, y + r),
        ]
        unsafe cairo.new_sub_path(context)
        for (index, corner) in corners.enumerated() {
            let from = Double(index - 1) * .pi / 2
            unsafe cairo.arc(context, corner.0, corner.1, r, from, from + .pi / 2)
        }
        unsafe cairo.close_path(context)
    }

    private func use(_ ink: Ink) { unsafe cairo.set_source_rgba(context, ink.x, ink.y, ink.z, ink.w) }

    private func use(_ font: Font) {
        let weight = font.isBold ? FROST_CAIRO_BOLD : FROST_CAIRO_REGULAR
        unsafe cairo.select_font_face(
            context, "sans-serif", Int32(FROST_CAIRO_UPRIGHT), Int32(weight))
        unsafe cairo.set_font_size(context, font.size)
    }

    // MARK: Result

    /// Returns the page as an RGB picture without alpha.
    ///
    /// - Throws: ``CanvasError`` with Cairo's message if a drawing call failed.
    func picture() throws(CanvasError) -> PixelBuffer {
        unsafe cairo.surface_flush(surface)
        let status = unsafe cairo.status(context)
        guard status == 0 else {
            throw CanvasError(reason: "Cairo failed: \(unsafe String(cString: cairo.status_to_string(status)))")
        }
        var rgb: [UInt8] = []
        rgb.reserveCapacity(width * height * 3)
        for at in stride(from: 0, to: width * height * 4, by: 4) {
            let pixel = unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: at, as: UInt32.self)
            for shift in [16, 8, 0] { rgb.append(UInt8(truncatingIfNeeded: pixel >> UInt32(shift))) }
        }
        do throws(PixelError) {
            return try PixelBuffer(
                layout: PixelLayout(width: width, height: height, format: PixelFormat(.rgb)), bytes: rgb)
        } catch { throw CanvasError(reason: "\(error)") }
    }
}

/// An error that prevents drawing.
struct CanvasError: Error {
    let reason: String
}
