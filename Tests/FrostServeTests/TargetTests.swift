import FrostCLI
import FrostServe
import Testing

/// Tests the parsing of what a client sends: targets, forms, header fields. Each text comes from a stranger.
@Suite struct TargetTests {
    private func target(_ text: String) throws(Refusal) -> RequestTarget { try RequestTarget(Array(text.utf8)) }

    /// The path is split before it is decoded, and the query at & and =, as URLs define it.
    @Test func parts() throws {
        let found = try target("/effect/light/a%20b/%C3%BC.png?sigma=8&tint=black%2C0.3&linear&a=b=c&x=1+2&&")
        #expect(found.segments.map { String(decoding: $0, as: UTF8.self) } == ["effect", "light", "a b", "ü.png"])
        #expect(
            found.query.map(\.option) == [
                RequestOption("sigma", "8"), RequestOption("tint", "black,0.3"), RequestOption("linear", ""),
                RequestOption("a", "b=c"), RequestOption("x", "1 2"),
            ])
        #expect(found.query[1].raw == "tint=black%2C0.3" && found.path == "/effect/light/a%20b/%C3%BC.png")
        #expect(try target("/").segments.isEmpty && target("/?").query.isEmpty)
        let absolute = try target("HTTP://Example.org:80/blur?sigma=1")
        #expect(absolute.authority == "Example.org:80" && absolute.path == "/blur")
        #expect(try target("http://a?x=1").query.count == 1)
    }

    /// Names of files need not be UTF-8, but options are text.
    @Test func bytes() throws {
        #expect(try target("/blur/%FF").segments[1] == [0xFF])
        #expect(throws: Refusal.self) { try target("/blur?x=%FF") }
    }

    /// No accepted path has a part that leads upwards, or that a decoder could divide again.
    @Test(arguments: [
        "", "*", "blur", "ftp://a/b", "/a//b", "/a/", "/./a", "/../a", "/a/..", "/%2e%2E/a", "/a%2Fb", "/a%00", "/a%",
        "/a%4", "/a%zz", "/a#b", "/a b", "/ä", "/a\u{7F}", "/a?b=%0", "//a",
    ]) func refused(text: String) {
        let error = #expect(throws: Refusal.self) { try target(text) }
        #expect(error?.status == 400 && error?.code == "bad-target")
    }
}

/// Tests forms.
@Suite struct MultipartTests {
    private let files = ["picture", "mask", "content"]
    private func form(_ text: String, _ boundary: String = "b") throws(Refusal) -> Multipart {
        try Multipart(Array(text.utf8), boundary: boundary, files: files)
    }
    private let field = "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a;b\\\".png\"\r\n\r\n"

    @Test func fields() throws {
        let text =
            "\(field)x--b\r\n-b\r\n--b \t\r\ncontent-DISPOSITION:form-data;name=sigma\r\nX: y\r\n\r\n8\r\n--b--\r\nrest"
        let found = try form(text)
        #expect(found.files == ["picture": Array("x--b\r\n-b".utf8)])
        #expect(found.options == [RequestOption("sigma", "8")])
        #expect(try form("--b--").files.isEmpty)
    }

    /// Every end of a form, and every form with a byte less, is refused or complete: no content is made up.
    @Test func cut() throws {
        let text = Array("\(field)pixels\r\n--b--".utf8)
        #expect(try Multipart(text, boundary: "b", files: files).files["picture"] == Array("pixels".utf8))
        for count in 0..<text.count {
            #expect(throws: Refusal.self) { try Multipart(Array(text[..<count]), boundary: "b", files: files) }
        }
    }

    @Test(arguments: [
        "", "--", "--c--", "--b", "--b\r\n", "--b\r\n\r\n--b--", "--b\r\nX: y\r\n\r\nz\r\n--b--", "x--b--",
        "--b\r\nContent-Disposition: form-data\r\n\r\nz\r\n--b--",
    ]) func damaged(text: String) {
        #expect(throws: Refusal.self) { try form(text) }
    }

    @Test func limits() {
        let many = String(repeating: "--b\r\nContent-Disposition: a; name=x\r\n\r\n1\r\n", count: 101) + "--b--"
        #expect(throws: Refusal.self) { try form(many) }
        #expect(throws: Refusal.self) { try form("\(field)1\r\n\(field)2\r\n--b--") }
        let long = "--b\r\nContent-Disposition: a; name=x\r\n\r\n" + String(repeating: "1", count: 5000) + "\r\n--b--"
        #expect(throws: Refusal.self) { try form(long) }
    }

    @Test func boundaries() {
        #expect(Multipart.boundary("multipart/form-data; boundary=abc") == "abc")
        #expect(Multipart.boundary("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"a b\"") == "a b")
        for text in [
            "multipart/form-data", "multipart/mixed; boundary=a", "image/png", "multipart/form-data; boundary=\"\"", "",
        ] {
            #expect(Multipart.boundary(text) == nil)
        }
        #expect(Multipart.boundary("multipart/form-data; boundary=" + String(repeating: "a", count: 71)) == nil)
    }
}
