import CMicrohttpd
import Frost

/// The functions of libmicrohttpd, which Frost opens when a server starts.
enum HTTPLibrary {
    // SAFETY: the names are C strings that exist until the program ends. The addresses of functions never change.
    nonisolated(unsafe) static let functions = Result { () throws(SharedLibraryError) -> frost_microhttpd in
        try unsafe SharedLibrary.table(
            frost_microhttpd_name_list(), frost_microhttpd_name_count(), in: [FROST_MICROHTTPD_LIBRARY])
    }
}
