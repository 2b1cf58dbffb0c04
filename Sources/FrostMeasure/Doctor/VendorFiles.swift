import Frost

/// The files that tell libglvnd the EGL library of each vendor.
struct VendorFiles {
    struct Entry: Equatable {
        let path: String
        /// The library that the file names; nil if it cannot be read or names none.
        let library: String?
    }

    /// Where they were looked for.
    let places: [String]
    let entries: [Entry]

    /// Debian's; libglvnd has them built in.
    static let folders = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]

    /// In libglvnd's order: the files in __EGL_VENDOR_LIBRARY_FILENAMES, else those in the folders of
    /// __EGL_VENDOR_LIBRARY_DIRS, else in the built-in folders.
    init(environment: (String) -> String?) {
        func list(_ variable: String) -> [String]? {
            environment(variable).map { $0.split(separator: ":").map(String.init) }
        }
        let paths: [String]
        if let files = list("__EGL_VENDOR_LIBRARY_FILENAMES") {
            places = files
            paths = files
        } else {
            places = list("__EGL_VENDOR_LIBRARY_DIRS") ?? Self.folders
            paths = places.flatMap { folder in
                Folder.names(in: folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
            }
        }
        entries = paths.map { Entry(path: $0, library: TextFile.content($0).flatMap(Self.library)) }
    }

    /// The value of "library_path". These files are small and have a fixed form, so this does not parse JSON.
    static func library(in text: String) -> String? {
        guard let key = text.firstRange(of: "\"library_path\"") else { return nil }
        let rest = text[key.upperBound...].drop { $0.isWhitespace || $0 == ":" }
        guard rest.first == "\"" else { return nil }
        let name = rest.dropFirst().prefix { $0 != "\"" }
        return name.isEmpty ? nil : String(name)
    }
}
