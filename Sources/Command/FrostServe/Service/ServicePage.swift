import Frost
import FrostCLI

/// The page at "/", which is the file page.html. It may load nothing but pictures of this server, and runs no script but its own.
enum ServicePage {
    static let response: Response = {
        let bytes = PackageResources.page_html
        let text = String(decoding: bytes, as: UTF8.self)
        let policy = [
            "default-src 'none'", "script-src \(source("script", in: text))", "style-src \(source("style", in: text))",
            "img-src 'self' blob: data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'",
        ]
        let headers = [
            Header("Content-Type", "text/html; charset=utf-8"), Header("Cache-Control", "no-store"),
            Header("Content-Security-Policy", policy.joined(separator: "; ")),
            Header("Referrer-Policy", "no-referrer"),
        ]
        return Response(200, headers, bytes)
    }()

    /// The hash that allows the content of an element, which occurs once in the page.
    private static func source(_ element: String, in text: String) -> String {
        let rest = text.split(separator: "<\(element)>", maxSplits: 1).last ?? ""
        let content = rest.split(separator: "</\(element)>", maxSplits: 1).first ?? ""
        return "'sha256-\(Base64.text(FileHash.sha256(Array(content.utf8))))'"
    }
}
