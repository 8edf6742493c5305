package import ManagedModel
import SwiftDataModels

/// Reads a model as it was in a git revision, with what it includes there.
///
/// - Parameter path: on disk, as it is called today; it need not exist any more.
/// - Returns: nil if the revision has nothing at the path.
/// - Throws: as ``withRevision(_:of:_:)``.
package func readModelSource(
  at path: String, in revision: String
) throws(DiagnosticsError) -> (model: VersionedModel?, diagnostics: [Diagnostic])? {
  // Source may be a whole repository, with all that an app is made of.
  let isSwift = path.isSwiftSource
  return try withCheckout(
    of: revision.gitLocation(path),
    taking: { name, isFolder in
      !isSwift || (isFolder ? !name.isPassedOver : name.hasSuffix(".swift") || name == "modelc.yaml")
    }
  ) { url, checkout in
    readModelSource(at: url, including: IncludeChain(checkout))
  }
}
