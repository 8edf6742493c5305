import Foundation

/// An object of a repository, as `cat-file --batch` announces it.
struct GitObject: Hashable, Sendable {
  enum Kind: String, Sendable { case blob, tree, commit, tag }

  var id: String
  var kind: Kind
  var size: Int

  /// `<id> <kind> <size>`, or nil if the name led to nothing.
  init?(answer line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, let kind = Kind(rawValue: words[1]), let size = Int(words[2]), size >= 0,
      words[0].utf8.count >= 40, words[0].allSatisfy(\.isHexDigit)
    else { return nil }
    // Its own header may claim any size. One beyond every limit is as good as another, and sums do not overflow.
    (self.id, self.kind, self.size) = (words[0], kind, min(size, 1 << 40))
  }
}

/// What git answers to the name of an object.
enum GitAnswer: Sendable {
  case object(GitObject, Data)
  case tooLarge
  /// The name leads to nothing, or to an object that this clone lacks.
  case missing
  /// Git ended: the object is damaged, or it could not be fetched. With what git said.
  case failed(String)
}

/// One run of `git cat-file --batch`: it gives the objects of a repository, one after the other.
final class GitObjectStream {
  private let process: Process
  /// Both ends stay open: with its other end here, writing to a git that has ended raises no signal.
  private let input: Pipe
  private let output: FileHandle
  private let errors: FileHandle
  private var buffer = Data()
  /// Milliseconds that git may be silent.
  private static let patience: Int32 = 60_000

  init(_ process: Process, input: Pipe, output: FileHandle, errors: FileHandle) {
    (self.process, self.input, self.output, self.errors) = (process, input, output, errors)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    for handle in [input.fileHandleForReading, input.fileHandleForWriting, output, errors] {
      try? handle.close()
    }
  }

  /// - Parameter names: a few KB of them at most. Git has read all former ones, so the pipe takes them whole.
  func ask(_ names: ArraySlice<String>) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(names.map { $0 + "\n" }.joined().utf8))
  }

  /// The answer to the next name that was asked for. After `tooLarge` and `failed` the stream is of no use any more.
  ///
  /// - Parameter limit: bytes of an object.
  func next(limit: Int) -> GitAnswer {
    guard let line = line() else { return .failed(message) }
    guard let object = GitObject(answer: line) else { return .missing }
    guard object.size <= limit else { return .tooLarge }
    while buffer.count <= object.size { guard fill() else { return .failed(message) } }
    // A line end follows.
    defer { buffer = Data(buffer.dropFirst(object.size + 1)) }
    return .object(object, Data(buffer.prefix(object.size)))
  }

  private var message: String {
    guard (try? errors.seek(toOffset: 0)) != nil, let data = try? errors.read(upToCount: 4096) else {
      return ""
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[(end + 1)...])
        return line
      }
      // The answer holds the name.
      guard buffer.count < 1 << 16, fill() else { return nil }
    }
  }

  /// - Returns: false if git has ended, or is silent for too long.
  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var waiting = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&waiting, 1, Self.patience)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      let size = unsafe piece.withUnsafeMutableBytes { unsafe read(waiting.fd, $0.baseAddress, $0.count) }
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { return false }
      buffer += piece[..<size]
      return true
    }
  }
}
