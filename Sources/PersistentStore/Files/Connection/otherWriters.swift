import Foundation

extension FileIdentity {
  /// Programs that have a file open for writing, this one left out: `Simulator (4711)`.
  ///
  /// A store with a rollback journal shows no lock of a connection that rests, and SQLite cannot tell of it. Linux
  /// lists every process's descriptors, as far as this user may see them; elsewhere the list is empty.
  func otherWriters() -> [String] {
    #if os(Linux)
      let own = "\(getpid())"
      return names(in: "/proc").filter { $0 != own && $0.allSatisfy(\.isNumber) }
        .filter { process in
          names(in: "/proc/\(process)/fd").contains { descriptor in
            leads("/proc/\(process)/fd/\(descriptor)", to: self)
              && isForWriting("/proc/\(process)/fdinfo/\(descriptor)")
          }
        }
        .map { "\(lines(of: "/proc/\($0)/comm").first ?? "process") (\($0))" }
    #else
      return []
    #endif
  }
}

#if os(Linux)
  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private func leads(_ path: String, to identity: FileIdentity) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && FileStatus(status).identity == identity
  }

  /// `flags:	0100002`, in octal digits, of which the last says what is allowed (proc(5)).
  private func isForWriting(_ path: String) -> Bool {
    let flags = lines(of: path).first { $0.hasPrefix("flags:") }
    return flags?.last?.wholeNumberValue.map { CInt($0 & 3) != O_RDONLY } ?? false
  }

  private func lines(of path: String) -> [Substring] {
    guard let file = try? OpenFile(reading: path), let bytes = try? file.read(200, at: 0) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
#endif
