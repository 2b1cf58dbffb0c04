/// Finds suggestions for mistyped words.
package enum Suggestion {
    /// Returns " (did you mean X?)", or an empty text if no name is similar.
    ///
    /// - Parameter beginnings: whether a word stands for the names that begin with it.
    package static func phrase(for word: String, among names: [String], beginnings: Bool = true) -> String {
        let near = near(word, among: names, beginnings: beginnings)
        return near.isEmpty ? "" : " (did you mean \(near.joined(separator: " or "))?)"
    }

    /// Returns the closest names as ``phrase(for:among:beginnings:)`` does. If no name is similar, returns all of them with an
    /// introduction such as "the effects are", or the first ones of a long list. Without names, returns an empty text.
    package static func hint(for word: String, among names: [String], _ introduction: String) -> String {
        let near = phrase(for: word, among: names)
        guard near.isEmpty, !names.isEmpty else { return near }
        guard names.count > 24 else { return "; \(introduction) \(names.joined(separator: ", "))" }
        return "; \(introduction) \(names.prefix(8).joined(separator: ", ")) and \(names.count - 8) others"
    }

    /// Returns the names with the smallest number of edits, if this number is at most two and at most a third of the word's
    /// length. Otherwise returns the names that begin with the word or with one edit of it, if there are at most four of them.
    package static func near(_ word: String, among names: [String], beginnings: Bool = true) -> [String] {
        // The word itself is no suggestion: the fault lies elsewhere in the text.
        // A longer word is similar to none of the names, and would take long to compare.
        guard !word.isEmpty, !names.contains(word), word.count <= 2 + (names.map(\.count).max() ?? 0) else { return [] }
        let distances = names.map { distance(word.lowercased(), $0.lowercased()) }
        if let minimum = distances.min(), minimum <= min(2, max(1, word.count / 3)) {
            return zip(names, distances).filter { $0.1 == minimum }.prefix(3).map(\.0)
        }
        guard beginnings else { return [] }
        let longer = names.filter { name in
            word.count >= 3
                && (-1...1).contains {
                    distance(word, String(name.prefix(word.count + $0))) <= (word.count > 5 ? 1 : 0)
                }
        }
        return longer.count <= 4 ? longer : []
    }

    /// Returns the number of edits that turn one word into the other. An edit inserts, deletes or replaces a character,
    /// or swaps two neighbours.
    package static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
