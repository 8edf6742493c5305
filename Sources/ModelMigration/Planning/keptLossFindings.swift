package import ManagedModel

extension PathPlanner {
  /// What stands against keeping what is lost, or bringing it back.
  ///
  /// - Parameter isInferred: whether no mapping model makes objects anew, so that their keys tell which is which.
  func keptLossFindings(isInferred: Bool) -> [Diagnostic] {
    let options = request.options
    var found: [Diagnostic] = []
    if options.keptLosses != nil, !goesBack {
      found.append(.keepsNothing("the way goes forward, and '\(request.store)' stays as its backup"))
    } else if options.keptLosses != nil, !isInferred {
      found.append(.keepsNothing("a mapping model makes the objects anew, so that no key leads back to them"))
    }
    if let kept = options.restoredLosses, !isInferred {
      found.append(
        .restoresNothing(kept, "a mapping model makes the objects anew, so that no key leads to them"))
    } else if let kept = options.restoredLosses, goesBack || path.count < 2 {
      found.append(
        .restoresNothing(kept, "that belongs to the way forward, to the version that it was kept at"))
    }
    return found
  }
}

extension Diagnostic.Code {
  package static let keptLosses = Self("MC6510")
}

extension Diagnostic {
  static func keepsNothing(_ reason: String) -> Self {
    Self(.keptLosses, .error, "`--keep-lost` keeps nothing here: \(reason)", help: ["leave it out"])
  }

  static func restoresNothing(_ file: String, _ reason: String) -> Self {
    Self(
      .keptLosses, .error, "nothing can be restored from '\(file)': \(reason)",
      notes: ["the store is as it was"],
      help: ["`modelc diff` compares the store with it, `modelc export` writes what it holds"])
  }
}
