extension Array {
    /// Returns the index of the first element for which the predicate is true, if all such elements are at the end; the
    /// count if there is none.
    ///
    /// - Complexity: O(log n).
    package func partitionPoint(_ predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
