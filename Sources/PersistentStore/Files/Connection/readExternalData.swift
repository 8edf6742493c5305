package import Foundation

/// Bytes; a value beyond that is not a value of an app's.
private let largestExternalValue: Int64 = 1 << 30

/// The content of a file of external data beside a store; nil if absent of that name.
///
/// - Parameters:
///   - name: a UUID; any other name is none, so that nothing leads out of the folder. Links are not followed.
///   - limit: how many bytes are read at most.
/// - Throws: MC5308 where the folder is a link.
package func readExternalData(
  _ name: String, ofStoreAt path: String, upTo limit: Int = .max
) throws -> Data? {
  guard UUID(uuidString: name) != nil else { return nil }
  try requireOwnFolders(ofStoreAt: path)
  guard let folder = try dataFolder(ofStoreAt: path) else { return nil }
  let file = "\(folder)/\(name)"
  guard let status = try FileStatus(atPath: file), status.kind == .regular,
    status.size <= largestExternalValue
  else { return nil }
  return try withStoreDiagnostics(for: path) {
    Data(try OpenFile(reading: file).read(min(limit, Int(status.size)), at: 0))
  }
}
