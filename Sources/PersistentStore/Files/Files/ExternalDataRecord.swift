import Foundation
import ManagedModel

/// What a private name is continued by where the file is such a record: `.Shop.sqlite.modelc-1a2b3c4d.external`.
package let externalRecordEnd = ".external"

/// What a work puts into a store's folder for external data, written down beside the store before it is done: after a
/// kill it tells whose those files are.
///
/// Values that the work makes have names that the record's key accounts for; files that it copies are listed, and so
/// are the folders that it makes. It is held by this process for as long as the value lives.
package final class ExternalDataRecord {
  let path: String
  package let names: KeyedNames
  private let file: OpenFile
  private var size: Int64 = 0

  /// Makes the record; nothing else may be made before.
  ///
  /// - Parameter folders: those that are about to be made, the outer one first.
  package init(at path: String, names: KeyedNames, folders: [ExternalFolder]) throws(SystemError) {
    self.path = path
    self.names = names
    file = try OpenFile(creating: path)
    _ = file.takeMark()
    do {
      try append([Self.head, "key \(names.key)"] + folders.map { "folder \($0.rawValue)" })
      try synchronizeFolder(parentFolder(of: path))
    } catch {
      try? removeFile(path)
      throw error
    }
  }

  /// Lists files that are about to be copied.
  package func add(_ names: [String]) throws(SystemError) { try append(names.map { "file \($0)" }) }

  package func remove() throws(SystemError) { try removeFile(path) }

  private func append(_ lines: [String]) throws(SystemError) {
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    try file.write(bytes, at: size)
    try file.synchronize()
    size += Int64(bytes.count)
  }

  fileprivate static let head = "modelc external data 1"
}

/// The two folders of a store's large values; only paths: what is there may be a link, see ``dataFolder(ofStoreAt:)``.
package enum ExternalFolder: String, Hashable, Sendable {
  /// `.<name without extension>_SUPPORT`, next to the store.
  case support
  /// `_EXTERNAL_DATA` in it.
  case data

  package func path(ofStoreAt store: String) -> String {
    let stem = ((store as NSString).lastPathComponent as NSString).deletingPathExtension
    let support = (parentFolder(of: store) as NSString).appendingPathComponent(".\(stem)_SUPPORT")
    return self == .support ? support : support + "/_EXTERNAL_DATA"
  }
}

/// A record that another process left, as far as it was written.
struct LeftRecord: Hashable, Sendable {
  private(set) var folders: Set<ExternalFolder> = []
  private var names: KeyedNames?
  /// Of the files that are there, those that were, or were about to be, copied.
  private(set) var listed: Set<String> = []

  /// Reads line by line; what is no line of a record ends it, and files that are not there are passed over, so that a
  /// large file of somebody else's costs nothing.
  ///
  /// - Parameter present: the names of the files that are there.
  init(at path: String, among present: Set<String>) throws(SystemError) {
    let file = try OpenFile(reading: path)
    var rest: ArraySlice<UInt8> = []
    var offset: Int64 = 0
    var isFirst = true
    while true {
      let bytes = try file.read(1 << 16, at: offset)
      offset += Int64(bytes.count)
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        guard isFirst ? line == ExternalDataRecord.head : take(line, among: present) else { return }
        isFirst = false
      }
      if bytes.isEmpty || rest.count > 100 { return }
    }
  }

  /// Whether the work made, or was about to make, a file of that name.
  func accounts(for name: String) -> Bool { listed.contains(name) || names?.accountsFor(name) == true }

  private mutating func take(_ line: String, among present: Set<String>) -> Bool {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 2 else { return false }
    switch words[0] {
    case "key": names = UInt64(words[1]).map(KeyedNames.init)
    case "folder": if let folder = ExternalFolder(rawValue: words[1]) { folders.insert(folder) }
    case "file" where UUID(uuidString: words[1]) != nil:
      if present.contains(words[1]) { listed.insert(words[1]) }
    default: return false
    }
    return true
  }
}

/// Names of files, UUIDs as Core Data gives them, whose second half follows from the first and a key: nobody else makes
/// such a name but once in 2⁶² times.
package struct KeyedNames: Hashable, Sendable {
  package var key: UInt64

  /// The name with a number, version 4 of its kind.
  package func name(_ number: UInt64) -> String {
    let first = mixed(key, number) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    return UUID(version4: first, second(first)).uuidString
  }

  package func accountsFor(_ name: String) -> Bool {
    guard UUID(uuidString: name) != nil else { return false }
    let digits = name.filter { $0 != "-" }
    guard digits.count == 32, let first = UInt64(digits.prefix(16), radix: 16) else { return false }
    return UInt64(digits.suffix(16), radix: 16) == second(first)
  }

  private func second(_ first: UInt64) -> UInt64 {
    mixed(first, ~key) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }
}
