/// How much an archive may still unfold to, in steps and bytes together.
///
/// Objects of an archive are shared, so a small hostile file can stand for endless text; a genuine one is nowhere
/// near its budget. It is shared by all who work on one archive, hence a class.
package final class WorkBudget {
  private var left: Int

  package init(_ limit: Int) { left = limit }

  /// - Returns: false if the budget is used up.
  func spend(_ amount: Int) -> Bool {
    guard left >= amount else {
      left = 0
      return false
    }
    left -= amount
    return true
  }
}
