import CFiles
import Glibc

/// Starts programs in processes of their own.
package enum ChildProcess {
    /// Starts a program. No signal is blocked or ignored in the process, whatever the state of this one.
    ///
    /// - Parameters:
    ///   - words: the words of the command line, with the program's name first.
    ///   - variables: the whole environment of the process, as "NAME=value".
    ///   - descriptors: the descriptors of this process that the process gets, each with its number there. A descriptor must
    ///     not have a number that the process uses for another one. The process has no other descriptors, except that those
    ///     of 0 to 2 that are not listed are /dev/null.
    ///   - ownGroup: whether the process gets a process group of its own, so that the keys of the terminal that interrupt this
    ///     process do not reach it.
    package static func start(
        _ program: FilePath, _ words: [String], variables: [String], descriptors: [(from: Int32, to: Int32)],
        ownGroup: Bool = false
    ) throws(Errno) -> Int32 {
        // SAFETY: both objects are initialised before their use and destroyed after it.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, from, to) }
        let given = descriptors.map(\.to)
        for number in 0...2 where !given.contains(Int32(number)) {
            unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, max(2, given.max() ?? 2) + 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let group = ownGroup ? POSIX_SPAWN_SETPGROUP : 0
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
        var process: pid_t = 0
        let path = program.bytes.map { CChar(bitPattern: $0) } + [0]
        let error = unsafe CStrings.with(words) { words in
            unsafe CStrings.with(variables) { variables in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard error == 0 else { throw Errno(code: error) }
        return process
    }
}
