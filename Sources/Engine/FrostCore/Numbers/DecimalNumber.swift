extension Double {
    /// Reads a finite decimal number such as "-1.5e3".
    ///
    /// `Double.init(_:)` also reads hexadecimal numbers, infinity and NaN, and ignores what follows a zero byte.
    package init?(decimal text: some StringProtocol) {
        let characters = ".+-eE".utf8
        guard text.utf8.allSatisfy({ (48...57).contains($0) || characters.contains($0) }), let number = Double(text),
            number.isFinite
        else { return nil }
        self = number
    }
}
