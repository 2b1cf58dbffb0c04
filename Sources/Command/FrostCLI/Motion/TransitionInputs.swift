package import Frost
package import FrostImages

/// What a picture is for in a transition.
package enum TransitionRole: String, Sendable, CaseIterable {
    /// The picture at time 0.
    case from
    /// The picture at time 1.
    case to
    case mask
    case shading
    case backside

    /// The extra image that the picture is; nil for the two pictures that every transition has.
    package var extraImage: Transition.ExtraImage? {
        switch self {
        case .from, .to: nil
        case .mask: .mask
        case .shading: .shading
        case .backside: .backside
        }
    }
}

/// The pictures of a transition before they are read: files of a command line, or the form of a request.
package struct TransitionInputs {
    /// The names of the pictures that are there, for messages.
    let names: [TransitionRole: FilePath]
    let read: (TransitionRole, ImageReadOptions) throws(CommandError) -> DecodedImage
    let readMask: (ImageReadOptions) throws(CommandError) -> MaskImage

    /// - Parameters:
    ///   - names: the names of the pictures that are there, for messages. There are ``TransitionRole/from`` and
    ///     ``TransitionRole/to``.
    ///   - read: reads a picture that is there, and converts CMYK pixels to sRGB.
    ///   - readMask: reads the mask.
    package init(
        _ names: [TransitionRole: FilePath],
        read: @escaping (TransitionRole, ImageReadOptions) throws(CommandError) -> DecodedImage,
        mask readMask: @escaping (ImageReadOptions) throws(CommandError) -> MaskImage
    ) {
        (self.names, self.read, self.readMask) = (names, read, readMask)
    }

    /// Creates the inputs of a command line, which names two pictures as operands and the others by options.
    ///
    /// - Precondition: there are two operands.
    init(_ arguments: Arguments, _ console: Console) {
        let paths = arguments.paths
        let all: [TransitionRole: FilePath?] = [
            .from: paths[0], .to: paths[1], .mask: arguments.path(.transitionMask), .shading: arguments.path(.shading),
            .backside: arguments.path(.backside),
        ]
        let names = all.compactMapValues(\.self)
        self.init(names) { (role, options) throws(CommandError) in
            try Pictures.read(names[role] ?? "", options, console)
        } mask: { (options) throws(CommandError) in
            try Pictures.mask(names[.mask] ?? "", options, console)
        }
    }

    /// The roles of the pictures that are there.
    package var roles: Set<TransitionRole> { Set(names.keys) }

    /// The name of a picture.
    func name(_ role: TransitionRole) -> FilePath { names[role] ?? FilePath(role.rawValue) }
}
