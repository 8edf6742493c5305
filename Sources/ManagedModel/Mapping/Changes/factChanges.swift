/// What a change is about, and how to reach it in either model.
struct ChangedItem<Item: Sendable> {
  let old: Item
  let new: Item
  /// How a line begins: `Hut.stars`.
  let label: String
  var entity: String?
  var property: String?
  /// What stands before the key of each fact: `fetchIndexes.byName.`.
  var keyPrefix = ""
  let scope: PendingChange.Scope
  /// Edits the item in the earlier model.
  let editOld: (inout ManagedObjectModel, (inout Item) -> Void) -> Void
  /// Edits the item in the later model.
  let editNew: (inout ManagedObjectModel, (inout Item) -> Void) -> Void

  /// One change for each fact that differs, in the order of the facts.
  func changes(of facts: [Fact<Item>]) -> [PendingChange] {
    facts.filter { $0.differs(old, new) }.map { fact in
      pending(
        ModelChange(
          kind: .changed, entity: entity, property: property, fact: keyPrefix + fact.key, old: fact.text(old),
          new: fact.text(new), line: "\(label): \(fact.words(old, new))"),
        make: { fact.copy(new, &$0) }, takeBack: { fact.copy(old, &$0) })
    }
  }

  /// A change by what it does to the item.
  func pending(
    _ change: ModelChange, make: @escaping (inout Item) -> Void, takeBack: @escaping (inout Item) -> Void
  ) -> PendingChange {
    PendingChange(
      change: change, scope: scope, make: { editOld(&$0, make) }, takeBack: { editNew(&$0, takeBack) })
  }
}

extension ChangedItem where Item: Renamable & NameEditable {
  /// The change of the name, where there is one.
  func renaming() -> [PendingChange] {
    guard old.name != new.name else { return [] }
    let (oldName, newName) = (old.name, new.name)
    return [
      pending(
        ModelChange(
          kind: .renamed, entity: entity, property: property,
          fact: keyPrefix.isEmpty ? nil : String(keyPrefix.dropLast()), old: oldName, new: newName,
          line: "\(label) renamed from \(oldName)"),
        make: { $0.name = newName }, takeBack: { $0.name = oldName })
    ]
  }

  func userInfoChanges() -> [PendingChange] {
    changes(of: dictionaryFacts("userInfo", \.userInfo, of: old, new))
  }
}

/// Something whose name can be set, and that has notes.
protocol NameEditable {
  var name: String { get set }
  var userInfo: [String: String] { get set }
}

extension EntityDescription: NameEditable {}
extension AttributeDescription: NameEditable {}
extension RelationshipDescription: NameEditable {}
extension FetchedPropertyDescription: NameEditable {}
