package import FrostCLI
import CMicrohttpd
import Frost
import FrostImages
import FrostThreads
import Glibc

extension Command {
    package static let serve = Command(
        name: "serve", operands: "[--listen ADDRESS:PORT|unix:PATH] [options]",
        summary: "Serve blurs and effects over HTTP.",
        options: Option.serving + Option.access + [
            .jobs, .key, .serverBackend, .device, .gpuShaders, .threads, .maxSide, .maxPixels, .maxPixelsPerByte,
            .serverMemory, .maxTime, .allow,
        ] + Option.serverLimits,
        examples: [
            "frost serve", "frost serve --listen 127.0.0.1:8080 --root photos/",
            "frost serve --listen 0.0.0.0:80 --root photos/ --sign key --host img.example.org --max-age 86400",
            "frost serve --listen unix:/run/frost/socket --presets-only",
        ],
        run: { (arguments, console) throws(CommandError) in
            if let word = arguments.operands.first { throw .usage("unexpected operand \(word.shownName)") }
            return try Serving(arguments, console).run()
        },
        details: [
            "POST a picture to /blur?sigma=8, /redact, /effect/NAME or /preset/NAME, as the body or in a form; or GET "
                + "/blur/PATH?sigma=8 of a picture below --root. The query has the options of 'frost blur' and 'frost effect' "
                + "without their dashes. docs/Server.md describes all of it."
        ])
}

extension Option {
    /// The same picture must always give the same bytes, so the backend is not chosen by measurements.
    static let serverBackend = Option(
        Option.backend.name, value: Option.backend.value,
        kind: .word([Backend.cpu, .gpu, .exact].map(\.rawValue)), default: .value(Backend.cpu), "where to compute")
    fileprivate static let serverMemory = Option(
        Option.maxMemory.name, value: Option.maxMemory.value, kind: Option.maxMemory.kind,
        default: "2G", environment: Option.maxMemory.environment,
        "memory that all requests share, half of it for their bodies and results; a body or a result that finds no room is answered with status 429"
    )
}

/// A server from its start to its end.
struct Serving {
    private let console: Console
    private let address: ListenAddress
    private let settings: ServiceSettings
    private let limits: HTTPServer.Limits
    private let queueLength: Int
    private let drainTime: Duration
    private let logPath: FilePath?

    /// - Parameter openPage: the page of `frost open`, which listens on a free port of 127.0.0.1.
    init(_ arguments: Arguments, _ console: Console, _ openPage: OpenPage? = nil) throws(CommandError) {
        self.console = console
        let text = openPage == nil ? try arguments.required(.listen) : "127.0.0.1:0"
        guard let address = ListenAddress(written: text) else {
            throw .usage(
                "--listen \(text.shownName) must be ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080, or unix:PATH")
        }
        self.address = address
        let signature = try Self.signature(arguments)
        if arguments.has(.root), signature == nil, !address.isLoopback {
            throw .usage(
                "--root needs --sign FILE if --listen is not a loopback address: anybody could ask for all pictures")
        }
        if signature != nil, !arguments.has(.root) { throw .usage("--sign needs --root DIR") }
        var pictureLimits = try Pictures.limits(arguments)
        // Half of the memory is for pictures, and half for bodies.
        let memory = try arguments.required(.serverMemory, as: ByteCount.self).bytes
        pictureLimits.maximumMemory = ImageLimits.availableMemory(atMost: memory) / 2
        pictureLimits.sandbox = try Pictures.sandbox(arguments, byDefault: true, console)
        let alone = try arguments.renderer()
        let workers = arguments.value(.jobs, as: Int.self) ?? alone.threads
        let exact: Renderer
        do throws(FrostError) {
            exact = try Renderer(backend: .exact, threads: max(1, alone.threads / workers))
        } catch {
            throw .frost(error)
        }
        settings = ServiceSettings(
            root: try arguments.path(.root).map { (path) throws(CommandError) in try SourceFolder(path) },
            signature: signature, hosts: HostCheck(names: arguments.values(.host)), presets: try PresetFile.all(),
            presetsOnly: arguments.has(.presetsOnly),
            openPage: openPage, hasPage: !arguments.has(.noPage) && !arguments.has(.presetsOnly), limits: pictureLimits,
            maximumBody: min(
                try arguments.required(.maxBody, as: ByteCount.self).bytes,
                pictureLimits.maximumMemory ?? ImageLimits.defaultMemory),
            maximumAge: try arguments.required(.maxAge, as: Int.self), key: try RedactionKey.key(arguments, console),
            alone: alone, shared: try arguments.renderer(jobs: workers), exact: exact, workers: workers)
        limits = HTTPServer.Limits(
            connections: try arguments.required(.maxConnections, as: Int.self),
            connectionsPerAddress: arguments.value(.maxConnectionsPerAddress, as: Int.self) ?? 0,
            patience: .seconds(try arguments.required(.maxTransferTime, as: Int.self)))
        queueLength = try arguments.required(.maxQueue, as: Int.self)
        drainTime = .seconds(try arguments.required(.drainTime, as: Int.self))
        logPath = arguments.path(.accessLog)
    }

    private static func signature(_ arguments: Arguments) throws(CommandError) -> Signature? {
        guard let path = arguments.path(.sign) else { return nil }
        let bytes: [UInt8]
        do throws(Errno) {
            let descriptor = try path.open(O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            bytes = try Descriptor.readAll(descriptor, limit: 2 * Signature.keyBytes.upperBound)
        } catch {
            throw .image(.cannotRead(path: path.text, errno: error.code))
        }
        guard let signature = Signature(key: bytes) else {
            let range = Signature.keyBytes
            throw .usage("--sign \(path.shownName): a key has \(range.lowerBound) to \(range.upperBound) bytes")
        }
        return signature
    }

    /// Serves until a signal arrives, and finishes the requests that have begun.
    func run() throws(CommandError) -> ExitCode {
        let table: frost_microhttpd
        // SAFETY: the addresses of functions never change.
        do throws(SharedLibraryError) { table = try unsafe HTTPLibrary.functions.get() } catch {
            throw .usage("serve needs a library that cannot be loaded: \(error)\(error.advice)")
        }
        let limits = connectionLimits()
        let signals: (read: Int32, write: Int32)
        do throws(Errno) { signals = try Descriptor.pipe() } catch { throw Self.failure(error.message) }
        let log = try openLog()
        let listener: Int32
        do throws(ListenError) { listener = try address.listen() } catch { throw .usage("\(error)") }
        let text = address.text(of: listener)
        let service: Service
        do throws(ThreadError) {
            service = try Service(
                settings, queueLength: queueLength,
                log: try log.map { (file) throws(ThreadError) in try AccessLog(file, secret: settings.openPage?.token) }
            )
        } catch {
            throw Self.failure("\(error)")
        }
        let server: HTTPServer
        do throws(Errno) { server = try HTTPServer(listener, limits, service, table) } catch {
            throw Self.failure(error.message)
        }
        Interruption.wait(notifying: signals.write)
        let place = settings.openPage.map { text + $0.token } ?? text
        announce(place)
        let link = settings.openPage == nil ? nil : PageLink(to: place)
        defer { link?.remove() }
        if settings.openPage != nil, link?.open() != true {
            console.note("no browser could be opened: open the address in one")
        }
        while true {
            let time = server.connections.count > 0 ? Self.pollTime : .seconds(1)
            if server.connections.watch(for: time, signal: signals.read) { break }
            service.dropCancelled()
            if settings.openPage != nil, service.idleTime > Self.closedTime { break }
        }
        return end(server, service)
    }

    /// The time within which the server notices that a client has gone.
    private static let pollTime = Duration.milliseconds(100)

    /// The time without requests after which `frost open` ends. The page sends one every 30 seconds, a page in the background every minute.
    private static let closedTime = Duration.seconds(600)

    private static func failure(_ reason: String) -> CommandError { .usage("the server cannot start: \(reason)") }

    private func announce(_ place: String) {
        if console.json {
            console.result(["schema": "frost.serve/1", "listen": .string(place)])
        } else {
            console.result("listening on \(place)")
        }
    }

    /// The limits on connections. Each connection is an open file, so the limit on open files may reduce their number.
    private func connectionLimits() -> HTTPServer.Limits {
        var files = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        // SAFETY: the calls fill and read the structure that they receive.
        guard unsafe getrlimit(resource, &files) == 0 else { return limits }
        files.rlim_cur = files.rlim_max
        unsafe setrlimit(resource, &files)
        var limits = limits
        // A picture needs a few: its file, and the pipes and the files of the process that decodes it.
        let others = 64 + 16 * settings.workers + queueLength
        let possible = max(1, Int(clamping: files.rlim_max) - others)
        if possible < limits.connections {
            console.warn("--max-connections \(limits.connections) is reduced to \(possible) by the limit on open files")
            limits.connections = possible
        }
        return limits
    }

    /// Finishes the requests that have begun, and ends.
    private func end(_ server: HTTPServer, _ service: Service) -> ExitCode {
        service.drain()
        // A server that starts now finds no file, or this server listening. If it found neither, this server would remove its file.
        if case .unix(let path) = address { try? path.unlink() }
        server.quiesce()
        let isComplete = wait(server, service, for: drainTime)
        if !isComplete {
            service.cancel()
            _ = wait(server, service, for: .seconds(5))
            // A step that cannot be interrupted takes too long. The end of the process ends it.
            if server.isWaiting || service.queue.load != (0, 0) { Interruption.endIfRequested() }
        }
        server.stop()
        service.close()
        if !isComplete { console.warn("the drain time was over before all requests were finished") }
        return isComplete ? .done : .someFailed
    }

    /// Waits until nothing is in progress. Returns whether that happened in time.
    private func wait(_ server: HTTPServer, _ service: Service, for time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        while service.queue.load != (0, 0) || server.connections.isBusy {
            guard ContinuousClock.now < deadline else { return false }
            _ = server.connections.watch(for: .milliseconds(20), signal: -1)
        }
        return true
    }

    private func openLog() throws(CommandError) -> Int32? {
        guard let logPath else { return console.quiet || settings.openPage != nil ? nil : STDERR_FILENO }
        if logPath == "-" { return STDOUT_FILENO }
        do throws(Errno) {
            return try logPath.open(O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, mode: 0o640)
        } catch {
            throw .image(.cannotWrite(path: logPath.text, errno: error.code))
        }
    }

}
