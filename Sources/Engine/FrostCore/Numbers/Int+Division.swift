extension Int {
    /// Returns the quotient, rounded down: negative quotients are rounded away from zero. `divisor` must be positive.
    package func dividedDown(by divisor: Int) -> Int { (self >= 0 ? self : self - divisor + 1) / divisor }

    /// Returns the remainder of ``dividedDown(by:)``, which lies in 0 ..< `divisor`.
    package func modulo(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
