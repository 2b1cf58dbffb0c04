/// Finds suggestions for mistyped words.
package enum Suggestion {
    /// Returns " (did you mean X?)", or an empty text if no name is similar.
    package static func phrase(for word: String, among names: [String]) -> String {
        let near = near(word, among: names)
        return near.isEmpty ? "" : " (did you mean \(near.joined(separator: " or "))?)"
    }

    /// Returns the three names that are most similar to the word. A name is similar if few edits turn the word into the
    /// name, or into the first characters of the name.
    package static func closest(to word: String, among names: [String]) -> [String] {
        guard !word.isEmpty else { return Array(names.prefix(3)) }
        let word = word.lowercased()
        func edits(_ name: String) -> Int {
            let beginnings = (word.count - 1...word.count + 1).map { distance(word, String(name.prefix($0))) }
            return min(2 * distance(word, name), 2 * (beginnings.min() ?? 0) + 1)
        }
        let ranked = names.map { (name: $0, edits: edits($0)) }.sorted { ($0.edits, $0.name) < ($1.edits, $1.name) }
        return ranked.prefix(3).map(\.name)
    }

    /// Returns the names with the smallest number of edits, if this number is at most a third of the word's length.
    /// Otherwise returns the names that begin with the word, if there are at most four of them.
    package static func near(_ word: String, among names: [String]) -> [String] {
        guard !word.isEmpty else { return [] }
        let distances = names.map { distance(word.lowercased(), $0.lowercased()) }
        if let minimum = distances.min(), minimum <= max(1, word.count / 3) {
            return zip(names, distances).filter { $0.1 == minimum }.prefix(3).map(\.0)
        }
        let longer = names.filter { word.count >= 3 && $0.hasPrefix(word) }
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
