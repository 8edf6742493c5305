import ArgumentParser
import ModelMigration

/// Into which store a migrated one is merged, and how.
struct MergeOptions: ParsableArguments {
  @Option(
    help: .text(
      "Merge the store's objects into this other store; they are migrated to its version, and the first store is unchanged.",
      "store"))
  var into: String?

  @Option(
    help: .text(
      """
      With --into: the attributes and to-one relationships that identify objects of an entity: Stop=line,number; \
      repeatable. By default the first uniqueness constraint, or else all values and references.
      """, "entity=keys"))
  var match: [Match] = []

  @Option(
    help: .text(
      """
      With --into: for objects that both stores have, keep their values, fill those that are nil, or replace them; \
      for one entity as Stop=fill; repeatable.
      """, "[entity=]mode"))
  var existing: [Existing] = []

  struct Match: ExpressibleByArgument {
    let entity: String
    let keys: [String]

    init?(argument: String) {
      guard let sign = argument.firstIndex(of: "=") else { return nil }
      entity = String(argument[..<sign])
      keys = argument[argument.index(after: sign)...].split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init)
      if entity.isEmpty || keys.contains("") { return nil }
    }
  }

  struct Existing: ExpressibleByArgument {
    let entity: String?
    let mode: MergeRules.Existing

    init?(argument: String) {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard let mode = parts.last.flatMap(MergeRules.Existing.init(rawValue:)) else { return nil }
      (entity, self.mode) = (parts.count == 2 ? parts[0] : nil, mode)
    }
  }

  func validate() throws {
    try refuse(
      into == nil && (!match.isEmpty || !existing.isEmpty), "--match and --existing are about --into")
  }

  var rules: MergeRules {
    var rules = MergeRules()
    for match in match { rules.match[match.entity] = match.keys }
    for existing in existing {
      if let entity = existing.entity {
        rules.existing[entity] = existing.mode
      } else {
        rules.existingElsewhere = existing.mode
      }
    }
    return rules
  }
}
