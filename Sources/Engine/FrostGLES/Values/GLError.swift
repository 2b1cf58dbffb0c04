public import FrostThreads

/// Details of a failed call into EGL or GL.
public struct GLEvidence: Sendable, Hashable, CustomStringConvertible {
    /// The C name of the function that failed.
    public var call: String
    /// The error code; 0 if there is no code.
    public var code: UInt32
    /// The last messages of the driver (KHR_debug), oldest first.
    public var messages: [String]

    /// Creates the details of one failed call.
    public init(call: String, code: UInt32 = 0, messages: [String] = []) {
        self.call = call
        self.code = code
        self.messages = messages
    }

    /// The details as one line of text, for example "glTexStorage2D: GL_OUT_OF_MEMORY (0x505); driver: …".
    public var description: String {
        var text = call
        if code != 0 { text += ": \(ErrorNames.name(of: code))" }
        if !messages.isEmpty { text += "; driver: " + messages.joined(separator: " | ") }
        return text
    }
}

/// The reason why an operation through EGL or OpenGL ES failed.
public enum GLError: Error, Sendable, Equatable {
    /// A library cannot be opened. `reason` is the dynamic loader's message.
    case libraryMissing(name: String, reason: String)
    /// No device matches the request. For each device that was tried, `tried` has the reason why it was not used.
    case noDevice(wanted: String, tried: [String])
    /// A display cannot be opened or initialised.
    case displayFailed(device: String, GLEvidence)
    /// No context of OpenGL ES 3.0 or later can be made current.
    case contextFailed(device: String, GLEvidence)
    /// A shader does not compile. `log` is the compiler's log.
    case shaderCompilation(stage: String, log: String)
    /// A program does not link. `log` is the linker's log.
    case link(log: String)
    /// A texture cannot be rendered to.
    case framebufferIncomplete(status: UInt32, format: String, width: Int, height: Int)
    /// The GL has no memory for an object. Smaller images, or the CPU, may still work.
    case outOfMemory(GLEvidence)
    /// The context was lost in a GPU reset, or destroyed by `shutdown`, together with its objects. A new context may work.
    case contextLost(reason: String)
    /// No context that Frost can use is current on this thread, or the current context is not the one used before.
    case notCurrent(String)
    /// The driver lacks a required feature.
    case unsupported(String)
    /// A size exceeds a limit of the GL.
    case tooLarge(what: String, value: Int, limit: Int)
    /// A dma-buf cannot be used as requested.
    case dmaBuffer(DMABufferFault)
    /// The GPU did not finish in time.
    case timeout(what: String, seconds: Double)
    /// The driver has not returned from a call for a number of seconds. The thread of the call was abandoned, together
    /// with its context.
    case driverBlocked(call: String, seconds: Double)
    /// The system refused the thread on which a context lives.
    case noThread(ThreadError)
    /// The process is a child of the process that used the GPU. GPU drivers do not work in both.
    case forked
    /// Another call failed, because of a defect in Frost or in the driver.
    case callFailed(GLEvidence)
}

extension GLError: CustomStringConvertible {
    /// The error as one line of text, with its details.
    public var description: String {
        switch self {
        case .libraryMissing(let name, let reason): "\(name) cannot be opened: \(reason)"
        case .noDevice(let wanted, let tried):
            "no \(wanted)" + (tried.isEmpty ? "" : ": " + tried.joined(separator: "; "))
        case .displayFailed(let device, let evidence): "no EGL display on \(device): \(evidence)"
        case .contextFailed(let device, let evidence): "no OpenGL ES 3 context on \(device): \(evidence)"
        case .shaderCompilation(let stage, let log): "the \(stage) shader does not compile: \(log)"
        case .link(let log): "the GPU program cannot be linked: \(log)"
        case .framebufferIncomplete(let status, let format, let width, let height):
            "a \(width)x\(height) \(format) texture cannot be rendered to: \(ErrorNames.name(of: status))"
        case .outOfMemory(let evidence): "the GPU is out of memory: \(evidence)"
        case .contextLost(let reason): "the OpenGL ES context is lost: \(reason)"
        case .notCurrent(let reason): reason
        case .unsupported(let what): "the driver does not support \(what)"
        case .tooLarge(let what, let value, let limit): "\(what) \(value) exceeds the GPU's limit of \(limit)"
        case .dmaBuffer(let fault): fault.description
        case .timeout(let what, let seconds): "\(what) took longer than \(seconds) s"
        case .driverBlocked(let call, let seconds): "the driver has not returned from \(call) for \(seconds) s"
        case .noThread(let error): error.description
        case .forked:
            "a parent of this process has used a GPU before the fork; a GPU works only in the process that used it first"
        case .callFailed(let evidence): "\(evidence)"
        }
    }
}
