import CBytes
package import Foundation
import ManagedModel

/// A zip file, an app's `.ipa` among them: what it lists, and the bytes of single files, which are all that is read of it.
///
/// The end of the file leads to the directory, the directory to the files; archives beyond 4 GB have both in the form
/// "zip64". Nothing of the file is believed before it is inside the file.
package struct ZipArchive {
  package struct Entry {
    /// With `/` between its parts; never one that leads out of a folder.
    package let path: String
    package let size: Int
    let packedSize: Int
    let method: Int
    let checksum: UInt32
    let offset: Int
  }

  /// Regular files, as the archive lists them. Links and encrypted files are passed over.
  package let entries: [Entry]
  private let file: URL

  /// - Throws: ``ArchiveFlaw`` where the file is not a zip file that can be read.
  package init(_ file: URL) throws(ArchiveFlaw) {
    self.file = file
    let reader = try Reader(file)
    let tailStart = max(0, reader.size - Self.longestEnd)
    let tail = try reader.read(at: tailStart, count: reader.size - tailStart)
    let ends = stride(from: tail.count - 22, through: 0, by: -1)
    guard let end = ends.first(where: { tail.number($0, 4) == Self.endSignature }) else {
      throw ArchiveFlaw("it is not a zip file, or its end is missing")
    }
    var (count, size, offset) = (tail.number(end + 10, 2), tail.number(end + 12, 4), tail.number(end + 16, 4))
    // 20 bytes before the end lies the place of the larger form, where a number does not fit.
    if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF, end >= 20,
      tail.number(end - 20, 4) == Self.locatorSignature
    {
      let large = try reader.read(at: tail.number(end - 12, 8), count: 56)
      guard large.number(0, 4) == Self.largeEndSignature else {
        throw ArchiveFlaw("its zip64 end is damaged")
      }
      (count, size, offset) = (large.number(32, 8), large.number(40, 8), large.number(48, 8))
    }
    guard count >= 0, size <= Self.largestDirectory, count <= size / 46 else {
      throw ArchiveFlaw("its directory is damaged, or larger than any app's")
    }
    entries = try Self.entries(in: try reader.read(at: offset, count: size), count)
  }

  private static func entries(in directory: Data, _ count: Int) throws(ArchiveFlaw) -> [Entry] {
    var (entries, position) = ([Entry](), 0)
    for _ in 0..<count {
      guard position + 46 <= directory.count, directory.number(position, 4) == entrySignature else {
        throw ArchiveFlaw("its directory is damaged")
      }
      let lengths = [28, 30, 32].map { directory.number(position + $0, 2) }
      let end = position + 46 + lengths.reduce(0, +)
      guard end <= directory.count else { throw ArchiveFlaw("its directory is cut off") }
      let name = directory.dropFirst(position + 46).prefix(lengths[0])
      let extra = Data(directory.dropFirst(position + 46 + lengths[0]).prefix(lengths[1]))
      var sizes = [24, 20, 42].map { directory.number(position + $0, 4) }
      extra.readLargeNumbers(into: &sizes)
      let kind = directory.number(position + 38, 4) >> 28
      let path = String(decoding: name, as: UTF8.self)
      let isEncrypted = directory.number(position + 8, 2) & 1 == 1
      if !isEncrypted, kind == 0 || kind == 8, isInside(path) {
        entries.append(
          Entry(
            path: path, size: sizes[0], packedSize: sizes[1], method: directory.number(position + 10, 2),
            checksum: UInt32(truncatingIfNeeded: directory.number(position + 16, 4)), offset: sizes[2]))
      }
      position = end
    }
    return entries
  }

  /// Whether it is the path of a file below the archive's top.
  private static func isInside(_ path: String) -> Bool {
    path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0)
    }
  }

  /// The bytes of one file, as long as the directory says, with its checksum.
  ///
  /// - Parameter limit: the most bytes that are read.
  package func read(_ entry: Entry, limit: Int) throws(ArchiveFlaw) -> Data {
    guard entry.size <= limit, entry.packedSize <= limit else {
      throw ArchiveFlaw("'\(entry.path)' has more than \(limit) bytes")
    }
    let reader = try Reader(file)
    let head = try reader.read(at: entry.offset, count: 30)
    guard head.number(0, 4) == Self.fileSignature else {
      throw ArchiveFlaw("'\(entry.path)' is not where the directory says")
    }
    let start = entry.offset + 30 + head.number(26, 2) + head.number(28, 2)
    var data = try reader.read(at: start, count: entry.packedSize)
    switch entry.method {
    case 0: break
    case 8:
      do {
        data = try data.inflated(limit: entry.size, mayLackEnd: false)
      } catch {
        throw error as? ArchiveFlaw ?? ArchiveFlaw("'\(entry.path)' cannot be unpacked")
      }
    default: throw ArchiveFlaw("'\(entry.path)' is compressed in a way that modelc does not support")
    }
    guard data.count == entry.size, data.zipChecksum == entry.checksum else {
      throw ArchiveFlaw("'\(entry.path)' is damaged")
    }
    return data
  }

  private static let endSignature = 0x0605_4B50
  private static let locatorSignature = 0x0706_4B50
  private static let largeEndSignature = 0x0606_4B50
  private static let entrySignature = 0x0201_4B50
  private static let fileSignature = 0x0403_4B50
  /// With the longest comment.
  private static let longestEnd = 22 + 0xFFFF + 20
  private static let largestDirectory = 64 << 20
}

/// A file from which single ranges are read.
private struct Reader {
  let handle: FileHandle
  let size: Int

  init(_ file: URL) throws(ArchiveFlaw) {
    guard let facts = FileFacts(ofFileAt: file.path), facts.isRegular,
      let handle = try? FileHandle(forReadingFrom: file)
    else { throw ArchiveFlaw("it is not a readable file") }
    (self.handle, size) = (handle, facts.size)
  }

  func read(at offset: Int, count: Int) throws(ArchiveFlaw) -> Data {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw ArchiveFlaw("it is cut off")
    }
    if count == 0 { return Data() }
    do {
      try handle.seek(toOffset: UInt64(offset))
      if let data = try handle.read(upToCount: count), data.count == count { return data }
    } catch {}
    throw ArchiveFlaw("its end cannot be read")
  }
}

extension Data {
  /// A number of that many bytes, the lowest first; -1 beyond the end or above what an `Int` holds.
  fileprivate func number(_ position: Int, _ count: Int) -> Int {
    guard position >= 0, position + count <= self.count else { return -1 }
    let bytes = self[index(startIndex, offsetBy: position)...].prefix(count)
    return Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? -1
  }

  /// Of an entry's extra fields the one with the numbers that do not fit four bytes, in this order.
  fileprivate func readLargeNumbers(into sizes: inout [Int]) {
    var position = 0
    while position + 4 <= count {
      let (kind, length) = (number(position, 2), number(position + 2, 2))
      if kind == 1 {
        var place = position + 4
        for index in sizes.indices where sizes[index] == 0xFFFF_FFFF && place + 8 <= position + 4 + length {
          sizes[index] = number(place, 8)
          place += 8
        }
      }
      position += 4 + length
    }
  }

  fileprivate var zipChecksum: UInt32 {
    let bytes = [UInt8](self)
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe UInt32(
        truncatingIfNeeded: crc32(0, buffer.baseAddress, UInt32(truncatingIfNeeded: buffer.count)))
    }
  }
}
