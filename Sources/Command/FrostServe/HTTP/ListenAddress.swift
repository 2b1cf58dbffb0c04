package import Frost
import Glibc

/// Where a server waits for connections: the value of `--listen`.
package enum ListenAddress: Equatable {
    /// An address of IP without brackets, and a port; 0 lets the system choose one.
    case internet(address: String, port: UInt16)
    case unix(FilePath)

    package init?(written text: String) {
        if text.hasPrefix("unix:") {
            let path = FilePath(String(text.dropFirst(5)))
            guard !path.bytes.isEmpty else { return nil }
            self = .unix(path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var address = String(text[..<colon])
        if address == "localhost" { address = "127.0.0.1" }
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        if isBracketed { address = String(address.dropFirst().dropLast()) }
        guard isBracketed == address.contains(":"), Self.socketAddress(address, port) != nil else { return nil }
        self = .internet(address: address, port: port)
    }

    /// Whether only programs of this machine reach the address, and web pages in its browsers.
    package var isLoopback: Bool {
        switch self {
        case .unix: false
        case .internet(let address, _): address == "::1" || address.hasPrefix("127.")
        }
    }

    /// The bytes of a socket address; nil if the text is not an address.
    private static func socketAddress(_ address: String, _ port: UInt16) -> [UInt8]? {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        // SAFETY: inet_pton writes an address of its family into the field.
        if unsafe inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        guard unsafe inet_pton(AF_INET6, address, &six.sin6_addr) == 1 else { return nil }
        return unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
    }

    private static func socketAddress(_ path: FilePath) -> [UInt8]? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // SAFETY: the structure has no padding, so all of its bytes are initialised.
        var bytes = unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
        // The path ends in a zero byte.
        guard path.bytes.count < bytes.count - offset, !path.bytes.contains(0) else { return nil }
        bytes.replaceSubrange(offset..<offset + path.bytes.count, with: path.bytes)
        return bytes
    }

    /// Opens a socket that listens. A socket file that no process listens on is replaced.
    package func listen() throws(ListenError) -> Int32 {
        let address: [UInt8]
        let family: Int32
        switch self {
        case .internet(let text, let port):
            address = Self.socketAddress(text, port) ?? []
            family = text.contains(":") ? AF_INET6 : AF_INET
        case .unix(let path):
            guard let bytes = Self.socketAddress(path) else {
                throw ListenError(address: self, .init(code: ENAMETOOLONG))
            }
            (address, family) = (bytes, AF_UNIX)
            removeStale(path, address)
        }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        do throws(Errno) {
            let descriptor = try Errno.check { socket(family, kind, 0) }
            do throws(Errno) {
                var one: Int32 = 1
                // SAFETY: the call reads one number.
                try Errno.check { unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(4)) }
                try unsafe Self.with(address) { (pointer, size) in unsafe bind(descriptor, pointer, size) }
                try Errno.check { Glibc.listen(descriptor, 1024) }
                return descriptor
            } catch {
                close(descriptor)
                throw error
            }
        } catch {
            throw ListenError(address: self, error)
        }
    }

    /// Removes the socket file of a server that has ended.
    private func removeStale(_ path: FilePath, _ address: [UInt8]) {
        guard let status = try? path.status(followsLink: false), status.kind == S_IFSOCK else { return }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return }
        defer { close(probe) }
        do throws(Errno) {
            try unsafe Self.with(address) { (pointer, size) in unsafe connect(probe, pointer, size) }
        } catch {
            if error.code == ECONNREFUSED { try? path.unlink() }
        }
    }

    @unsafe private static func with(
        _ address: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Errno) {
        // SAFETY: the bytes are those of a socket address, and the call gets their number.
        try Errno.check { () -> Int32 in
            unsafe address.withUnsafeBytes { bytes -> Int32 in
                guard let base = bytes.baseAddress else { return -1 }
                return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
    }

    /// Returns the text of the address at which a socket listens: a URL, or the path of a socket file.
    package func text(of descriptor: Int32) -> String {
        switch self {
        case .unix(let path): return "unix:\(path.shownName)"
        case .internet(let address, var port):
            if port == 0 {
                var bytes = sockaddr_in6()
                var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
                // SAFETY: the structure is large enough for both families, which have the port at the same place.
                unsafe withUnsafeMutablePointer(to: &bytes) { place in
                    unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = unsafe getsockname(descriptor, $0, &size)
                    }
                }
                port = UInt16(bigEndian: bytes.sin6_port)
            }
            return "http://\(Self.text(address, port))/"
        }
    }

    /// Returns an address and a port in the form of URLs.
    fileprivate static func text(_ address: String, _ port: UInt16) -> String {
        (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
    }
}

/// The reason why a server cannot listen.
package struct ListenError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: Errno

    init(address: ListenAddress, _ reason: Errno) { (self.address, self.reason) = (address, reason) }

    package var description: String {
        let place =
            switch address {
            case .unix(let path): path.shownName
            case .internet(let address, let port): ListenAddress.text(address, port)
            }
        return "--listen \(place): \(reason.message)"
    }
}
