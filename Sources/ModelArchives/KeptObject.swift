import Foundation
import ManagedModel

/// An archived object of a class for which expressions have no text: it is kept as the call that would unarchive it.
///
/// `FUNCTION("NSKeyedUnarchiver", "unarchiveObjectWithData:", "YnBsaXN0…")`, the argument being a keyed archive of its
/// own in Base64. Such an expression goes back out as the very object that came in. Our choice: Core Data has no text
/// for these at all.
struct KeptObject {
  let archive: KeyedArchive

  private static let receiver = "NSKeyedUnarchiver"
  private static let selector = "unarchiveObjectWithData:"

  /// Nil for every other expression.
  init?(_ expression: Expression) {
    guard case .function(let call) = expression, call.selector == Self.selector,
      call.receiver == .constant(.string(Self.receiver)),
      case .constant(.string(let text))? = call.arguments.first, call.arguments.count == 1,
      let data = Data(base64Encoded: text), let archive = try? KeyedArchive(data)
    else { return nil }
    self.archive = archive
  }

  /// The object as an expression.
  static func expression(_ object: ArchivedObject, _ budget: WorkBudget) throws(ArchiveFlaw) -> Expression {
    var builder = KeyedArchiveBuilder()
    guard case .reference(let root) = builder.embed(object.reference, of: object.archive, budget: budget)
    else { throw ArchiveFlaw("its object of the class '\(object.className)' cannot be read") }
    let text = builder.data(root: root).base64EncodedString()
    return .function(
      FunctionCall(receiver: .constant(.string(receiver)), selector, [.constant(.string(text))]))
  }
}
