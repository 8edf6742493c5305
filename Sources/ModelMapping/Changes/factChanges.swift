import ManagedModel

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
      PendingChange(
        change: ModelChange(
          kind: .changed, entity: entity, property: property, fact: keyPrefix + fact.key, old: fact.text(old),
          new: fact.text(new), line: "\(label): \(fact.words(old, new))"),
        scope: scope, make: { model in editOld(&model) { fact.copy(new, &$0) } },
        takeBack: { model in editNew(&model) { fact.copy(old, &$0) } })
    }
  }
}

extension ChangedItem where Item: Renamable & NameEditable {
  /// The change of the name, where there is one.
  func renaming() -> [PendingChange] {
    guard old.name != new.name else { return [] }
    let (oldName, newName) = (old.name, new.name)
    return [
      PendingChange(
        change: ModelChange(
          kind: .renamed, entity: entity, property: property, old: oldName, new: newName,
          line: "\(label) renamed from \(oldName)"),
        scope: scope, make: { model in editOld(&model) { $0.name = newName } },
        takeBack: { model in editNew(&model) { $0.name = oldName } })
    ]
  }
}

/// Changes under the name of what they are about.
typealias NamedChanges = (name: String, changes: [PendingChange])

/// The changes by name; those of one name stay as they are.
func inNameOrder(_ groups: [NamedChanges]) -> [PendingChange] {
  groups.enumerated().sorted {
    let (left, right) = ($0.element.name, $1.element.name)
    return left == right ? $0.offset < $1.offset : left.precedesInCodePointOrder(right)
  }.flatMap(\.element.changes)
}

/// The addition or removal of something that is a part of a model or an entity.
struct ListedPart {
  var entity: String?
  let fact: String
  /// How the line begins: `composite Point`.
  let label: String
  /// What stands in brackets in the line, and is the value where none is given.
  var detail: String?
  var value: String?
  let scope: PendingChange.Scope

  /// - Parameters:
  ///   - put: adds the part to a model that has it not.
  ///   - take: removes it from a model that has it.
  func added(
    put: @escaping (inout ManagedObjectModel) -> Void, take: @escaping (inout ManagedObjectModel) -> Void
  ) -> PendingChange {
    PendingChange(change: change(.added), scope: scope, make: put, takeBack: take)
  }

  /// - Parameters: as in ``added(put:take:)``.
  func removed(
    put: @escaping (inout ManagedObjectModel) -> Void, take: @escaping (inout ManagedObjectModel) -> Void
  ) -> PendingChange {
    PendingChange(change: change(.removed), scope: scope, make: take, takeBack: put)
  }

  private func change(_ kind: ModelChange.Kind) -> ModelChange {
    let brackets = detail.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    let value = value ?? detail
    return ModelChange(
      kind: kind, entity: entity, fact: fact, old: kind == .added ? nil : value,
      new: kind == .added ? value : nil, line: "\(label) \(kind.rawValue)\(brackets)")
  }
}

/// Something whose name can be set.
protocol NameEditable {
  var name: String { get set }
}

/// Something that keeps its identity by its name alone.
protocol NamedOnly: Renamable {}

extension NamedOnly {
  var renamingIdentifier: String? { nil }
  var canonicalName: String { name }
}

extension EntityDescription: NameEditable {}
extension AttributeDescription: NameEditable {}
extension RelationshipDescription: NameEditable {}
extension FetchedPropertyDescription: NameEditable, NamedOnly {}
extension FetchIndexDescription: NamedOnly {}
extension FetchRequestDescription: NamedOnly {}
extension CompositeDescription: NamedOnly {}
extension ConfigurationDescription: NamedOnly {}
