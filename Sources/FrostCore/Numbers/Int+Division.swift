extension Int {
    /// The quotient, rounded down and not towards zero. `divisor` must be positive.
    package func dividedDown(by divisor: Int) -> Int { (self >= 0 ? self : self - divisor + 1) / divisor }

    /// The remainder of ``dividedDown(by:)``: 0 ..< `divisor`.
    package func modulo(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
