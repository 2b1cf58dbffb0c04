#if HEIC
    /// How the pixels of an item of a HEIC file are encoded, if libheif decodes them with another library than that of HEVC.
    enum HEICCoding: String, CaseIterable {
        case av1 = "av01"
        case jpeg
        case jpeg2000 = "j2k1"
        case avc = "avc1"
        case vvc = "vvc1"

        /// The format of a file with nothing but such pixels; nil if Frost does not read it.
        var format: ImageFormat? {
            switch self {
            case .av1: .avif
            case .jpeg: .jpeg
            case .jpeg2000, .avc, .vvc: nil
            }
        }

        var title: String {
            switch self {
            case .av1: "AV1"
            case .jpeg: "JPEG"
            case .jpeg2000: "JPEG 2000"
            case .avc: "AVC"
            case .vvc: "VVC"
            }
        }

        /// Returns the codings of a file's items. It looks for the entries of items everywhere, and does not follow the boxes
        /// that contain them, so a file cannot hide an entry by boxes that libheif follows in another way.
        static func all(in file: [UInt8]) -> [HEICCoding] {
            let name = Array("infe".utf8)
            let kinds = allCases.map { ($0, Array($0.rawValue.utf8)) }
            var found: Set<HEICCoding> = []
            // An entry has its version and flags, the number of the item, which has two bytes or four, and two other bytes
            // before the type.
            let span = file.span
            var at = 0
            while at + name.count <= span.count {
                defer { at += 1 }
                guard span[at] == name[0], name.indices.allSatisfy({ span[at + $0] == name[$0] }) else { continue }
                for start in [at + 12, at + 14] where start + 4 <= span.count {
                    for (kind, type) in kinds where type.indices.allSatisfy({ span[start + $0] == type[$0] }) {
                        found.insert(kind)
                    }
                }
            }
            return allCases.filter(found.contains)
        }
    }

    extension ImageLimits {
        /// Throws ``ImageError/notAllowed(path:what:)`` unless a HEIC file may be opened whose pixels are encoded in some ways.
        ///
        /// - Parameter codings: returns them. It is called only if not all formats are allowed.
        func check(_ codings: @autoclosure () -> [HEICCoding], name: String) throws(ImageError) {
            guard allowed != nil else { return }
            for coding in codings() {
                try check(coding.format, "\(coding.title) pictures", inside: .heic, name: name)
            }
        }
    }
#endif
