import Frost
import FrostCLI
import FrostImages
import FrostServe
import FrostThreads
import Glibc
import Testing

/// Tests header fields by the rules of RFC 9110 and RFC 9112.
@Suite struct HeaderTests {
    private let all = Set(ImageFormat.allCases)

    /// RFC 9110, section 12.5.1: the most specific range decides about a type, and the highest weight about the result.
    @Test(
        arguments: [
            (nil, ImageFormat.png), ("*/*", .png), ("image/*", .png), ("image/webp", .webp),
            ("image/jpeg;q=0.2,image/webp;q=0.1", .jpeg),
            ("image/png;q=0,*/*", .webp), ("image/webp, */*;q=0.8", .webp), ("image/webp;q=0.5, */*;q=0.8", .png),
            ("IMAGE/WEBP ; Q=1", .webp), ("garbage,,image/jpeg", .jpeg), ("image/jpeg;q=1.5, image/webp", .webp),
        ] as [(String?, ImageFormat)]) func accepted(header: String?, format: ImageFormat)
    {
        #expect(AcceptedFormats(header, allowed: all).choice(source: .png) { _ in true } == format)
    }

    @Test func notAccepted() {
        for text in ["text/html", "image/*;q=0", "", "image", "*/png", "image/webp;q=x"] {
            #expect(AcceptedFormats(text, allowed: all).isEmpty, "\(text)")
        }
        #expect(AcceptedFormats("image/webp", allowed: [.png]).isEmpty)
    }

    /// A format that cannot hold the picture is passed over, also for one of a lower weight.
    @Test func held() {
        let accepted = AcceptedFormats("image/jpeg, image/png;q=0.1", allowed: all)
        #expect(accepted.choice(source: .tiff) { $0 != .jpeg } == .png)
        #expect(accepted.choice(source: .tiff) { _ in false } == .jpeg)
        #expect(accepted.key != AcceptedFormats("image/png, image/jpeg;q=0.1", allowed: all).key)
    }

    /// RFC 9110, section 8.8.3.2: If-Match compares strongly, If-None-Match weakly.
    @Test func entityTags() {
        for (list, strong, weak) in [
            ("\"a\"", true, true), ("W/\"a\"", false, true), ("\"b\", W/\"a\"", false, true),
            ("\"b\",\"a\"", true, true),
            ("*", true, true), ("\"b\"", false, false), ("a", false, false), ("\"a", false, false), ("", false, false),
            ("\"a,b\"", false, false), (" , \"a\" ,", true, true), ("w/\"a\"", false, false),
        ] {
            #expect(EntityTag.list(list, contains: "\"a\"", weakly: false) == strong, "\(list)")
            #expect(EntityTag.list(list, contains: "\"a\"", weakly: true) == weak, "\(list)")
        }
        let head = RequestHead(method: "GET", fields: [("If-Match", "\"b\""), ("If-None-Match", "\"a\"")])
        #expect(EntityTag.verdict(head, "\"a\"") == .failed && EntityTag.verdict(head, "\"b\"") == .send)
    }

    /// RFC 9112, section 6.3: fields with which two readers could see two lengths are refused.
    @Test func lengths() throws {
        func length(_ fields: [(String, String)], _ version: String = "HTTP/1.1") throws(Refusal) -> RequestHead.Length
        {
            try RequestHead(method: "POST", version: version, fields: fields).length()
        }
        #expect(try length([]) == .none)
        #expect(try length([("Content-Length", "12")]) == .bytes(12))
        #expect(try length([("content-length", "12"), ("Content-Length", "12")]) == .bytes(12))
        #expect(try length([("Transfer-Encoding", "Chunked")]) == .chunked)
        #expect(try length([("Content-Length", "99999999999999999999")]) == .bytes(.max))
        for fields in [
            [("Content-Length", "1"), ("Content-Length", "2")], [("Content-Length", "+1")],
            [("Content-Length", "1, 1")],
            [("Content-Length", "")], [("Content-Length", "1"), ("Transfer-Encoding", "chunked")],
            [("Transfer-Encoding", "gzip, chunked")],
            [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
        ] {
            #expect(throws: Refusal.self) { try length(fields) }
        }
        #expect(throws: Refusal.self) { try length([("Transfer-Encoding", "chunked")], "HTTP/1.0") }
    }

    /// An address has no name that an attacker could let resolve to it; all other names must be known.
    @Test func hosts() {
        let check = HostCheck(names: ["Img.example"])
        func accepts(_ host: String, _ more: [(String, String)] = []) -> Bool {
            (try? check.check(RequestHead(method: "GET", fields: [("Host", host)] + more), authority: nil)) != nil
        }
        for host in [
            "127.0.0.1", "10.0.0.1:80", "[::1]", "[fe80::1]:8080", "localhost", "LocalHost:1", "a.localhost",
            "img.example",
            "IMG.EXAMPLE.:443",
        ] {
            #expect(accepts(host), "\(host)")
        }
        for host in [
            "evil.example", "1.2.3", "1.2.3.256", "1.2.3.4.evil", "localhost.evil", "[::1", "[g::1]", "a b", "a@b",
            "a:b", ":80", "",
        ] {
            #expect(!accepts(host), "\(host)")
        }
        #expect(accepts("10.0.0.1:80", [("Origin", "http://10.0.0.1:80")]))
        #expect(accepts("10.0.0.1", [("Origin", "https://10.0.0.1")]))
        for origin in ["null", "http://10.0.0.1:81", "http://evil", "10.0.0.1:80", ""] {
            #expect(!accepts("10.0.0.1:80", [("Origin", origin)]), "\(origin)")
        }
        #expect(throws: Refusal.self) { try check.check(RequestHead(method: "GET"), authority: nil) }
        #expect(throws: Never.self) { try check.check(RequestHead(method: "GET", version: "HTTP/1.0"), authority: nil) }
        #expect(throws: Never.self) {
            try HostCheck(names: ["*"]).check(RequestHead(method: "GET", fields: [("Host", "x.y")]), authority: nil)
        }
    }

    /// A header of a response can hold no line end, whatever text becomes its value.
    @Test func values() {
        #expect(Header("A", "x\r\ny: ü\u{7F}").value == "x??y: ????".replacing("????", with: "???"))
    }
}

/// Tests addresses to listen on, signatures and the queue.
@Suite struct ServiceValueTests {
    @Test func addresses() {
        #expect(ListenAddress(written: "127.0.0.1:8080") == .internet(address: "127.0.0.1", port: 8080))
        #expect(ListenAddress(written: "localhost:0") == .internet(address: "127.0.0.1", port: 0))
        #expect(ListenAddress(written: "[::1]:65535") == .internet(address: "::1", port: 65535))
        #expect(ListenAddress(written: "unix:/run/a b") == .unix("/run/a b"))
        for text in [
            "", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "[127.0.0.1]:80",
            "example.org:80",
            "unix:", "1.2.3:4", "127.0.0.1:80x",
        ] {
            #expect(ListenAddress(written: text) == nil, "\(text)")
        }
        #expect(
            ListenAddress(written: "127.9.9.9:1")?.isLoopback == true
                && ListenAddress(written: "[::1]:1")?.isLoopback == true)
        #expect(
            ListenAddress(written: "0.0.0.0:1")?.isLoopback == false
                && ListenAddress(written: "unix:a")?.isLoopback == false)
    }

    /// The signature is HMAC-SHA256, as RFC 4231 defines it; the expected value is that of
    /// `printf %s '/blur/a.png?format=webp&sigma=4' | openssl dgst -sha256 -hmac 0123456789abcdef`.
    @Test func signatures() throws {
        let signature = try #require(Signature(key: Array("0123456789abcdef\n".utf8)))
        let target = try RequestTarget(Array("/blur/a.png?sigma=4&format=webp".utf8))
        #expect(Signature.text(target) == "/blur/a.png?format=webp&sigma=4")
        let expected = "ecd7b32bfdeeab7b8261480858e688b01d4218211d701cf89e1e066c7419b962"
        #expect(signature.signature(of: target) == expected)
        func isValid(_ text: String) throws -> Bool { signature.isValid(try RequestTarget(Array(text.utf8))) }
        #expect(try isValid("/blur/a.png?format=webp&signature=\(expected)&sigma=4"))
        for text in [
            "/blur/a.png?sigma=4&format=webp", "/blur/b.png?sigma=4&format=webp&signature=\(expected)",
            "/blur/a.png?sigma=4&format=webp&signature=\(expected)&signature=\(expected)",
            "/blur/a.png?sigma=4&format=webp&signature=\(expected.dropLast())",
            "/blur/a.png?sigma=4&format=webp&signature=",
        ] {
            #expect(try !isValid(text), "\(text)")
        }
        #expect(Signature(key: Array("short".utf8)) == nil && Signature(key: Array(repeating: 65, count: 5000)) == nil)
        #expect(Signature(key: Array(repeating: 10, count: 40)) == nil)
    }

    /// Clients take turns, and a full queue makes room for a client with fewer requests.
    @Test func turns() throws {
        let queue = FairQueue<Int>(capacity: 4)
        for (number, client) in [(1, "a"), (2, "a"), (3, "a"), (4, "b")] {
            guard case .added = queue.add(number, of: client) else { Issue.record("\(number) was not added"); return }
        }
        #expect(queue.isFull && !queue.hasRoom(for: "a") && queue.hasRoom(for: "b") && queue.hasRoom(for: "c"))
        guard case .refused = queue.add(5, of: "a") else {
            Issue.record("a client with most requests gets more"); return
        }
        guard case .replaced(3) = queue.add(6, of: "c") else { Issue.record("no room for another client"); return }
        guard case .replaced(2) = queue.add(7, of: "d") else {
            Issue.record("no room for a fourth client")
            return
        }
        #expect(!queue.hasRoom(for: "e"))
        guard case .refused = queue.add(8, of: "e") else {
            Issue.record("a replacement that evens out nothing")
            return
        }
        queue.close()
        var order: [Int] = []
        while let next = queue.next() { order.append(next) }
        #expect(order == [1, 4, 6, 7] && queue.load == (0, 4))
    }

    /// Elements that are removed make room, and their client loses its turn.
    @Test func removal() {
        let queue = FairQueue<Int>(capacity: 3)
        for (number, client) in [(1, "a"), (2, "b"), (3, "b")] { _ = queue.add(number, of: client) }
        #expect(queue.removeAll { $0 == 1 } == [1] && queue.load == (2, 0) && !queue.isFull)
        _ = queue.add(4, of: "a")
        queue.close()
        var order: [Int] = []
        while let next = queue.next() { order.append(next) }
        #expect(order == [2, 4, 3])
    }

    /// Those that wait for memory get it in their order, also if a later one needs less; one that gives up lets the next pass.
    @Test func memoryInOrder() throws {
        let memory = MemoryBudget(capacity: 10)
        #expect(memory.take(5))
        let isOver = Monitor(false)
        let large = try Thread.start("large") { #expect(!memory.take(8) { isOver.withLock { $0 } }) }
        while memory.waiting == 0 { usleep(1000) }
        var calls = 0
        let passes = memory.take(1) {
            calls += 1
            return calls > 8
        }
        #expect(!passes)
        isOver.update { $0 = true }
        large.join()
        #expect(memory.take(1) { false } && memory.inUse == 6)
    }

    @Test func memory() {
        let memory = MemoryBudget(capacity: 10)
        #expect(memory.take(10) && !memory.take(1))
        memory.giveBack(4)
        #expect(memory.take(4) && memory.inUse == 10)
        #expect(!memory.take(.max))
    }
}

/// Tests the options of requests: they are those of the command, without those that name files or choose where to compute.
@Suite struct RequestOptionTests {
    /// A stranger sets the options, so none of them may name a file of the server.
    @Test func noFiles() {
        let operations = [RequestOperation.blur] + EffectCatalog.all.map { .effect($0) }
        for operation in operations {
            for option in operation.options { #expect(option.kind != .file, "\(operation.name) \(option.name)") }
            let names = Set(operation.options.map(\.name))
            #expect(
                names.isDisjoint(with: [
                    "output", "key", "threads", "jobs", "device", "backend", "max-memory", "sandbox", "recursive",
                ]))
        }
    }

    private func request(_ options: [(String, String)], hasMask: Bool = false) throws(RequestError) -> PictureRequest {
        try PictureRequest(
            .blur, options.map { RequestOption($0.0, $0.1) }, limits: ImageLimits(maximumMemory: 1 << 30),
            key: SecretKey(),
            hasMask: hasMask)
    }

    @Test func errors() throws {
        #expect(try request([("sigma", "4"), ("format", "jpg"), ("linear", "0")]).format == .jpeg)
        for (options, name, range) in [
            ([("sigma", "-1")], "sigma", "0 to 1000"), ([("sigmaa", "1")], "sigmaa", nil), ([], "sigma", nil),
            ([("sigma", "1"), ("--edge", "clamp")], "--edge", nil), ([("sigma=1", "")], "sigma=1", nil),
            ([("sigma", "1"), ("quality", "80"), ("format", "png")], "quality", nil),
        ] as [([(String, String)], String, String?)] {
            let error = #expect(throws: RequestError.self) { try request(options) }
            #expect(error?.option == name && error?.range == range, "\(options) \(String(describing: error))")
        }
        #expect(throws: RequestError.self) { try request([("sigma", "1"), ("pad", "9x9")], hasMask: true) }
    }
}
