import CBytes
package import Foundation
package import ManagedModel

extension ManagedObjectModel {
  /// The content of a store's `Z_MODELCACHE`: the model's archive in raw DEFLATE, without a header.
  ///
  /// Entities are by name and repeat what they inherit, as in the caches of genuine stores.
  package func encodedCache() throws -> Data {
    do {
      return try deflate(ModelArchiver(self, isCache: true).data())
    } catch let flaw as ArchiveFlaw {
      throw DiagnosticsError(
        .corruptBundle, "the model's cache cannot be created: \(flaw.reason)",
        help: ["a model of this size probably has a mistake in its source"])
    }
  }
}

extension Data {
  /// Reads the content of a store's `Z_MODELCACHE`.
  ///
  /// - Throws: `DiagnosticsError` with MC2203 where it is none.
  package func decodeModelCache() throws -> ManagedObjectModel {
    let file = "Z_MODELCACHE"
    let archive: Data
    do {
      // Stores of phones have caches whose last block is not marked as the last. Whether the content is whole its own
      // trailer tells, and the hashes of the store do. No archive of a model comes near the limit, neither to the size
      // nor to a hundredth part.
      archive = try inflated(limit: Swift.min(64 << 20, (1 << 20) + count * 100), mayLackEnd: true)
    } catch let flaw as ArchiveFlaw {
      throw DiagnosticsError(.unreadableArchive(file, reason: flaw.reason, data: self))
    }
    return try archive.unarchiveModel(file: file)
  }
}

private let chunkSize = 64 << 10

private func deflate(_ data: Data) throws -> Data {
  var stream = unsafe z_stream()
  // A negative window means raw DEFLATE. `deflateInit2` is a macro around this function.
  let status = unsafe deflateInit2_(
    &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  guard status == Z_OK else { throw ArchiveFlaw("zlib refuses to compress (\(status))") }
  defer { _ = unsafe deflateEnd(&stream) }
  return try unsafe run(&stream, over: data, limit: Int.max) { stream in
    unsafe CBytes.deflate(&stream, Z_FINISH)
  }
}

extension Data {
  /// What raw DEFLATE unfolds to.
  ///
  /// - Parameters:
  ///   - limit: the most bytes that come out.
  ///   - mayLackEnd: whether the output of a stream that only stops is taken.
  /// - Throws: ``ArchiveFlaw`` where the data is damaged, cut off, or unfolds to more.
  func inflated(limit: Int, mayLackEnd: Bool) throws -> Data {
    var stream = unsafe z_stream()
    let status = unsafe inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw ArchiveFlaw("zlib refuses to decompress (\(status))") }
    defer { _ = unsafe inflateEnd(&stream) }
    return try unsafe run(&stream, over: self, limit: limit, mayLackEnd: mayLackEnd) { stream in
      unsafe CBytes.inflate(&stream, Z_NO_FLUSH)
    }
  }
}

/// Feeds all of `data` and collects the output until the stream ends.
///
/// - Parameter mayLackEnd: whether the output of a stream that only stops is taken.
private func run(
  _ stream: inout z_stream, over data: Data, limit: Int, mayLackEnd: Bool = false,
  step: (inout z_stream) -> Int32
) throws -> Data {
  guard let count = UInt32(exactly: data.count) else { throw ArchiveFlaw("it is larger than 4 GB") }
  var input = [UInt8](data)
  var output = Data()
  var chunk = [UInt8](repeating: 0, count: chunkSize)
  try unsafe input.withUnsafeMutableBufferPointer { input in
    unsafe stream.next_in = input.baseAddress
    unsafe stream.avail_in = count
    var status = Z_OK
    while status != Z_STREAM_END {
      let produced = unsafe chunk.withUnsafeMutableBufferPointer { chunk in
        unsafe stream.next_out = chunk.baseAddress
        unsafe stream.avail_out = UInt32(chunkSize)
        status = unsafe step(&stream)
        return unsafe chunkSize - Int(stream.avail_out)
      }
      let isAtEnd = status == Z_STREAM_END
      output += chunk.prefix(produced)
      if mayLackEnd, !isAtEnd, unsafe stream.avail_in == 0, produced < chunkSize, !output.isEmpty { return }
      guard status == Z_OK || isAtEnd else { throw ArchiveFlaw("its compressed data is damaged") }
      guard produced > 0 || isAtEnd else { throw ArchiveFlaw("its compressed data is cut off") }
      guard output.count <= limit else { throw ArchiveFlaw("it expands to more than \(limit) bytes") }
    }
  }
  return output
}

/// The zlib that this program runs with.
package var zlibVersionInUse: String { unsafe String(cString: zlibVersion()) }
