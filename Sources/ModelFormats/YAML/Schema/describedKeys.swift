/// What editors show at a mapping and at each of its keys.
typealias DescribedKeys = (summary: String, keys: [String: String])

/// By the name of the mapping's ``Schema``; a test makes sure that every key of the language is here, and no other.
let describedKeys: [String: DescribedKeys] = {
  var described: [String: DescribedKeys] = [:]
  var mapping = ""
  for line in texts.split(separator: "\n") {
    let words = line.drop { $0 == " " }
    let name = String(words.prefix { $0 != ":" })
    let text = String(words.dropFirst(name.count + 2))
    if line.hasPrefix(" ") {
      described[mapping]?.keys[name] = text
    } else {
      described[name] = (text, [:])
      mapping = name
    }
  }
  // What two of them say alike stands at one of them.
  for (name, other, only) in sharedKeys {
    for (key, text) in described[other]?.keys ?? [:] where only?.contains(key) ?? true {
      described[name]?.keys[key] = text
    }
  }
  return described
}()

/// Of the key that only a version with `extends` has, in every mapping.
let describedRemoval =
  "What this version removes from the extended one: names, or paths such as Hut.fax or composites.Position."

/// Each with one whose keys it has too: all of them, or some.
private let sharedKeys: [(String, String, [String]?)] = [
  ("a fetched property", "a fetch request", nil), ("modelc.yaml", "the settings of a package", nil),
  ("the downgrade", "a mapping model", ["inferred", "lookups", "undecided", "entityMappings"]),
]

/// A mapping in words, and below it its keys.
private let texts = """
  a model: One version of a model; the file's name is the version's.
    format: The number of the language: 1, which may be omitted.
    extends: The version that this one changes: it inherits everything that it does not name. Lists are replaced as a whole.
    identifiers: Free texts that stores contain as NSStoreModelVersionIdentifiers. They never count in a version hash.
    profile: A service whose rules are also checked: cloudkit.
    entities: The entities by name.
    composites: Named groups of attributes; an attribute of type composite is one of them.
    configurations: Named subsets of the entities, for stores that contain only some.
    retired: What was removed on purpose, as Entity or Entity.property: losing its data is accepted, and the name may not be reused with another meaning.
    fetchRequests: Fetch request templates by name.
    localization: Localized texts by key: Entity/E, Property/p, Property/p/Entity/E, ErrorString/text.
    editor: What only Xcode's model editor reads.
  an entity: An entity: its own properties only, without what it inherits.
    abstract: Whether it has no objects of its own. Counts in the version hash.
    parent: The entity it inherits from, whose table holds its rows too. Counts in the version hash of this entity and all below it.
    class: The class of its objects, or {name, module, codeGeneration}; by default NSManagedObject.
    renamingIdentifier: The name the entity had before, so that a migration finds its data again.
    versionHashModifier: Any text; changing it changes the version hash where nothing else would (the bytes of an attribute have a new meaning, say).
    attributes: Stored and transient values by name: TYPE[?] [= DEFAULT], or a mapping.
    relationships: Relationships by name: {to: Entity, …} or {toMany: Entity, …}.
    fetchedProperties: One-way properties that a fetch yields; never stored, never hashed.
    uniquenessConstraints: Lists of properties whose values together occur once, such as [[email], [name, region]]. Count in the version hash.
    fetchIndexes: Indexes by name: a list of elements such as [elevation desc, name], or {elements, where}. Do not count in the version hash.
    compoundIndexes: Compound indexes of models from before Xcode 9, each a list of properties.
    spotlightDisplayName: The expression for the name that Spotlight shows.
    userInfo: Texts by key, for the app.
  a class: The class of an entity's objects.
    name: The class's name.
    module: The module that Xcode generates it in.
    codeGeneration: What Xcode generates: the class, or a category of it; nothing without the key.
  a fetch index: An index in the long form.
    elements: What is indexed, in this order.
    where: A predicate: only rows that satisfy it are indexed.
  an index element: One element of an index in the long form.
    property: The attribute or to-one that is indexed.
    expression: The expression that is indexed, instead of a property.
    kind: binary, an ordinary index; rtree, one for ranges of numbers such as coordinates.
    ascending: Whether small values come first; true by default.
  the editor's settings: Attributes of an .xcdatamodel that concern Xcode alone.
    minimumToolsVersion: The oldest version of Xcode that opens the model.
    sourceLanguage: The language Xcode generates classes in.
    usedWithCloudKit: Whether the model was marked for CloudKit.
    usedWithSwiftData: Whether the model was marked for SwiftData.
    cloudKitConfigurations: The configurations that are marked for CloudKit one by one.
    notSyncable: The entities, and properties such as Hut.name, that are marked as not syncable.
    lastSavedToolsVersion: The Xcode that saved the model last; it decides the layout of the XML.
    systemVersion: The system that this Xcode ran on.
    diagram: Where entities are in Xcode's diagram: [x, y, width, height].
  an attribute: An attribute in the long form; the short one is TYPE[?] [= DEFAULT].
    type: Its type; with '?' at the end the value is optional. Counts in the version hash.
    optional: Another way to write the '?' after the type.
    default: The value of new objects, and of existing ones when a migration adds the attribute.
    min: The smallest number or the earliest date.
    max: The largest number or the latest date.
    minLength: The minimum length of a text, in UTF-16 units as NSString counts.
    maxLength: The maximum length of a text, in UTF-16 units as NSString counts.
    matching: A regular expression that the whole text matches.
    rules: Further validation predicates, each with the warning to show.
    transient: Whether it is never stored. Turning this on or off changes the version hash.
    scalar: Whether generated code uses a plain number or Boolean.
    transformer: The value transformer of a transformable, such as NSSecureUnarchiveFromData.
    valueClass: The class of a transformable's values.
    composite: Which of the model's composites an attribute of type composite is.
    enum: In SwiftData: the enum whose raw values the attribute holds; Core Data has it as a composite of one element.
    derivation: The expression it is computed from, such as photos.@count or canonical:(name). Counts in the version hash.
    externalStorage: Whether large values of a binary attribute may lie in files of their own. Counts in the version hash.
    preserveAfterDeletion: Whether the history keeps the value of a deleted object. Counts in the version hash.
    cloudEncryption: Whether CloudKit encrypts the value.
    spotlight: Whether Spotlight indexes the value.
    externalRecord: Whether old models stored the value in an external record.
    indexed: Whether it has an index of its own, in models from before Xcode 9; fetchIndexes came after it.
    renamingIdentifier: The name the attribute had before, so that a migration finds its data again.
    versionHashModifier: Any text; changing it changes the version hash where nothing else would (the bytes have a new meaning, say).
    userInfo: Texts by key, for the app.
  an archived default: A default of a class without a text form.
    archived: The value's keyed archive in Base64.
  a rule: A validation predicate.
    predicate: The condition.
    warning: What Core Data reports if it is not satisfied.
  a relationship: A relationship: {to: Entity} or {toMany: Entity}.
    to: The destination of a to-one relationship. Counts in the version hash.
    toMany: The destination of a to-many relationship. Counts in the version hash.
    optional: Whether it may be empty; true by default. Counts in the version hash.
    inverse: The destination's relationship that points back. Counts in the version hash.
    deleteRule: What happens to the destination when an object is deleted: nullify (the default), cascade, deny or noAction.
    ordered: Whether a to-many keeps an order. Counts in the version hash.
    min: The minimum number of destinations. Counts in the version hash.
    max: The maximum number of destinations of a to-many; 0 means no limit. Counts in the version hash.
    transient: Whether it is never stored.
    spotlight: Whether Spotlight indexes it.
    externalRecord: Whether it is stored in the external record file of old models.
    indexed: Whether it has an index of its own, in models from before Xcode 9.
    renamingIdentifier: The name the relationship had before, so that a migration finds its data again.
    versionHashModifier: Any text; changing it changes the version hash where nothing else would.
    userInfo: Texts by key, for the app.
  a fetch request: A fetch request template.
    entity: The entity whose objects are fetched.
    predicate: The condition; $NAME is a value that the caller supplies.
    sort: The order, such as [elevation desc, name].
    limit: The maximum number of objects; 0 means no limit.
    batchSize: How many objects are loaded at a time; 0 means all together.
    includesSubentities: Whether objects of sub-entities count; true by default.
    includesPropertyValues: Whether the rows' values are read too; true by default.
    includesPendingChanges: Whether unsaved changes count; true by default.
    distinct: Whether equal results are returned once.
    returnsObjectsAsFaults: Whether values are read only when they are accessed; true by default.
    resultType: objects, objectIDs, dictionaries or count.
  a fetched property: A property that a fetch yields.
    optional: Whether it may be empty; true by default.
    requestName: The name of its fetch request; Xcode always writes fetchedPropertyFetchRequest.
    userInfo: Texts by key, for the app.
  a sort key: One key of a fetch's order in the long form.
    key: A key path.
    ascending: Whether small values come first; true by default.
  versions.yaml: The versions of a model, in their order.
    current: The version that stores are migrated to unless another one is named.
    disposable: Whether its stores are caches that are recreated: `check` then asks for no path from old versions.
    chain: How a store is migrated over several versions: auto in one step, as Core Data does, if that can be inferred and nothing custom is between them; stepwise version by version.
    versions: Oldest first; each migrates to the next. {name, from} leaves the main line.
    stages: How Core Data's staged migration goes through them: {lightweight: [V1, V2]} and {custom: [V2, V3]}.
    include: Models that are merged with this one when a store is opened: their folders, packages or bundles.
  modelc.yaml: What Xcode's files cannot express about the package next to this file.
    models: The same for each of several packages, by their names.
  the settings of a package: What Xcode's files cannot express about this package.
    versions: All versions of the package, oldest first; each migrates to the next. {name, from} leaves the main line.
    chain: How a store is migrated over several versions: auto, as Core Data does, or stepwise, version by version.
    disposable: Whether its stores are caches that are recreated: `check` then asks for no path from old versions.
    stages: How Core Data's staged migration goes through the versions.
    profile: A service whose rules are also checked: cloudkit.
    migratedBy: Who migrates users' stores: app (Core Data, with the mapping models in the app) or modelc (with the mapping files under Migrations/).
    retired: What was removed on purpose, as Entity or Entity.property: losing its data is accepted, and the name may not be reused with another meaning.
    allow: Findings of `check` that do not count, each with the reason.
    budget: Limits of a migration, for `check`.
  an allowed finding: A finding of `check` that was reviewed and does not count.
    code: Its code, such as MC7008.
    of: The part that it is about, as Entity or Entity.property; by default any.
    version: The version that it is about; by default any.
    reason: Why it is allowed.
    until: The last day on which it is allowed, as 2027-01-31.
  a budget: The most that a migration to the current version may need, for `check`.
    seconds: How long it may take.
    megabytes: How much space the old and the new store may need together.
    rows: Generated stores with that many objects of each released version are checked against it too.
  a stage: A stage of a staged migration.
    lightweight: Versions, oldest first: inference migrates each to the last one.
    custom: The version before the step and the one after it, with handlers around it.
    willMigrate: The handler that runs while the store has the old schema.
    didMigrate: The handler that runs once the store has the new schema.
    label: Free text.
  an included model: A model that is merged with this one, and which of its versions belong together.
    model: Its folder, package or bundle, from this file's folder.
    versions: The included model's version for each version of this one; by default the one with the same name.
  a version: A version on a branch.
    name: Its name, which is its file's.
    from: The version that it follows, or a list of several: stores of each migrate to it.
    infer: Whether a mapping into it may be inferred; true by default.
    origin: xcode if it was adopted from a model that Apple's tools accepted: what they accept is then a warning, not an error.
  a mapping model: How the objects of one version become those of another, if inference is not enough.
    from: The version whose stores it migrates.
    to: The version it leads to.
    inferred: Whether entities without a mapping are inferred; true by default.
    versionHashes: The version hashes of both versions when this was written, by entity; `modelc map rebase` updates them.
    lookups: Tables for lookup("table", key): by name, each value by its key; numbers if all values are, else texts.
    undecided: Open questions of a draft; the file is not used until this list is empty.
    reverse: How objects are mapped in a downgrade, from the later version to the earlier one.
    drops: Properties of the old version whose values or links are dropped on purpose, as Entity.property.
    entityMappings: Mappings of entities, by name; entities that are not named are inferred.
  the downgrade: How objects of the later version become those of the earlier one, if inference is not enough.
    drops: Properties of the later version whose values or links are dropped on purpose, as Entity.property.
  an entity mapping: What becomes of the objects of one entity.
    source: The entity of the old version; absent in a mapping that adds an entity.
    destination: The entity of the new version; absent in a mapping that removes one.
    type: Core Data's kind of mapping; by default it follows from source and destination.
    where: A predicate over the source: other objects are dropped, and the plan says how many.
    policy: The entity migration policy, for what expressions cannot do.
    groupBy: Expressions over the source object: objects with the same values are merged into one, such as duplicates; $sources are all of them.
    keep: Which object of a group gives the values: first (the default), last, or merge, value by value.
    orderBy: The order within a group, an expression over the source object; by default the primary key.
    attributes: The value expression of each of the destination's attributes, such as $source.name.
    relationships: The value expression of each relationship, such as destinationInstances("VisitToVisit", $source.visits).
    drop: Whether the source's objects are dropped on purpose.
    onDrop: What becomes of references to dropped objects: nullify, repoint (the usual one with groupBy), cascade or deny.
    allowsEmpty: Whether required relationships of its objects may be empty; false by default.
    userInfo: Texts by key, for the policy.
  a property mapping: A value expression in the long form.
    expression: The value expression; without one, an attribute keeps its default and a relationship stays empty.
    userInfo: Texts by key, for the policy.
  """
