extension Option {
    package static let listen = Option(
        "listen", value: "ADDRESS", default: "127.0.0.1:8080",
        "where to wait for connections: ADDRESS:PORT, such as 0.0.0.0:80 or [::1]:8080 (port 0: a free one), or unix:PATH"
    )
    package static let maxTransferTime = Option(
        "max-transfer-time", value: "SECONDS", kind: .integer(1...86_400), default: "60",
        "end a connection if a request does not arrive in this time, or its response cannot be sent")
    package static let drainTime = Option(
        "drain-time", value: "SECONDS", kind: .integer(0...86_400), default: "30",
        "after SIGTERM or SIGINT, finish the requests that have begun, for at most this time; a second signal ends at once"
    )
    package static let accessLog = Option(
        "access-log", value: "FILE", kind: .file, default: .words("standard error; none with --quiet"),
        "append a line of JSON for each request to this file; - is standard output")
    package static let maxAge = Option(
        "max-age", value: "SECONDS", kind: .integer(0...31_536_000), default: "0",
        "let caches keep the results of sources for this time without asking again")
    package static let noPage = Option("no-page", "serve no page at /, and no list of effects")
    /// The options for connections and results.
    package static let serving: [Option] = [.listen, .maxAge, .noPage, .accessLog, .maxTransferTime, .drainTime]

    package static let root = Option(
        "root", value: "DIR", kind: .file,
        "let clients ask by GET for pictures in this folder and its subfolders; symbolic links that leave it are refused"
    )
    package static let sign = Option(
        "sign", value: "FILE", kind: .file,
        "answer a GET of --root only if its signature was made with the key in this file, of at least 16 bytes; required "
            + "unless --listen is a loopback address")
    package static let host = Option(
        "host", value: "NAME", repeats: true,
        "also answer requests whose field Host has this name; addresses and localhost are always answered; '*' allows all; "
            + "may be repeated")
    package static let presetsOnly = Option(
        "presets-only", "answer only requests for a preset, and allow no option but format")
    /// The options that say which requests are answered.
    package static let access: [Option] = [.root, .sign, .host, .presetsOnly]

    package static let maxBody = Option(
        "max-body", value: "SIZE", kind: .bytes(1...1 << 40), default: "64M", "refuse requests with more bytes")
    package static let maxQueue = Option(
        "max-queue", value: "N", kind: .integer(1...100_000), default: "64",
        "let N requests wait, and answer others with status 429; clients take turns")
    package static let maxConnections = Option(
        "max-connections", value: "N", kind: .integer(1...100_000), default: "1024", "largest number of connections")
    package static let maxConnectionsPerAddress = Option(
        "max-connections-per-address", value: "N", kind: .integer(1...100_000), default: .words("no limit"),
        "largest number of connections of an address")
    /// The limits of a server besides those on pictures.
    package static let serverLimits: [Option] = [
        .sandbox, .noSandbox, .maxBody, .maxQueue, .maxConnections, .maxConnectionsPerAddress,
    ]
}
