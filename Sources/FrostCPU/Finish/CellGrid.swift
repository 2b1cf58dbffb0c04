import FrostCore

/// A doubling along both axes, alike along both.
struct Doubling {
    /// In 65536ths: the weights of the first of the two pixels between the same cells.
    let taps: [UInt16]
    let half: Int

    init(taps: [UInt16], half: Int) { (self.taps, self.half) = (taps, half) }

    init(_ pass: Pass) {
        let schedule = TapSchedule(pass.operation)
        (taps, half) = (schedule.firstOfPair, schedule.half)
    }
}

/// Where cells, and the pixels that two doublings make of them, lie along an axis.
///
/// Between n cells from one on lie two pixels of the first doubling, which are the cells of the second; between those two pixels of
/// the result, a *pair*, which has the number of the first of its cells. A *square* of cells is what a pixel of the first doubling
/// is made of, and has the number of its first: one overlaps the next.
struct CellGrid {
    /// Of the cells.
    static let level = 2

    /// Cells that a pixel of the first doubling is made of, and of the second.
    let n: Int
    let secondN: Int
    private let half: Int
    private let secondHalf: Int

    /// - Parameter doublings: two.
    init(_ doublings: [Doubling]) {
        (n, half) = (doublings[0].taps.count, doublings[0].half)
        (secondN, secondHalf) = (doublings[1].taps.count, doublings[1].half)
    }

    /// The pair that a pixel of the result belongs to, and the first pixel of a pair.
    func pair(_ pixel: Int) -> Int { (pixel - secondHalf) >> 1 }
    func pixel(_ pair: Int) -> Int { 2 * pair + secondHalf }

    /// The square that a pixel of the first doubling is made of, and the first pixel of a square.
    func square(_ between: Int) -> Int { (between - half) >> 1 }
    func between(_ square: Int) -> Int { 2 * square + half }

    /// The squares that a pair is made of.
    func squares(_ pair: Int) -> Range<Int> { square(pair)..<square(pair + secondN - 1) + 1 }

    /// The pairs that some squares have a part in.
    func pairs(_ squares: Range<Int>) -> Range<Int> {
        between(squares.lowerBound) - (secondN - 1)..<between(squares.upperBound)
    }

    /// Squares that a pair is made of, at the most.
    var most: Int { max(squares(0).count, squares(1).count) }
}
