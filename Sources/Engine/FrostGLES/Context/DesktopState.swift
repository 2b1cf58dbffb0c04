import CGLES

/// Names of desktop OpenGL that OpenGL ES does not have.
enum DesktopGL {
    static let contextProfileMask = GLenum(0x9126)
    static let compatibilityProfile = GLint(2)
    static let framebufferSRGB = GLenum(0x8DB9)
    /// Switches that only compatibility profiles have.
    static let (alphaTest, polygonStipple) = (GLenum(0x0BC0), GLenum(0x0B42))
    static let polygonMode = GLenum(0x0B40)
    static let (front, back, frontAndBack) = (GLenum(0x0404), GLenum(0x0405), GLenum(0x0408))
    static let fill = GLenum(0x1B02)
    static let (clipOrigin, clipDepth) = (GLenum(0x935C), GLenum(0x935D))
    static let (lowerLeft, negativeOneToOne) = (GLenum(0x8CA1), GLenum(0x935E))
    static let (clampReadColor, clampFragmentColor) = (GLenum(0x891C), GLenum(0x891B))
    static let maxClipDistances = GLenum(0x0D32)
    static let clipDistance0 = GLenum(0x3000)
    static let maxViewports = GLenum(0x825B)
    static let (packSwapBytes, unpackSwapBytes) = (GLenum(0x0D00), GLenum(0x0CF0))

    /// The switches (for glEnable) of all profiles that would change Frost's draws: GL_FRAMEBUFFER_SRGB,
    /// GL_COLOR_LOGIC_OP, GL_POLYGON_SMOOTH, GL_SAMPLE_MASK and GL_SAMPLE_ALPHA_TO_ONE.
    static let switches: [GLenum] = [framebufferSRGB, 0x0BF2, 0x0B41, 0x8E51, 0x809F]

    /// The scales and biases of pixel transfers in compatibility profiles, with the values that change nothing.
    /// GL_MAP_COLOR is the first.
    static let pixelTransfer: [(name: GLenum, value: GLfloat)] = [
        (0x0D10, 0), (0x0D14, 1), (0x0D15, 0), (0x0D18, 1), (0x0D19, 0), (0x0D1A, 1), (0x0D1B, 0), (0x0D1C, 1),
        (0x0D1D, 0),
    ]
}

/// The functions of desktop OpenGL with which Frost saves and restores state that OpenGL ES does not have.
// SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
@safe struct DesktopFunctions {
    /// Whether the context has a compatibility profile.
    let isCompatible: Bool
    let getFloatv: PFNGLGETFLOATVPROC
    let polygonMode: PFNGLPOLYGONMODENVPROC
    let clampColor: @convention(c) (GLenum, GLenum) -> Void
    let pixelTransferf: @convention(c) (GLenum, GLfloat) -> Void
    let isEnabledi: PFNGLISENABLEDIPROC
    let enablei: PFNGLENABLEIPROC
    /// nil before OpenGL 4.5, without GL_ARB_clip_control.
    let clipControl: PFNGLCLIPCONTROLEXTPROC?
    /// nil before OpenGL 4.1, without GL_ARB_viewport_array.
    let viewports: ViewportFunctions?

    // SAFETY: the struct only stores addresses. Each call through them has its own safety comment.
    @safe struct ViewportFunctions {
        let count: GLuint
        let get: PFNGLGETFLOATI_VOESPROC
        let set: PFNGLVIEWPORTINDEXEDFOESPROC
    }

    init(from driver: Driver, _ gl: GLFunctions, _ version: (Int, Int), _ extensions: Set<String>) throws(GLError) {
        isCompatible = gl.integer(DesktopGL.contextProfileMask) & DesktopGL.compatibilityProfile != 0
        unsafe getFloatv = try unsafe driver.function("glGetFloatv")
        polygonMode = try driver.function("glPolygonMode")
        clampColor = try driver.function("glClampColor")
        pixelTransferf = try driver.function("glPixelTransferf")
        isEnabledi = try driver.function("glIsEnabledi")
        enablei = try driver.function("glEnablei")
        clipControl =
            version >= (4, 5) || extensions.contains("GL_ARB_clip_control")
            ? driver.optionalFunction("glClipControl") : nil
        if version >= (4, 1) || extensions.contains("GL_ARB_viewport_array") {
            viewports = unsafe ViewportFunctions(
                count: GLuint(max(1, gl.integer(DesktopGL.maxViewports))),
                get: try unsafe driver.function("glGetFloati_v"),
                set: try driver.function("glViewportIndexedf"))
        } else {
            viewports = nil
        }
    }
}

/// The state of desktop OpenGL that Frost changes and OpenGL ES does not have.
struct DesktopState {
    private var switches: [GLenum] = []
    private var polygonMode: [GLint] = [GLint(DesktopGL.fill), GLint(DesktopGL.fill)]
    private var clip: (origin: GLint, depth: GLint)?
    private var clamps: [(name: GLenum, value: GLint)] = []
    private var swaps: [(name: GLenum, value: GLint)] = []
    private var transfer: [(name: GLenum, value: GLfloat)] = []
    private var viewports: [[GLfloat]] = []
    /// The viewports with a scissor rectangle.
    private var scissors: [GLuint] = []

    /// Saves the state, and sets what Frost's draws and transfers need. Call it before the state that OpenGL ES has too
    /// is changed.
    init(takingOver functions: DesktopFunctions, _ gl: GLFunctions) {
        // The vertex shader writes no clip distances, so they are undefined.
        let distances = (0..<GLenum(max(0, gl.integer(DesktopGL.maxClipDistances)))).map {
            DesktopGL.clipDistance0 + $0
        }
        let compatible = functions.isCompatible ? [DesktopGL.alphaTest, DesktopGL.polygonStipple] : []
        for name in DesktopGL.switches + distances + compatible where gl.isEnabled(name) != 0 {
            switches.append(name)
            gl.disable(name)
        }
        // SAFETY: the queried parameter has two values, of which core profiles write one.
        unsafe gl.getIntegerv(DesktopGL.polygonMode, &polygonMode)
        functions.polygonMode(DesktopGL.frontAndBack, DesktopGL.fill)
        if let clipControl = functions.clipControl {
            clip = (gl.integer(DesktopGL.clipOrigin), gl.integer(DesktopGL.clipDepth))
            clipControl(DesktopGL.lowerLeft, DesktopGL.negativeOneToOne)
        }
        let clamped = [DesktopGL.clampReadColor] + (functions.isCompatible ? [DesktopGL.clampFragmentColor] : [])
        for name in clamped {
            clamps.append((name, gl.integer(name)))
            functions.clampColor(name, 0)
        }
        for name in [DesktopGL.packSwapBytes, DesktopGL.unpackSwapBytes] {
            swaps.append((name, gl.integer(name)))
            gl.pixelStorei(name, 0)
        }
        if functions.isCompatible {
            for (name, neutral) in DesktopGL.pixelTransfer {
                var value: GLfloat = 0
                // SAFETY: the queried parameter has one value.
                unsafe functions.getFloatv(name, &value)
                transfer.append((name, value))
                functions.pixelTransferf(name, neutral)
            }
        }
        if let indexed = functions.viewports {
            for index in 0..<indexed.count {
                var viewport: [GLfloat] = [0, 0, 0, 0]
                // SAFETY: the queried parameter has four values per index.
                unsafe indexed.get(GLenum(GL_VIEWPORT), index, &viewport)
                viewports.append(viewport)
                if functions.isEnabledi(GLenum(GL_SCISSOR_TEST), index) != 0 { scissors.append(index) }
            }
        }
    }

    /// Restores the saved state. Call it after the state that OpenGL ES has too was restored.
    func restore(_ functions: DesktopFunctions, _ gl: GLFunctions) {
        for name in switches { gl.enable(name) }
        if functions.isCompatible {
            functions.polygonMode(DesktopGL.front, GLenum(bitPattern: polygonMode[0]))
            functions.polygonMode(DesktopGL.back, GLenum(bitPattern: polygonMode[1]))
        } else {
            functions.polygonMode(DesktopGL.frontAndBack, GLenum(bitPattern: polygonMode[0]))
        }
        if let clip { functions.clipControl?(GLenum(bitPattern: clip.origin), GLenum(bitPattern: clip.depth)) }
        for (name, value) in clamps { functions.clampColor(name, GLenum(bitPattern: value)) }
        for (name, value) in swaps { gl.pixelStorei(name, value) }
        for (name, value) in transfer { functions.pixelTransferf(name, value) }
        guard let indexed = functions.viewports else { return }
        for (index, viewport) in viewports.enumerated() {
            indexed.set(GLuint(index), viewport[0], viewport[1], viewport[2], viewport[3])
        }
        // glEnable sets the switch of all viewports, glEnablei of one.
        gl.disable(GLenum(GL_SCISSOR_TEST))
        for index in scissors { functions.enablei(GLenum(GL_SCISSOR_TEST), index) }
    }
}
