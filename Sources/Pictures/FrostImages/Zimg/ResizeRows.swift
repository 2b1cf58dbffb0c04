import FrostCore
import Glibc

/// Rows of pixels as planes of samples to be filtered, and back.
struct ResizeRows: Sendable {
    private let format: PixelFormat
    private let light: TransferFunction?
    /// The number of channels, and the index of the alpha channel; nil if there is none. They are kept because the loops over
    /// samples would call the functions that compute them.
    private let count: Int
    private let alpha: Int?
    /// The light of each code of integers of 8 or 16 bits; empty without a transfer function.
    private let table: [Float]
    /// The largest value of an integer.
    private let limit: Float

    /// - Parameter largest: the largest sample; nil for that of the format.
    init(_ format: PixelFormat, light: TransferFunction?, hasAlpha: Bool, largest: Int? = nil) {
        (self.format, self.light) = (format, light)
        (count, alpha) = (format.channels.count, hasAlpha ? format.channels.order.alpha : nil)
        let maximum = format.sample.maximum
        limit = largest.map { Float(Double($0) / Double(maximum)) } ?? 1
        guard let light, !format.sample.isFloat else {
            table = []
            return
        }
        table = (0...Int(maximum)).map { Float(light.decode(Double($0) / Double(maximum))) }
    }

    // SAFETY: the rows have the samples of all pixels, and so have the planes.

    /// The 16-bit integer that stands for 0, and that for each step of 8 bits. The lobes of the filter reach beyond black and white,
    /// and zimg cuts off what is beyond 16 bits between the passes.
    private static let (base, step): (UInt16, UInt16) = (16384, 128)

    /// Separates a row of 8-bit samples without alpha.
    func separate(_ row: [UInt8], to planes: [UnsafeMutablePointer<UInt16>]) {
        let (count, pixels, step, base) = (count, row.count / count, Self.step, Self.base)
        unsafe row.withUnsafeBufferPointer { row in
            guard let row = row.baseAddress else { return }
            for channel in 0..<count {
                let plane = unsafe planes[channel]
                // The compiler vectorises only loops over consecutive samples.
                if count == 1 {
                    for x in 0..<pixels { unsafe plane[x] = UInt16(row[x]) &* step &+ base }
                } else {
                    for x in 0..<pixels { unsafe plane[x] = UInt16(row[x &* count &+ channel]) &* step &+ base }
                }
            }
        }
    }

    func join(_ planes: [UnsafeMutablePointer<UInt16>], count pixels: Int, into row: UnsafeMutableRawPointer) {
        let out = unsafe row.assumingMemoryBound(to: UInt8.self)
        let (count, step, base) = (count, Self.step, Self.base)
        @inline(__always) func sample(_ value: UInt16) -> UInt8 {
            UInt8(truncatingIfNeeded: min(((max(value, base) &- base) &+ step / 2) / step, 255))
        }
        for channel in 0..<count {
            let plane = unsafe planes[channel]
            if count == 1 {
                for x in 0..<pixels { unsafe out[x] = sample(plane[x]) }
            } else {
                for x in 0..<pixels { unsafe out[x &* count &+ channel] = sample(plane[x]) }
            }
        }
    }

    /// Separates a row into numbers, 1.0 for full scale, multiplied by alpha.
    func separate(_ row: [UInt8], to planes: [UnsafeMutablePointer<Float>]) {
        let (count, pixels) = (count, row.count / format.bytesPerPixel)
        let (largest, alpha, decodes) = (Float(format.sample.maximum), alpha, light != nil)
        let numbers = unsafe row.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe format.sample.numbers($0, count: pixels * count) } ?? []
        }
        for channel in 0..<count {
            let plane = unsafe planes[channel]
            if channel == alpha || !decodes {
                for x in 0..<pixels { unsafe plane[x] = numbers[x &* count &+ channel] / largest }
            } else {
                for x in 0..<pixels { unsafe plane[x] = value(numbers[x &* count &+ channel]) }
            }
        }
        guard let alpha else { return }
        for channel in 0..<count where channel != alpha {
            for x in 0..<pixels { unsafe planes[channel][x] *= unsafe planes[alpha][x] }
        }
    }

    /// Returns the light of a colour sample.
    private func value(_ number: Float) -> Float {
        if !table.isEmpty { return table[Int(number)] }
        return light.map { Float($0.decode(Double(number))) } ?? number
    }

    func join(_ planes: [UnsafeMutablePointer<Float>], count pixels: Int, into row: UnsafeMutableRawPointer) {
        let isFloat = format.sample.isFloat
        let maximum = Float(format.sample.maximum)
        let (count, alpha, light, limit) = (count, alpha, light, limit)
        var numbers = [Float](repeating: 0, count: pixels * count)
        for x in 0..<pixels {
            let part = alpha.map { unsafe min(max(planes[$0][x], 0), 1) }
            for channel in 0..<count {
                var number = unsafe planes[channel][x]
                if channel == alpha {
                    number = part ?? 1
                } else {
                    if let part { number = part > 0 ? number / part : 0 }
                    if let light { number = Float(light.encode(Double(number))) }
                }
                // The lobes of the filter reach beyond black and white. NaN becomes 0.
                if !isFloat { number = (number > 0 ? min(number, limit) : 0) * maximum }
                numbers[x * count + channel] = isFloat ? number : number.rounded(.toNearestOrAwayFromZero)
            }
        }
        unsafe format.sample.store(numbers, row)
    }
}
