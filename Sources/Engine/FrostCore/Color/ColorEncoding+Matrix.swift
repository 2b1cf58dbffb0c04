extension ColorEncoding.Primaries {
    /// The chromaticities x and y of red, green and blue, from ITU-R BT.709, SMPTE EG 432-1 and ITU-R BT.2020.
    private var chromaticities: [(x: Double, y: Double)] {
        switch self {
        case .bt709: [(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)]
        case .displayP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
        case .bt2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
        }
    }

    /// The chromaticity of D65.
    private static let white = (x: 0.3127, y: 0.3290)

    /// The columns X, Y, Z of red, green and blue at full light. Their sum is D65 with a luminance of 1.
    private var toXYZ: Matrix3 {
        let shapes = Matrix3(chromaticities.map { SIMD3($0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y) })
        let white = SIMD3(Self.white.x / Self.white.y, 1, (1 - Self.white.x - Self.white.y) / Self.white.y)
        let amounts = shapes.inverse * white
        return Matrix3((0..<3).map { shapes.columns[$0] * amounts[$0] })
    }

    /// Returns the matrix from light in these primaries to light in other primaries.
    package func matrix(to other: Self) -> Matrix3 {
        self == other ? .identity : other.toXYZ.inverse * toXYZ
    }

    /// The shares of red, green and blue in luminance. BT.2100 rounds those of BT.2020 to four digits, which changes
    /// the light of HLG by less than 1/30,000.
    package var luminance: SIMD3<Double> {
        let columns = toXYZ.columns
        return SIMD3(columns[0].y, columns[1].y, columns[2].y)
    }
}

package struct Matrix3: Hashable {
    package var columns: [SIMD3<Double>]

    init(_ columns: [SIMD3<Double>]) { self.columns = columns }

    package static let identity = Matrix3([SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)])

    static func * (a: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        a.columns[0] * vector.x + a.columns[1] * vector.y + a.columns[2] * vector.z
    }

    static func * (a: Matrix3, b: Matrix3) -> Matrix3 { Matrix3(b.columns.map { a * $0 }) }

    package static func * (a: Matrix3, scale: Double) -> Matrix3 { Matrix3(a.columns.map { $0 * scale }) }

    /// The inverse, by cofactors. The columns must be independent.
    var inverse: Matrix3 {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let (a, b, c) = (columns[0], columns[1], columns[2])
        let rows = [cross(b, c), cross(c, a), cross(a, b)]
        let determinant = (a * rows[0]).sum()
        return Matrix3(
            (0..<3).map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) / determinant })
    }
}
