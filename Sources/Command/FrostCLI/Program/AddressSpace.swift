import CCommand

/// The address space of the process.
enum AddressSpace {
    /// The stack size of new threads if the address space or the memory is limited. No thread of Frost needs more.
    static let stackSize = 1 << 20

    /// Saves address space if `ulimit -v` limits it. Threads otherwise reserve much more address space than memory: 8
    /// MiB for a stack and up to 128 MiB for allocations. Call this before any thread is created.
    static func saveIfLimited() { frost_save_limited_address_space(stackSize) }
}
