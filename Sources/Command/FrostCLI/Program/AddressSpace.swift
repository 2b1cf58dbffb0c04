import CCommand

/// The address space and the memory of the process.
enum AddressSpace {
    /// The stack size of new threads if the address space or the memory is limited. No thread of Frost needs more.
    static let stackSize = 1 << 20

    /// Saves address space if `ulimit -v` limits it. Threads otherwise reserve much more address space than memory: 8
    /// MiB for a stack and up to 128 MiB for allocations. Call this before any thread is created.
    static func saveIfLimited() { frost_save_limited_address_space(stackSize) }

    /// Gives large blocks back to the system when they are freed. This costs page faults when memory is allocated again, so
    /// it is for commands whose memory is limited.
    static func returnFreedMemory() { frost_return_freed_memory() }

    /// Keeps blocks that are freed, for commands that allocate blocks of the same sizes again and again, such as the frames of
    /// a video. The system otherwise clears the memory of each new block, which takes longer than to copy a frame.
    static func keepFreedMemory() { frost_keep_freed_memory() }
}
