import Frost

/// The JSON files that libglvnd reads. Each file names the EGL library of one vendor.
struct VendorFiles {
    struct Entry: Equatable {
        let path: String
        /// The library that the file names; nil if the file cannot be read or names no library.
        let library: String?
    }

    /// The files or folders that were searched.
    let places: [String]
    let entries: [Entry]

    /// The default folders in Debian, which are built into libglvnd.
    static let folders = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]

    /// Finds the files in the order of libglvnd. If __EGL_VENDOR_LIBRARY_FILENAMES is set, it names the files.
    /// Otherwise the folders in __EGL_VENDOR_LIBRARY_DIRS are searched or, if that variable is not set either, the
    /// built-in folders.
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

    /// Returns the value of "library_path". The search needs no JSON parser, because these files are small and have a
    /// fixed form.
    static func library(in text: String) -> String? {
        guard let key = text.firstRange(of: "\"library_path\"") else { return nil }
        let rest = text[key.upperBound...].drop { $0.isWhitespace || $0 == ":" }
        guard rest.first == "\"" else { return nil }
        let name = rest.dropFirst().prefix { $0 != "\"" }
        return name.isEmpty ? nil : String(name)
    }
}
