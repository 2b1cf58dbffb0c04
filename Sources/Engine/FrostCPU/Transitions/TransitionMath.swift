// Elementary functions in floats. They are plain polynomials, so that loops can be vectorised and results do not depend on
// the C library.

/// Limits a number to 0...1. NaN becomes 0.
@inline(__always) func unit(_ x: Float) -> Float { x > 0 ? (x < 1 ? x : 1) : 0 }

@inline(__always) func limited(_ x: Float, _ low: Float, _ high: Float) -> Float {
    x > low ? (x < high ? x : high) : low
}

/// The nearest integer to x, for |x| < 2^22.
@inline(__always) func nearest(_ x: Float) -> Float { (x + 0x1.8p23) - 0x1.8p23 }

/// sin(π/2 * x) for -1...1. Taylor's series up to x^11; the error is below 2e-7.
@inline(__always) func quarterSine(_ x: Float) -> Float {
    let s = x * x
    let p: Float = -3.598843e-6
    let a = p * s + 1.604411848e-4
    let b = a * s - 4.681754135e-3
    let c = b * s + 7.969262625e-2
    let d = c * s - 6.459640975e-1
    return (d * s + 1.570796327) * x
}

/// cos(πx) for -1...1.
@inline(__always) func cosine(ofPi x: Float) -> Float {
    let s = quarterSine(x)
    return 1 - 2 * s * s
}

/// sin(πx) for -1...1: twice the product of sine and cosine of the half angle.
@inline(__always) func sine(ofPi x: Float) -> Float {
    // cos(π/2 x) = sin(π/2 (1 - |x|)).
    2 * quarterSine(x) * quarterSine(1 - (x < 0 ? -x : x))
}

/// atan(x) / 2π for 0...1. The polynomial is 4.4.49 of Abramowitz and Stegun, *Handbook of Mathematical Functions*; the
/// error is below 3e-8.
@inline(__always) private func arcTangentTurns(_ x: Float) -> Float {
    let s = x * x
    let a: Float = 0.0028662257
    let b = a * s - 0.0161657367
    let c = b * s + 0.0429096138
    let d = c * s - 0.0752896400
    let e = d * s + 0.1065626393
    let f = e * s - 0.1420889944
    let g = f * s + 0.1999355085
    let h = g * s - 0.3333314528
    return (h * s + 1) * x * 0.15915494
}

/// The angle of a vector in turns, 0..<1, clockwise from the x axis if y points downwards. (0, 0) has the angle 0.
@inline(__always) func turns(_ x: Float, _ y: Float) -> Float {
    let (width, height) = (x < 0 ? -x : x, y < 0 ? -y : y)
    let isSteep = height > width
    let (small, large) = isSteep ? (width, height) : (height, width)
    var angle = arcTangentTurns(large > 0 ? small / large : 0)
    if isSteep { angle = 0.25 - angle }
    if x < 0 { angle = 0.5 - angle }
    if y < 0 { angle = 1 - angle }
    return angle < 1 ? angle : 0
}

/// asin(x) for 0...1. The polynomial is 4.4.46 of Abramowitz and Stegun; the error is below
/// 3e-7.
@inline(__always) func arcSine(_ x: Float) -> Float {
    let a: Float = -0.0012624911
    let b = a * x + 0.0066700901
    let c = b * x - 0.0170881256
    let d = c * x + 0.0308918810
    let e = d * x - 0.0501743046
    let f = e * x + 0.0889789874
    let g = f * x - 0.2145988016
    let h = g * x + 1.5707963050
    let rest = 1 - x
    return 1.57079633 - (rest > 0 ? rest : 0).squareRoot() * h
}

/// The error function. The approximation is 7.1.28 of Abramowitz and Stegun; the error is below 2e-6, mostly
/// from the rounding of floats.
@inline(__always) func errorFunction(_ x: Float) -> Float {
    let t = x < 0 ? -x : x
    let a: Float = 0.0000430638
    let b = a * t + 0.0002765672
    let c = b * t + 0.0001520143
    let d = c * t + 0.0092705272
    let e = d * t + 0.0422820123
    let f = e * t + 0.0705230784
    let base = f * t + 1
    let p2 = base * base
    let p4 = p2 * p2
    let p8 = p4 * p4
    let value = 1 - 1 / (p8 * p8)
    return x < 0 ? -value : value
}
