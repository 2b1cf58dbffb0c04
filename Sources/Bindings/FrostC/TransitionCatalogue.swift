public import CFrost
import Frost
import FrostCSupport

/// The description of a transition as C strings, which live as long as the process.
///
/// SAFETY: created once and never changed.
private struct ListedTransition {
    let name, filter, summary: LastingText
    let parameters: [ListedParameter]
    let description: TransitionDescription

    init(_ description: TransitionDescription) {
        name = LastingText(description.name)
        filter = LastingText(description.source)
        summary = LastingText(description.summary)
        parameters = description.parameters.map(ListedParameter.init)
        self.description = description
    }

    /// The sum of the constants FROST_EXTRA_... of the extra images.
    func extraImages() throws(Failure) -> UInt32 {
        let transition = try failing { () throws(ParameterError) in try description.make() }
        return transition.extraImages.reduce(0) { $0 | $1.bit }
    }

    static let all = TransitionCatalog.all.map(ListedTransition.init)

    static func transition(_ index: Int) throws(Failure) -> ListedTransition {
        guard all.indices.contains(index) else {
            throw .argument("invalid transition index \(index) (number of transitions: \(all.count))")
        }
        return all[index]
    }
}

extension Transition.ExtraImage {
    fileprivate var bit: UInt32 {
        switch self {
        case .mask: UInt32(FROST_EXTRA_MASK)
        case .shading: UInt32(FROST_EXTRA_SHADING)
        case .backside: UInt32(FROST_EXTRA_BACKSIDE)
        }
    }
}

@c @implementation
public func frost_transition_count() -> Int {
    answer { ListedTransition.all.count }
}

@c @implementation
public func frost_transition_describe(
    _ transition: Int, _ info: UnsafeMutablePointer<frost_transition_info>?
) -> frost_status {
    status { () throws(Failure) in
        let transition = try ListedTransition.transition(transition)
        var value = unsafe frost_transition_info()
        unsafe value.name = transition.name.pointer
        unsafe value.filter = transition.filter.pointer
        unsafe value.summary = transition.summary.pointer
        unsafe value.parameter_count = transition.parameters.count
        unsafe value.extra_images = try transition.extraImages()
        try unsafe value.write(to: info, "info")
    }
}

@c @implementation
public func frost_transition_describe_parameter(
    _ transition: Int, _ parameter: Int, _ info: UnsafeMutablePointer<frost_parameter_info>?
) -> frost_status {
    status { () throws(Failure) in
        let transition = try ListedTransition.transition(transition)
        try unsafe ListedParameter.describe(parameter, of: transition.parameters, to: info)
    }
}
