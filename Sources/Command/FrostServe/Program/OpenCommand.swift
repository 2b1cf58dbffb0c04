package import FrostCLI
import Frost
import FrostImages
import Glibc

extension Command {
    package static let open = Command(
        name: "open", operands: "[PICTURE]",
        summary: "Open a page in the browser that tries out effects on a picture.",
        options: [.serverBackend, .device, .gpuShaders, .threads, .maxBody, .allow, .openLog],
        examples: ["frost open", "frost open photo.jpg"],
        run: { (arguments, console) throws(CommandError) in
            guard arguments.operands.count <= 1 else {
                throw .usage("open takes one picture, not \(arguments.operands.count)")
            }
            let limit = try arguments.required(.maxBody, as: ByteCount.self).bytes
            let picture = try arguments.operands.first.map { (name) throws(CommandError) in
                try OpenPage.Picture(FilePath(name), limit: limit)
            }
            return try Serving(arguments, console, OpenPage(picture)).run()
        },
        details: [
            "Prints the address of the page, and opens it with xdg-open if there is a desktop. The server listens on 127.0.0.1 and "
                + "answers only requests with the secret part of that address. It ends on Ctrl-C, or ten minutes after the page was closed."
        ],
        otherOperands: .file)
}

extension Option {
    /// The log of `frost open`, which has none by default.
    fileprivate static let openLog = Option(
        Option.accessLog.name, value: Option.accessLog.value, kind: Option.accessLog.kind, Option.accessLog.help)
}

extension OpenPage.Picture {
    fileprivate init(_ path: FilePath, limit: Int) throws(CommandError) {
        let bytes: [UInt8]
        do throws(Errno) {
            let descriptor = try path.open(O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            bytes = try Descriptor.readAll(descriptor, limit: limit + 1)
        } catch {
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
        guard bytes.count <= limit else { throw .usage("\(path.shownName) has more bytes than --max-body allows") }
        guard let format = ImageFormat(firstBytes: Array(bytes.prefix(ImageFormat.signatureByteCount))) else {
            throw .usage("\(path.shownName) has none of the formats that Frost reads")
        }
        self.init(name: path.name.shownName, bytes: bytes, mediaType: format.mediaType)
    }
}

/// A file that leads the browser to a page. Other users see the words of all processes, but cannot read this file, so they do
/// not learn the address.
struct PageLink {
    private let path: FilePath

    /// Writes the file. Returns nil if there is no desktop, or no folder that only this user can read.
    init?(to address: String) {
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(Environment.value($0) ?? "").isEmpty }
        guard hasDesktop, let folder = Environment.value("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
        path = FilePath("\(folder)/frost-\(getpid()).html")
        let text =
            "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(address)\"><a href=\"\(address)\">Frost</a>\n"
        guard let file = try? path.open(O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600) else { return nil }
        defer { close(file) }
        guard unsafe Descriptor.write(file, Array(text.utf8).span.bytes) == nil else {
            try? path.unlink()
            return nil
        }
    }

    /// Opens the file in the browser. Returns whether a browser could be started.
    func open() -> Bool {
        guard let program = Environment.program("xdg-open") else { return false }
        return
            (try? ChildProcess.start(
                program, ["xdg-open", path.text], variables: Environment.all, descriptors: [], ownGroup: true)) != nil
    }

    func remove() { try? path.unlink() }
}
