/// The type of one sample. Integers are normalised: their largest value stands for 1.0. Floats are not limited to 0...1.
/// Samples have the machine's byte order.
public enum SampleType: String, Sendable, Hashable, CaseIterable {
    /// `u8` and `u16` are unsigned integers of 8 and 16 bits. `f16` and `f32` are IEEE 754 floats of 16 and 32 bits.
    ///
    /// Values that are written as `f16` are rounded to the nearest number with 11 significant bits, ties to even. Values
    /// from 65520 on become infinite.
    case u8, u16, f16, f32

    /// Runs a task for the Swift type of the samples. Code that depends on the sample type is a task, or asks for the
    /// ``traits``.
    package func run<Task: SampleTask>(_ task: Task) -> Task.Result {
        switch self {
        case .u8: task.run(UInt8.self)
        case .u16: task.run(UInt16.self)
        case .f16: task.run(Float16.self)
        case .f32: task.run(Float.self)
        }
    }

    /// The facts of the type.
    package var traits: SampleTraits { run(SampleTraits.Task()) }

    /// The number of bytes per sample.
    public var size: Int { traits.size }

    /// The value that stands for 1.0.
    public var maximum: Double { traits.maximum }

    /// Whether samples are floats. Floats may be negative, larger than 1.0, infinite or NaN.
    public var isFloat: Bool { traits.isFloat }

    /// Whether samples are integers of 8 bits. Images with such samples are transferred to the GPU as bytes, and
    /// intermediates of 16 bits are precise enough for them.
    package var isEightBit: Bool { traits.size == 1 && !traits.isFloat }
}

/// Work that is written once for all sample types.
package protocol SampleTask {
    associatedtype Result
    func run<Sample: WorkingSample>(_ type: Sample.Type) -> Result
}

package struct SampleTraits: Sendable {
    package let size: Int
    /// The value that stands for 1.0.
    package let maximum: Double
    /// How numbers are rounded to samples.
    package let rounding: Rounding

    /// How numbers are rounded to samples. The values are the shader's constants SETTLE_….
    package enum Rounding: Int, Sendable, CaseIterable {
        /// To whole numbers of steps.
        case steps
        /// To floats of 16 bits.
        case halves
        /// Floats of 32 bits are not rounded.
        case floats
    }

    package var isFloat: Bool { rounding != .steps }

    struct Task: SampleTask {
        package func run<Sample: WorkingSample>(_: Sample.Type) -> SampleTraits {
            SampleTraits(size: MemoryLayout<Sample>.size, maximum: Double(Sample.maximum), rounding: Sample.rounding)
        }
    }
}

// MARK: - Samples as numbers of steps

extension SampleType {
    /// Returns a sample of a row as a number of steps: ``maximum`` stands for 1.0.
    @unsafe package func number(_ row: UnsafeRawPointer, at index: Int) -> Double {
        unsafe run(NumberTask(row: row, index: index))
    }

    /// Stores a number of steps, which a type of integers must be able to hold. Floats are rounded.
    @unsafe package func store(_ number: Double, _ row: UnsafeMutableRawPointer, at index: Int) {
        unsafe run(StoreTask(number: number, row: row, index: index))
    }

    /// Returns the samples of a row as numbers of steps.
    @unsafe package func numbers(_ row: UnsafeRawPointer, count: Int) -> [Float] {
        unsafe run(NumbersTask(row: row, count: count))
    }

    /// Stores a row of numbers of steps, as ``store(_:_:at:)`` does.
    @unsafe package func store(_ numbers: [Float], _ row: UnsafeMutableRawPointer) {
        unsafe run(StoreNumbersTask(numbers: numbers, row: row))
    }
}

// SAFETY (these tasks): the caller guarantees that the row has the samples. Every bit pattern is a valid sample.

@safe private struct NumberTask: SampleTask {
    let row: UnsafeRawPointer
    let index: Int

    func run<Sample: WorkingSample>(_: Sample.Type) -> Double { Double(unsafe Sample(row, at: index).number) }
}

@safe private struct StoreTask: SampleTask {
    let number: Double
    let row: UnsafeMutableRawPointer
    let index: Int

    func run<Sample: WorkingSample>(_: Sample.Type) { unsafe Sample(number).store(row, at: index) }
}

@safe private struct NumbersTask: SampleTask {
    let row: UnsafeRawPointer
    let count: Int

    func run<Sample: WorkingSample>(_: Sample.Type) -> [Float] {
        (0..<count).map { unsafe Sample(row, at: $0).number }
    }
}

@safe private struct StoreNumbersTask: SampleTask {
    let numbers: [Float]
    let row: UnsafeMutableRawPointer

    func run<Sample: WorkingSample>(_: Sample.Type) {
        for i in numbers.indices { unsafe Sample(Double(numbers[i])).store(row, at: i) }
    }
}

extension WorkingSample {
    /// Reads the sample of a row, which need not be aligned.
    @unsafe @inline(__always) init(_ row: UnsafeRawPointer, at index: Int) {
        self = unsafe row.loadUnaligned(fromByteOffset: index * MemoryLayout<Self>.size, as: Self.self)
    }

    @unsafe @inline(__always) func store(_ row: UnsafeMutableRawPointer, at index: Int) {
        unsafe row.storeBytes(of: self, toByteOffset: index * MemoryLayout<Self>.size, as: Self.self)
    }
}

// MARK: - The Swift types

/// The Swift type of a sample type's samples. It can be converted to the working numbers of filters, and back.
package protocol WorkingSample: BitwiseCopyable, Comparable {
    /// `maximum` is the sample that stands for 1.0. `reciprocalMaximum` is 1 / maximum.
    static var maximum: Float { get }
    static var reciprocalMaximum: Float { get }
    static var rounding: SampleTraits.Rounding { get }
    var number: Float { get }
    /// Creates the sample nearest to a working number, within the type's range.
    init(nearest: Float)
    /// Creates the sample that equals a number, which integers must be able to hold. Floats are rounded.
    init(_ number: Double)
}

/// Rounds x, which must be in 0...2^16, to the nearest integer. It avoids a conversion that can trap, because the
/// optimiser cannot vectorise such a conversion. Floats in 2^23...2^24 are integers, so the low bits of the sum are the
/// rounded number.
@inline(__always) private func nearestInteger(_ x: Float) -> UInt32 {
    (x + 8_388_608).bitPattern
}

/// Clamps x to 0...maximum. NaN becomes 0, because its comparison with 0 is false.
@inline(__always) private func clamp(_ x: Float, to maximum: Float) -> Float {
    x > 0 ? (x < maximum ? x : maximum) : 0
}

extension UInt8: WorkingSample {
    @inline(__always) package static var rounding: SampleTraits.Rounding { .steps }
    @inline(__always) package static var maximum: Float { 255 }
    @inline(__always) package static var reciprocalMaximum: Float { 1 / 255 }
    @inline(__always) package var number: Float { Float(self) }
    @inline(__always) package init(nearest x: Float) {
        self = UInt8(truncatingIfNeeded: nearestInteger(clamp(x, to: 255)))
    }
}

extension UInt16: WorkingSample {
    @inline(__always) package static var rounding: SampleTraits.Rounding { .steps }
    @inline(__always) package static var maximum: Float { 65535 }
    @inline(__always) package static var reciprocalMaximum: Float { 1 / 65535 }
    @inline(__always) package var number: Float { Float(self) }
    @inline(__always) package init(nearest x: Float) {
        self = UInt16(truncatingIfNeeded: nearestInteger(clamp(x, to: 65535)))
    }
}

extension Float16: WorkingSample {
    @inline(__always) package static var rounding: SampleTraits.Rounding { .halves }
    @inline(__always) package static var maximum: Float { 1 }
    @inline(__always) package static var reciprocalMaximum: Float { 1 }
    @inline(__always) package var number: Float { Float(self) }
    @inline(__always) package init(nearest x: Float) { self = Float16(x) }
}

extension Float: WorkingSample {
    @inline(__always) package static var rounding: SampleTraits.Rounding { .floats }
    @inline(__always) package static var maximum: Float { 1 }
    @inline(__always) package static var reciprocalMaximum: Float { 1 }
    @inline(__always) package var number: Float { self }
    @inline(__always) package init(nearest x: Float) { self = x }
}
