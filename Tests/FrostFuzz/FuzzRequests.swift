import Frost
import FrostCLI
import FrostImages
import FrostServe

/// What clients of a server send. The lines are the target, Accept, an entity tag list and Host; the form is behind them.
enum FuzzRequests {
    static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
        func line(_ index: Int) -> [UInt8] { index < lines.count ? Array(lines[index]) : [] }
        func text(_ index: Int) -> String { String(decoding: line(index), as: UTF8.self) }
        runTarget(line(0))
        let accepted = AcceptedFormats(text(1), allowed: Set(ImageFormat.allCases))
        require((accepted.choice(source: .png) { _ in true } == nil) == accepted.isEmpty, "a choice among no formats")
        let tag = "\"0123\""
        let (strong, weak) = (
            EntityTag.list(text(2), contains: tag, weakly: false), EntityTag.list(text(2), contains: tag, weakly: true)
        )
        require(weak || !strong, "a strong match is a weak one")
        let head = RequestHead(method: "GET", fields: [("Host", text(3)), ("Content-Length", text(1))])
        _ = try? HostCheck(names: ["a.example"]).check(head, authority: nil)
        _ = try? head.length()
        _ = Multipart.boundary(text(1))
        if let form = try? Multipart(line(4), boundary: "b", files: ["picture", "mask", "content"]) {
            let size = form.files.values.reduce(0) { $0 + $1.count }
            require(size <= line(4).count, "a form with more bytes than its body")
        }
    }

    private static func runTarget(_ bytes: [UInt8]) {
        guard let target = try? RequestTarget(bytes) else { return }
        for segment in target.segments {
            let leads = segment.isEmpty || segment == [0x2E] || segment == [0x2E, 0x2E]
            require(!leads && !segment.contains(0x2F) && !segment.contains(0), "a path that leads out")
        }
        let signature = Signature(key: [UInt8](repeating: 65, count: 32))
        if let signature, !target.query.contains(where: { $0.option.name == Signature.option }) {
            let mark = bytes.contains(UInt8(ascii: "?")) ? "&" : "?"
            let signed = bytes + Array("\(mark)signature=\(signature.signature(of: target))".utf8)
            require((try? RequestTarget(signed)).map(signature.isValid) == true, "a valid signature is refused")
        }
        let options = target.query.map(\.option)
        _ = try? PictureRequest(
            .blur, options, limits: ImageLimits(maximumMemory: 1 << 20), key: SecretKey(bits: .zero), hasMask: false)
        for transition in TransitionCatalog.all {
            _ = try? TransitionRequest(transition, options, limits: ImageLimits(maximumMemory: 1 << 20), with: [])
        }
    }
}
