package import Foundation
package import ManagedModel
package import PersistentStore

/// One thing that a repair sets right, with the number of rows, values or references that it changes.
package struct StoreRepair: Hashable, Sendable {
  /// What is repaired. The raw values are stable: JSON results contain them.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Pages that cannot be read: what can be is copied into a new file.
    case pages
    /// An index that does not hold what its table holds.
    case indexContent
    /// `Z_METADATA`: missing, unreadable, without a UUID.
    case metadata
    /// Tables of one version under the metadata of another.
    case version
    /// `Z_PRIMARYKEY`: rows missing, or with another number.
    case entityNumbers
    /// `Z_MAX` below a key that is in use.
    case highestKey
    /// A table, a column, an index or a trigger that the model asks for.
    case schema
    /// A row with a key below 1.
    case primaryKey
    /// A row whose `Z_ENT` is not an entity of its table.
    case entityOfRow
    /// A cell of another type than its attribute.
    case cellType
    /// A required value that is missing and has a default.
    case requiredValue
    /// Objects that a uniqueness constraint does not allow.
    case duplicates
    /// A reference to a missing object, or to an object of another entity.
    case reference
    /// A one-to-one of which only one side leads to the other.
    case inverse
    /// The entity number beside a reference.
    case discriminator
    /// A row of a join table without an end.
    case joinRow
    /// Places in an ordered relationship.
    case order
    /// A derived value that is not what it is derived from.
    case derivedValue
    /// What an interrupted migration of Core Data left beside the store.
    case leftovers
    /// Objects of entities that were not asked for.
    case leftOut
    /// Objects without an owner, and what belongs to them.
    case orphans
    /// Old persistent history.
    case history
  }

  /// What is set right.
  package var kind: Kind
  /// Nil if the file is meant.
  package var entity: String?
  /// Nil if the entity is meant.
  package var property: String?
  /// Rows, values or references that change; tables, columns or files where those are meant.
  package var count: Int
  /// How many of them are lost: objects, values or references that were there and could be read.
  package var lost = 0
  /// In words, without a full stop.
  package var summary: String
}

/// What ``repairStore(at:models:options:isCancelled:)`` may do.
package struct StoreRepairOptions: Hashable, Sendable {
  /// Whether the repaired store takes the store's place; else it is a plan, and nothing is kept.
  package var isApplied: Bool
  /// Whether objects, values and references may be lost.
  package var allowsLoss: Bool
  /// The version whose tables the store has, if the store does not show it.
  package var versionName: String?
  /// Whether other programs may have the store open, as long as they hold no lock.
  package var forcesBusy: Bool
  /// A new file for the repaired store; the store itself then stays as it is.
  package var output: String?
  /// The entities, with their sub-entities, whose objects the new file has; all of them if empty.
  package var keptEntities: [String] = []
  /// The entities, with their sub-entities, whose objects are deleted where they have lost every owner that would have taken
  /// them along (delete rule `cascade`); "all" for each that has such owners.
  package var orphanEntities: [String] = []
  /// Persistent history before this date is dropped, but for its last transaction.
  package var historyEnd: Date?

  /// A plan.
  package init(
    isApplied: Bool = false, allowsLoss: Bool = false, versionName: String? = nil, forcesBusy: Bool = false
  ) {
    (self.isApplied, self.allowsLoss) = (isApplied, allowsLoss)
    (self.versionName, self.forcesBusy) = (versionName, forcesBusy)
  }

  /// Whether what is sound is changed too.
  var removes: Bool { !keptEntities.isEmpty || !orphanEntities.isEmpty || historyEnd != nil }

  /// What has to stand in a command that does the same, each with a space behind.
  package var arguments: String {
    var words: [String] = []
    if let versionName { words += ["--as", versionName.shellWord] }
    if !orphanEntities.isEmpty { words += ["--orphans", orphanEntities.joined(separator: ",").shellWord] }
    if let historyEnd { words += ["--purge-before", historyEnd.formatted(.iso8601)] }
    if forcesBusy { words.append("--force-busy") }
    return words.map { "\($0) " }.joined()
  }
}

/// What a repair did, or would do.
package struct StoreRepairReport: Sendable {
  /// As the user names it.
  package var store: String
  /// The version that the store is afterwards; nil if nothing had to be looked at.
  package var version: String?
  /// In the order in which they were made; empty if nothing is to be repaired.
  package var repairs: [StoreRepair] = []
  /// What `verify` still finds in the repaired store.
  package var remaining: [Verification.Finding] = []
  /// The SQL that changed rows, in order.
  package var statements: [String] = []
  /// The new file, where one was asked for.
  package var output: String?
  /// Whether the repaired store was put in place.
  package var isApplied = false
  /// The damaged store, if it was replaced.
  package var backup: String?
  /// Warnings of orphans that stay, of the app's own triggers that did not run, and of the swap.
  package var warnings: [Diagnostic] = []
  /// What was asked for, with the entities that have orphans instead of "all".
  package var options: StoreRepairOptions
  /// By how many bytes the file is smaller, where something was dropped that was asked for.
  package var savedBytes: Int64 = 0
  /// Files with large values of objects that were dropped: they stay for the backup. A new file goes without them.
  package var unusedFiles = 0
  /// Their bytes.
  package var unusedFileBytes: Int64 = 0

  /// Objects, values and references that are lost.
  package var lost: Int { repairs.reduce(0) { $0 + $1.lost } }
}

extension Verification.Finding {
  /// What a repair does about the finding; nil if there is no repair.
  package var repairText: String? {
    switch diagnostic.code {
    // A part that is there and is told with one of its facts (its type, its text) stays as it is.
    case .schemaDiffers where diagnostic.subject?.key == nil: "creates what is missing"
    case .columnTwice: "keeps the column that Core Data reads"
    case .entityNumbersInconsistent: "corrects the numbers, if they are clear"
    case .unusablePrimaryKeys: "gives the rows new keys"
    case .valueOfOtherType: "converts what can be converted"
    case .requiredValueMissing where diagnostic.severity == .error: "sets the default, if there is one"
    case .constraintConflict: "keeps the first of each group"
    case .danglingReferences: "sets them to nil"
    case .unansweredReferences: "sets the other side to match, or both to nil"
    case .placesInconsistent: "gives them positions"
    case .wrongDerivation: "recomputes them"
    case .metadataUnreadable: "rewrites what is missing"
    case .malformedStore: "saves what can be read into a new file"
    default: nil
    }
  }
}
