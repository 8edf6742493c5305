import Foundation
import ManagedModel

/// The outline of a file that is read only when a place in it is asked for.
final class LateOutline: SourceOutline, @unchecked Sendable {
  private let text: Data
  private let file: String
  private let lock = NSLock()
  private var read: ModelOutline?

  init(_ text: Data, file: String) {
    self.text = text
    self.file = file
  }

  private var outline: ModelOutline? {
    lock.withLock {
      if read == nil { read = readYAML(text, file: file).node.map { ModelOutline($0, file: file) } }
      return read
    }
  }

  func range(of subject: ModelSubject) -> SourceRange? { outline?.range(of: subject) }

  func textRange(of subject: ModelSubject) -> SourceRange? { outline?.textRange(of: subject) }

  func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? { outline?.fixIt(for: edit) }
}
