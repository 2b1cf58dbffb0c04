import Frost
import FrostThreads
import Glibc

/// A client's connection.
final class Connection: Sendable {
    let number: Int
    let descriptor: Int32
    /// The address of the client; "unix" for a socket file.
    let client: String

    init(number: Int, descriptor: Int32) {
        self.number = number
        self.descriptor = descriptor
        client = Self.client(descriptor)
    }

    /// Whether the client sends no more requests. libmicrohttpd does not notice that if it arrives together with a request.
    var isHalfClosed: Bool {
        var request = pollfd(fd: descriptor, events: Connections.closed, revents: 0)
        // SAFETY: poll gets one structure and the count 1.
        return unsafe poll(&request, 1, 0) > 0
    }

    private static func client(_ descriptor: Int32) -> String {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        // SAFETY: both calls get the sizes of the structure and of the array.
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe getpeername(descriptor, place, &size) == 0 && place.pointee.sa_family != sa_family_t(AF_UNIX)
                    && getnameinfo(place, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        guard isKnown else { return "unix" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The open connections, with what each of them waits for. libmicrohttpd does not see that a client goes away while its
/// connection is suspended, and limits only the time in which nothing happens. Both are watched here.
///
/// Thread-safety: may be used from any thread.
final class Connections: Sendable {
    enum Phase {
        /// The client may send a request, or sends the header of one.
        case idle
        /// The client sends the body of a request.
        case receiving
        /// A job makes the response.
        case working(Job)
        /// The client gets the response.
        case sending
        /// The client has gone, or the connection was ended.
        case ended
    }

    private struct Entry {
        let descriptor: Int32
        var phase = Phase.idle
        var since = ContinuousClock.now
        /// When the client was seen to send nothing more, in this phase; nil if it may send more.
        var closed: ContinuousClock.Instant?

        /// Whether the end of the client's data matters, and has not been seen.
        var isWatched: Bool {
            switch phase {
            case .working: true
            case .idle, .receiving: closed == nil
            case .sending, .ended: false
            }
        }

        /// Whether the connection has to be ended: the phase takes too long, or the request will never be complete.
        func isOver(_ now: ContinuousClock.Instant, _ patience: Duration) -> Bool {
            switch phase {
            case .idle, .receiving:
                now - since > patience || closed.map { now - $0 > Connections.readingTime } == true && isDrained
            case .sending: now - since > patience
            case .working, .ended: false
            }
        }

        /// Whether all that the client has sent was read.
        private var isDrained: Bool {
            var byte: UInt8 = 0
            // SAFETY: the call stores at most one byte.
            return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
        }
    }
    /// The time in which the server reads what has arrived.
    private static let readingTime = Duration.milliseconds(200)

    private let entries = Lock<(last: Int, open: [Int: Entry])>((0, [:]))
    /// The longest time for a request to arrive, and for a response to be sent.
    private let patience: Duration

    /// A pipe with which the first connection ends a long wait.
    private let bell: (read: Int32, write: Int32)

    init(patience: Duration) throws(Errno) {
        self.patience = patience
        bell = try Descriptor.pipe()
    }

    deinit {
        Glibc.close(bell.read)
        Glibc.close(bell.write)
    }

    var count: Int { entries.withLock { $0.open.count } }

    /// Whether a request has begun whose response is not sent yet.
    var isBusy: Bool {
        entries.withLock { entries in
            entries.open.values.contains { entry in
                switch entry.phase {
                case .receiving, .working, .sending: true
                case .idle, .ended: false
                }
            }
        }
    }

    func open(_ descriptor: Int32) -> Connection {
        let (number, isFirst) = entries.withLock { entries in
            entries.last += 1
            entries.open[entries.last] = Entry(descriptor: descriptor)
            return (entries.last, entries.open.count == 1)
        }
        if isFirst { _ = unsafe Descriptor.write(bell.write, ([0] as [UInt8]).span.bytes) }
        return Connection(number: number, descriptor: descriptor)
    }

    /// Forgets a connection. Its descriptor must still be open.
    func close(_ connection: Connection) { entries.withLock { $0.open[connection.number] = nil } }

    func set(_ phase: Phase, of connection: Connection) {
        entries.withLock { entries in
            guard var entry = entries.open[connection.number] else { return }
            if case .ended = entry.phase { return }
            (entry.phase, entry.since, entry.closed) = (phase, .now, nil)
            entries.open[connection.number] = entry
        }
    }

    /// Waits for a while. Cancels the jobs of clients that have gone, and ends connections that take too long.
    ///
    /// - Parameter signal: a descriptor that ends the wait when it can be read; -1 for none.
    /// - Returns: whether that descriptor can be read.
    func watch(for time: Duration, signal: Int32) -> Bool {
        let watched = entries.withLock { entries in
            entries.open.compactMap { $0.value.isWatched ? ($0.key, $0.value.descriptor) : nil }
        }
        var requests =
            [signal, bell.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            + watched.map { pollfd(fd: $0.1, events: Self.closed, revents: 0) }
        // SAFETY: poll gets as many structures as their count says.
        _ = unsafe poll(&requests, nfds_t(requests.count), Int32(time / .milliseconds(1)))
        if requests[1].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = Descriptor.read(bell.read, into: &bytes)
        }
        let now = ContinuousClock.now
        let gone = entries.withLock { entries -> [Job] in
            var gone: [Job] = []
            for (index, (number, _)) in watched.enumerated() where requests[index + 2].revents != 0 {
                guard let entry = entries.open[number] else { continue }
                switch entry.phase {
                // A client that closes only its sending side counts as gone too. The two cannot be told apart before something is
                // sent.
                case .working(let job):
                    gone.append(job)
                    entries.open[number]?.phase = .ended
                case .idle, .receiving: entries.open[number]?.closed = entry.closed ?? now
                case .sending, .ended: break
                }
            }
            for (number, entry) in entries.open where entry.isOver(now, patience) {
                // The descriptor is open, because the connection is forgotten before it is closed.
                shutdown(entry.descriptor, Int32(SHUT_RDWR))
                entries.open[number]?.phase = .ended
            }
            return gone
        }
        for job in gone { job.cancellation.cancel() }
        return requests[0].revents != 0
    }

    /// The event of a connection whose other end has closed its sending side: POLLRDHUP.
    fileprivate static let closed: Int16 = 0x2000
}
