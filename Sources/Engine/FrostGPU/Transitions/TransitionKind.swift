import FrostCore
import FrostShaders

/// The kinds of transitions. Their values are those of the shader's constant TRANSITION. Each kind has a file
/// `transition.KIND.glsl`.
enum TransitionKind: Int, CaseIterable {
    case dissolve, swipe, copyMachine, barsSwipe, mod, disintegrate, ripple, pageCurl, accordionFold, flash

    init(_ drawing: TransitionDrawing) {
        switch drawing {
        case .dissolve: self = .dissolve
        case .swipe: self = .swipe
        case .copyMachine: self = .copyMachine
        case .barsSwipe: self = .barsSwipe
        case .mod: self = .mod
        case .disintegrate: self = .disintegrate
        case .ripple: self = .ripple
        case .pageCurl: self = .pageCurl
        case .accordionFold: self = .accordionFold
        case .flash: self = .flash
        }
    }

    /// Whether the source is read at other positions than the pixel's own.
    var movesSource: Bool {
        switch self {
        case .dissolve, .swipe, .copyMachine, .mod, .disintegrate, .flash: false
        case .barsSwipe, .ripple, .pageCurl, .accordionFold: true
        }
    }

    /// Whether the target is read at other positions than the pixel's own.
    var movesTarget: Bool {
        switch self {
        case .dissolve, .swipe, .copyMachine, .barsSwipe, .mod, .disintegrate, .pageCurl, .accordionFold, .flash: false
        case .ripple: true
        }
    }

    /// Whether the shader reads a texture that holds the image.
    func reads(_ image: TransitionTexture) -> Bool {
        switch image {
        case .sourceImage, .targetImage: true
        case .backsideImage: self == .pageCurl
        case .shadingImage: self == .pageCurl || self == .ripple
        case .layersImage: self == .disintegrate
        }
    }

    /// The text of the kind's file.
    var source: String {
        // SAFETY: the functions return static strings that end in NUL.
        unsafe String(
            cString: {
                switch self {
                case .dissolve: unsafe frost_shader_transition_dissolve_glsl()
                case .swipe: unsafe frost_shader_transition_swipe_glsl()
                case .copyMachine: unsafe frost_shader_transition_copy_machine_glsl()
                case .barsSwipe: unsafe frost_shader_transition_bars_swipe_glsl()
                case .mod: unsafe frost_shader_transition_mod_glsl()
                case .disintegrate: unsafe frost_shader_transition_disintegrate_glsl()
                case .ripple: unsafe frost_shader_transition_ripple_glsl()
                case .pageCurl: unsafe frost_shader_transition_page_curl_glsl()
                case .accordionFold: unsafe frost_shader_transition_accordion_fold_glsl()
                case .flash: unsafe frost_shader_transition_flash_glsl()
                }
            }())
    }
}

/// The textures of a transition's shader. The cases have the samplers' names, and their values are the texture units.
enum TransitionTexture: Int, CaseIterable {
    case sourceImage, targetImage, backsideImage, shadingImage, layersImage
}
