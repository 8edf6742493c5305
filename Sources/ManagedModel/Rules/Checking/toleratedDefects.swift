extension Diagnostic {
  /// The same finding at the level that it has in a source of that origin.
  func leveled(for origin: ModelOrigin) -> Diagnostic {
    guard severity == .error, origin == .xcode, let fact = code.accepted else { return self }
    return taken(fact.meaning)
  }

  /// The finding as a warning, with what Core Data makes of it.
  package func taken(_ meaning: String) -> Diagnostic {
    warning("Core Data accepts it: \(meaning)").with { $0.isAccepted = true }
  }

  fileprivate func warning(_ note: String) -> Diagnostic {
    with {
      $0.severity = .warning
      $0.notes.append(Note(note))
    }
  }
}

/// Errors become warnings where an earlier version of Xcode's has the same fact: users have stores of it.
func explained(_ findings: [Diagnostic], by versions: [ModelVersion]) -> [Diagnostic] {
  let accepted = Set(versions.filter { $0.origin == .xcode }.map(\.name))
  guard !accepted.isEmpty else { return findings }
  let reported = findings.filter {
    $0.code.accepted != nil && $0.severity < .error && $0.subject?.version.map(accepted.contains) ?? false
  }
  let keys = Set(reported.map(\.key))
  return findings.map { finding in
    guard finding.severity == .error, finding.subject != nil, keys.contains(finding.key) else {
      return finding
    }
    return finding.warning("an earlier version, which Core Data accepted, has the same")
  }
}

extension [Diagnostic] {
  /// Facts of a source of Xcode's that the model language refuses, one line for each kind, with the meaning that modelc
  /// gives them.
  package var acceptedFactLines: [String] {
    var counts: [String: (count: Int, fact: ToleratedDefect)] = [:]
    for finding in self where finding.severity < .error {
      guard finding.isAccepted, let fact = finding.code.accepted else { continue }
      counts["\(fact.what) \(fact.meaning)", default: (0, fact)].count += 1
    }
    return counts.sorted(byCodePointOf: \.key).map {
      "\($0.value.fact.what): \($0.value.count), accepted as Core Data does (\($0.value.fact.meaning))"
    }
  }
}
