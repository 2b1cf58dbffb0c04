import CMemory

/// The end of a process that gets no memory at a place that cannot throw.
public enum MissingMemory {
    /// Sets the function that ends the process. It runs on the thread that needs the memory, must not allocate, and must not
    /// return. Without one, the process aborts.
    public static func end(by handler: @convention(c) (_ bytes: Int) -> Void) { frost_set_memory_handler(handler) }

    /// Ends the process, because a number of bytes cannot be allocated.
    public static func end(bytes: Int) -> Never { frost_out_of_memory(bytes) }
}
