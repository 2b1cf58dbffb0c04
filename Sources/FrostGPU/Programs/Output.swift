import FrostGLES

/// How a draw's result is written, and where.
struct Output {
    var store: Store
    /// Where in the target the output lies; nil for a target of the output's own size.
    var placement: Placement?
    /// The texel of the source's first row, where its rows rise.
    var topRow: Int32 = 0
    /// Whether the program does not know of places in the target, and counts its cells from elsewhere instead.
    var isShifted = false

    init(_ store: Store) { self.store = store }

    /// What is taken off the first cell, so that it comes out at its place.
    var shift: SIMD2<Int32> {
        guard isShifted, let placement else { return .zero }
        return SIMD2(placement.x, placement.y)
    }

    /// Covers a part of the output.
    func drawTriangle(
        _ columns: Range<Int>, _ rows: Range<Int>, _ vertexArray: borrowing VertexArray,
        in gl: borrowing CurrentContext
    ) throws(GLError) {
        guard let placement else { return try gl.drawTriangle(columns: columns, rows: rows, vertexArray) }
        let (columns, rows) = placement.place(columns, rows)
        try gl.drawTriangle(columns: columns, rows: rows, vertexArray)
    }
}

/// Where an output lies in a larger target.
struct Placement: Hashable {
    /// Of the output's top left pixel, counted from the target's.
    let x: Int32
    let y: Int32
    /// Of the target, in pixels.
    let height: Int32
    /// Whether the target's first row is its lowest.
    let rises: Bool

    /// From pixels of the target to those of the output: see filter.frag.
    var uniform: SIMD4<Int32> {
        rises ? SIMD4(-x, height - 1 - y, 1, -1) : SIMD4(-x, -y, 1, 1)
    }

    /// A part of the output in the target's pixels.
    func place(_ columns: Range<Int>, _ rows: Range<Int>) -> (Range<Int>, Range<Int>) {
        let (left, top) = (Int(x), Int(y))
        let columns = columns.lowerBound + left..<columns.upperBound + left
        guard rises else { return (columns, rows.lowerBound + top..<rows.upperBound + top) }
        let end = Int(height) - top
        return (columns, end - rows.upperBound..<end - rows.lowerBound)
    }
}

/// What is peculiar to images of the host, in a program.
struct HostVariant: Hashable {
    /// The input, or the original, is of GL_TEXTURE_EXTERNAL_OES.
    var inputIsExternal = false
    var originalIsExternal = false
    /// Its first row is the lowest.
    var inputRises = false
    var originalRises = false
    /// The output is a part of the target: see ``Placement``.
    var isPlaced = false

    /// Switches of the shader.
    var constants: [(String, Int)] {
        [
            ("INPUT_EXTERNAL", inputIsExternal ? 1 : 0), ("ORIGINAL_EXTERNAL", originalIsExternal ? 1 : 0),
            ("INPUT_RISES", inputRises ? 1 : 0), ("ORIGINAL_RISES", originalRises ? 1 : 0),
            ("PLACED", isPlaced ? 1 : 0),
        ]
    }

    /// What has to stand before everything else.
    var extensionLine: String {
        inputIsExternal || originalIsExternal ? "#extension GL_OES_EGL_image_external_essl3 : require\n" : ""
    }
}

/// Where a program finds how and where to write.
struct OutputUniforms {
    private let store, topRow, outputPlace: Program.Uniform
    private let variant: HostVariant
    private let stores: Bool

    init(_ program: borrowing Program, _ variant: FilterProgram.Variant, in gl: borrowing CurrentContext) {
        store = program.uniform("store", in: gl)
        topRow = program.uniform("topRow", in: gl)
        outputPlace = program.uniform("outputPlace", in: gl)
        self.variant = variant.host
        stores = !variant.isBlend
    }

    func set(_ output: Output, of program: borrowing Program, in gl: borrowing CurrentContext) throws(GLError) {
        if stores { try program.set(store, output.store.rawValue, in: gl) }
        if variant.inputRises || variant.originalRises { try program.set(topRow, output.topRow, in: gl) }
        if variant.isPlaced, let placement = output.placement {
            try program.set(outputPlace, placement.uniform, in: gl)
        }
    }
}
