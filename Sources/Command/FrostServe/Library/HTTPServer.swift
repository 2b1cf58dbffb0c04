import CMicrohttpd
import Frost
import FrostCLI
import Glibc
import Synchronization

/// A server of HTTP by libmicrohttpd. One thread receives requests and sends responses. Connections whose requests are worked
/// on are suspended meanwhile.
///
/// Thread-safety: may be used from any thread.
// SAFETY: the daemon's functions that are called here may be called from any thread.
@safe final class HTTPServer: @unchecked Sendable {
    let connections: Connections
    private let suspended = Atomic<Int>(0)
    private let table: frost_microhttpd
    private let handler: any RequestHandler
    private var daemon: OpaquePointer?

    /// The limits on connections.
    struct Limits {
        var connections: Int
        /// The number of connections of an address; 0 for no limit of its own.
        var connectionsPerAddress: Int
        /// The longest time for a request to arrive, and for a response to be sent.
        var patience: Duration
    }

    /// Starts a server.
    ///
    /// - Parameter listener: a socket that listens. The server closes it.
    init(
        _ listener: Int32, _ limits: Limits, _ handler: any RequestHandler, _ table: frost_microhttpd
    ) throws(Errno) {
        self.table = table
        self.handler = handler
        do throws(Errno) { connections = try Connections(patience: limits.patience) } catch {
            close(listener)
            throw error
        }
        unsafe daemon = nil
        let callbacks = unsafe frost_http_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            target: { context, target, _ in unsafe HTTPServer.of(context)?.begin(target) },
            request: { context, connection, _, method, version, upload, size, place in
                guard let server = unsafe HTTPServer.of(context) else { return .NO }
                return unsafe server.handle(connection, method, version, upload, size, place)
            },
            completed: { context, connection, place, code in
                guard let server = unsafe HTTPServer.of(context) else { return }
                unsafe server.complete(connection, place, code)
            },
            connection: { context, connection, place, code in
                guard let server = unsafe HTTPServer.of(context) else { return }
                unsafe server.notify(connection, place, code)
            })
        let settings = frost_http_limits(
            connections: UInt32(limits.connections), connections_per_address: UInt32(limits.connectionsPerAddress),
            idle_seconds: UInt32(max(1, limits.patience / .seconds(1))), connection_memory: 1 << 16)
        // SAFETY: the server lives until `stop()`, after which nothing calls it.
        let started = unsafe withUnsafePointer(to: table) { table in
            unsafe withUnsafePointer(to: callbacks) { callbacks in
                unsafe withUnsafePointer(to: settings) { unsafe frost_http_start(table, listener, callbacks, $0) }
            }
        }
        guard let started = unsafe started else {
            let error = Errno.last
            close(listener)
            throw error
        }
        unsafe daemon = started
    }

    /// Stops to accept connections, and closes the listening socket.
    func quiesce() {
        guard let daemon = unsafe daemon else { return }
        let listener = unsafe table.MHD_quiesce_daemon(daemon)
        if listener >= 0 { close(listener) }
    }

    /// Whether a connection waits for a job. libmicrohttpd ends the process if it is stopped meanwhile.
    var isWaiting: Bool { suspended.load(ordering: .sequentiallyConsistent) > 0 }

    /// Ends all connections and the server.
    ///
    /// - Precondition: the server is not ``isWaiting``.
    func stop() {
        guard let daemon = unsafe daemon else { return }
        unsafe self.daemon = nil
        unsafe table.MHD_stop_daemon(daemon)
    }

    @unsafe private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
        unsafe context.map { unsafe Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Begins a request. The result is the request's own pointer, which ``complete(_:_:_:)`` releases.
    @unsafe private func begin(_ target: UnsafePointer<CChar>) -> UnsafeMutableRawPointer {
        let bytes = unsafe UnsafeBufferPointer(start: target, count: strlen(target)).map { UInt8(bitPattern: $0) }
        return unsafe Unmanaged.passRetained(Exchange(target: bytes, handler)).toOpaque()
    }

    @unsafe private func connection(_ pointer: OpaquePointer) -> Connection? {
        let table = table
        return unsafe withUnsafePointer(to: table) { unsafe frost_http_connection_context($0, pointer) }.map {
            unsafe Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    @unsafe private func handle(
        _ pointer: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
        _ upload: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
        _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let pointer = unsafe pointer, let method = unsafe method, let version = unsafe version,
            let size = unsafe size, let own = unsafe place?.pointee, let connection = unsafe connection(pointer)
        else { return .NO }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(own).takeUnretainedValue()
        let step: Exchange.Step
        if exchange.isNew {
            connections.set(.receiving, of: connection)
            step = exchange.begin(
                RequestHead(
                    method: unsafe String(cString: method), version: unsafe String(cString: version),
                    fields: unsafe fields(pointer)), connection)
        } else if unsafe size.pointee > 0 {
            step = unsafe exchange.receive(UnsafeRawBufferPointer(start: upload, count: size.pointee))
            unsafe size.pointee = 0
        } else {
            step = exchange.complete(connection)
        }
        switch step {
        case .proceed: return .YES
        case .close: return .NO
        case .send(let response):
            connections.set(.sending, of: connection)
            return unsafe send(response, pointer, isLast: response.closes || connection.isHalfClosed)
        case .wait(let job, let queue):
            connections.set(.working(job), of: connection)
            let waiting = unsafe SuspendedConnection(pointer, table)
            waiting.suspend()
            suspended.add(1, ordering: .sequentiallyConsistent)
            job.onFinish { [self] in
                waiting.resume()
                suspended.subtract(1, ordering: .sequentiallyConsistent)
            }
            queue(job)
            return .YES
        }
    }

    /// The header fields of a request.
    @unsafe private func fields(_ pointer: OpaquePointer) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        // SAFETY: the callback is called only during the call, on this thread, with the pointer to the local array.
        unsafe withUnsafeMutablePointer(to: &fields) { place in
            _ = unsafe table.MHD_get_connection_values(
                pointer, .HEADER_KIND,
                { place, _, name, value in
                    guard let fields = unsafe place?.assumingMemoryBound(to: [(name: String, value: String)].self),
                        let name = unsafe name
                    else { return .YES }
                    unsafe fields.pointee.append(
                        (String(cString: name), value.map { unsafe String(cString: $0) } ?? ""))
                    return .YES
                }, place)
        }
        return fields
    }

    @unsafe private func send(_ response: Response, _ pointer: OpaquePointer, isLast: Bool) -> MHD_Result {
        let made = unsafe response.status == 304 ? notModified(response) : plain(response)
        guard let made = unsafe made else { return .NO }
        defer { unsafe table.MHD_destroy_response(made) }
        for header in response.headers + (isLast ? [Header("Connection", "close")] : []) {
            _ = unsafe table.MHD_add_response_header(made, header.name, header.value)
        }
        return unsafe table.MHD_queue_response(pointer, UInt32(response.status), made)
    }

    @unsafe private func plain(_ response: Response) -> OpaquePointer? {
        // SAFETY: libmicrohttpd copies the bytes, which it does not change.
        unsafe response.body.withUnsafeBytes {
            unsafe table.MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    @unsafe private func notModified(_ response: Response) -> OpaquePointer? {
        // SAFETY: the table lives during the call.
        unsafe withUnsafePointer(to: table) { unsafe frost_http_not_modified($0, Int64(response.knownLength ?? -1)) }
    }

    @unsafe private func complete(
        _ pointer: OpaquePointer?, _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ code: MHD_RequestTerminationCode
    ) {
        guard let own = unsafe place?.pointee else { return }
        unsafe place?.pointee = nil
        var client: Connection?
        if let pointer = unsafe pointer { client = unsafe connection(pointer) }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(own).takeRetainedValue()
        exchange.end(client, isSent: code == .REQUEST_TERMINATED_COMPLETED_OK)
        if let client { connections.set(.idle, of: client) }
    }

    @unsafe private func notify(
        _ pointer: OpaquePointer?, _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ code: MHD_ConnectionNotificationCode
    ) {
        guard let pointer = unsafe pointer, let place = unsafe place else { return }
        if code == .CONNECTION_NOTIFY_STARTED {
            let table = table
            let descriptor = unsafe withUnsafePointer(to: table) { unsafe frost_http_socket($0, pointer) }
            unsafe place.pointee = Unmanaged.passRetained(connections.open(descriptor)).toOpaque()
        } else if let own = unsafe place.pointee {
            unsafe place.pointee = nil
            connections.close(unsafe Unmanaged<Connection>.fromOpaque(own).takeRetainedValue())
        }
    }
}

/// A connection that waits for a job.
// SAFETY: MHD_resume_connection may be called from any thread, once after a suspension. The connection exists until then.
@safe private final class SuspendedConnection: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let table: frost_microhttpd

    @unsafe init(_ pointer: OpaquePointer, _ table: frost_microhttpd) {
        unsafe self.pointer = pointer
        self.table = table
    }

    func suspend() { unsafe table.MHD_suspend_connection(pointer) }

    func resume() { unsafe table.MHD_resume_connection(pointer) }
}
