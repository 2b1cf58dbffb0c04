extension Range<Int> {
    /// Returns one of several bands of about the same length.
    package func band(_ index: Int, of bands: Int) -> Range<Int> {
        lowerBound + count * index / bands..<lowerBound + count * (index + 1) / bands
    }
}
