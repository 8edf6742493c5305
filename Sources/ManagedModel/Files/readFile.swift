package import Foundation

/// Bytes of the largest source file that is read.
package let largestSourceFile = 8 << 20

/// The bytes of a regular file of at most ``largestSourceFile``.
///
/// Nothing is read from a larger file, a folder, a device or a pipe, so that no path can stall or exhaust us.
///
/// - Parameter shownAs: the path to show.
package func readFile(_ url: URL, shownAs file: String) throws(DiagnosticsError) -> Data {
  guard let facts = FileFacts(ofFileAt: url.path) else {
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
    throw DiagnosticsError(.fileUnreadable(file, isLink ? "it is a broken symbolic link" : "no such file"))
  }
  guard facts.isRegular else {
    throw DiagnosticsError(
      .fileUnreadable(file, facts.isFolder ? "it is a folder" : "it is not a regular file"))
  }
  guard facts.size <= largestSourceFile else {
    throw DiagnosticsError(.fileTooLarge(file, bytes: facts.size))
  }
  do {
    return try Data(contentsOf: url)
  } catch {
    throw DiagnosticsError(.fileUnreadable(file, systemReason(of: error)))
  }
}

/// The system's words for what an error of Foundation's files is about.
package func systemReason(of error: any Error) -> String {
  let cause = ((error as? CocoaError)?.underlying ?? error) as NSError
  guard cause.domain == NSPOSIXErrorDomain else { return cause.localizedDescription }
  return unsafe String(cString: strerror(CInt(truncatingIfNeeded: cause.code)))
}

extension Diagnostic.Code {
  package static let yamlLimit = Self("MC0007")
  package static let fileUnreadable = Self("MC0009", exit: .missingFile)
}

extension Diagnostic {
  package static func fileTooLarge(_ file: String, bytes: Int) -> Diagnostic {
    Diagnostic(
      .yamlLimit, .error, "the file has \(bytes) bytes; at most \(largestSourceFile) are read",
      place: SourceRange(startOf: file))
  }

  fileprivate static func fileUnreadable(_ file: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .fileUnreadable, .error, "'\(file)' cannot be read: \(reason)", place: SourceRange(startOf: file))
  }
}
