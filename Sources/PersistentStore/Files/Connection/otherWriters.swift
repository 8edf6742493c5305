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
        .map { "\(firstLine(of: "/proc/\($0)/comm") ?? "process") (\($0))" }
    #else
      return []
    #endif
  }
}

#if os(Linux)
  private func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private func leads(_ path: String, to identity: FileIdentity) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && FileStatus(status).identity == identity
  }

  /// `flags:	0100002`, in octal digits, of which the last says what is allowed (proc(5)).
  private func isForWriting(_ path: String) -> Bool {
    guard let file = try? OpenFile(reading: path), let bytes = try? file.read(200, at: 0),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first(where: {
        $0.hasPrefix("flags:")
      }), let digit = line.last?.wholeNumberValue
    else { return false }
    return CInt(digit & 3) != O_RDONLY
  }

  private func firstLine(of path: String) -> String? {
    guard let file = try? OpenFile(reading: path), let bytes = try? file.read(64, at: 0) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
#endif
