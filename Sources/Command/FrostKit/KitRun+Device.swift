import FrostCLI

extension KitRun {
    /// A device to test, as `frost devices --json` describes it.
    struct Device {
        /// The index, as text.
        let index: String
        let name: String
        let isSoftware: Bool
        private let members: [String: String]

        init(_ members: [String: String]) {
            self.members = members
            index = members["index"] ?? ""
            name = members["renderer"] ?? ""
            isSoftware = members["software"] == "true"
        }

        /// Steps keep no programs on disk, so that they measure the driver's compiler and leave nothing behind.
        static let noCache = ["FROST_PROGRAM_CACHE": "off"]

        /// The variables that tell programs in C which device to use: see Tests/c/host.h.
        var variables: [String: String] {
            var variables = Self.noCache
            switch members["platform"] {
            case "device": variables["FROST_EGL_DEVICE"] = index
            case "gbm": variables["FROST_DRM_NODE"] = renderNode
            case nil, _?: break
            }
            variables["FROST_RENDER_NODE"] = renderNode
            return variables
        }

        private var renderNode: String? { members["renderNode"].flatMap { $0 == "null" ? nil : $0 } }

        var line: JSON {
            .object([
                ("schema", .string(KitLog.deviceSchema)), ("index", .string(index)), ("renderer", .string(name)),
                ("vendor", .optional(members["vendor"])), ("version", .optional(members["version"])),
                ("platform", .optional(members["platform"])), ("software", .bool(isSoftware)),
            ])
        }
    }
}
