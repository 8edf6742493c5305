import EmbeddedFiles
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// A page's file, style and script in `EmbeddedFiles/Page`, which designers edit as files.
struct PageTemplate {
  let name: String

  /// A Content-Security-Policy allows this script and this style alone, and pictures from beside the page.
  ///
  /// - Parameters:
  ///   - data: for the page's script; no "<" is in it.
  ///   - body: markup, in which names are escaped.
  ///   - hasPictures: whether there are pictures in the data.
  func page(titled title: String, data: String = "", body: String = "", hasPictures: Bool = false) -> String {
    let files = unsafe Dictionary(firstOf: embedded(pageFiles).map { ($0.name, $0.content) })
    func text(_ end: String) -> String { String(decoding: files["\(name).\(end)"] ?? Data(), as: UTF8.self) }
    func hash(_ text: String) -> String {
      text.isEmpty ? "'none'" : "'sha256-\(Data(SHA256.digest(of: Data(text.utf8))).base64EncodedString())'"
    }
    let (style, script) = (text("css"), text("js"))
    let policy =
      "default-src 'none'; script-src \(hash(script)); style-src \(hash(style)); base-uri 'none'; "
      + "form-action 'none'" + (body.isEmpty ? "" : "; img-src 'self'")
      + (hasPictures ? "; img-src data:" : "")
    // The title comes last, and neither data nor names in the body hold a "<", so that no name is taken for a marker.
    var page = text("html")
    for (marker, content) in [
      ("<!--POLICY-->", policy), ("/*STYLE*/", style), ("/*SCRIPT*/", script), ("/*DATA*/", data),
      ("<!--BODY-->", body), ("<!--TITLE-->", title.markup),
    ] {
      page = page.replacingBytes(of: marker, with: content)
    }
    return page
  }

  /// A table that scrolls by itself.
  ///
  /// - Parameter rows: of cells with their tags.
  static func table(_ heads: [String], _ rows: [[String]]) -> String {
    let head = heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let body = rows.map { "<tr>\($0.joined())</tr>\n" }.joined()
    return
      "<div class=\"wide\"><table><thead><tr>\(head)</tr></thead><tbody>\n\(body)</tbody></table></div>"
  }
}

extension String {
  /// A name or value in the text of a page.
  var markup: String { xmlText.visibleXML }
}

/// What a page is about beside a model and its versions.
struct PageSubject {
  /// As the page's script calls it.
  enum Kind: String { case store, comparison, migration }

  var kind: Kind
  var title: String
  var json: JSONValue
  var hasPictures = false
}

/// A model with all its versions as one file of HTML that needs nothing else: no server, no network.
///
/// What it shows are data, embedded as JSON: names are never markup.
struct ModelPage {
  let model: VersionedModel
  var releases: [ReleaseLock.Entry] = []
  /// Of versions that are in no lock.
  var history: VersionHistory?
  /// The steps that have a mapping model.
  var mappings: [CustomMappingModel] = []
  var subject: PageSubject?

  func html() -> String {
    PageTemplate(name: "page").page(
      titled: subject?.title ?? model.name, data: data.compact.inScript,
      hasPictures: subject?.hasPictures == true)
  }

  // MARK: Data

  /// What the script reads. Equal entities of several versions are written once.
  var data: JSONValue {
    var numbers: [HashedEntity: Int] = [:]
    var entities: [JSONValue] = []
    let versions = model.versions.map { version -> JSONValue in
      let places = version.model.entities.map { entity -> JSONValue in
        let key = HashedEntity(entity: entity, hash: version.entityVersionHashesByName[entity.name])
        let number = numbers[key] ?? entities.count
        if number == entities.count { entities.append(json(of: key, in: version.model)) }
        numbers[key] = number
        return .integer(Int64(number))
      }
      return json(of: version, entities: places)
    }
    let diagram = ModelDiagram(ofAllVersions: model)
    let positions = diagram.positions.sorted { $0.key.precedesInCodePointOrder($1.key) }
    let subject = subject.map { JSONValue.object([.init($0.kind.rawValue, $0.json)]) } ?? [:]
    return subject + [
      "title": .string(self.subject?.title ?? model.name),
      "box": [
        "width": .number(ModelDiagram.boxWidth), "header": .number(ModelDiagram.headerHeight),
        "row": .number(ModelDiagram.rowHeight), "rows": .integer(Int64(ModelDiagram.mostRows)),
      ],
      "entities": .array(entities), "versions": .array(versions),
      "positions": .object(
        positions.map {
          .init($0.key, .array([.number($0.value.x.rounded()), .number($0.value.y.rounded())]))
        }),
    ]
  }

  /// An entity as it is in one version or several: its hash says what composites and parents add.
  private struct HashedEntity: Hashable {
    var entity: EntityDescription
    var hash: VersionHash?
  }

  private func json(of version: ModelVersion, entities: [JSONValue]) -> JSONValue {
    let release = releases.first { $0.version == version.name }
    let origin = history?.origins[version.name]
    let twin = model.versions.prefix { $0.name != version.name }.last { $0.makesStores(of: version) }
    let path = model.currentVersion.flatMap { model.path(fromAnyOf: [version.name], to: $0) } ?? []
    return .members([
      "name": .string(version.name),
      "tag": (release == nil ? origin?.tag : release?.tag).map { .string($0) },
      "date": (release?.date ?? origin?.date).map { .string($0) }, "locked": flag(release != nil),
      "current": flag(version.name == model.currentVersionName),
      "draft": flag(model.isDraft(version)), "entities": .array(entities),
      "identifiers": JSONValue(version.model.versionIdentifiers),
      "configurations": .object(
        version.model.configurations.map { .init($0.name, JSONValue($0.entityNames)) }),
      "sameHashesAs": twin.map { .string($0.name) },
      "step": model.predecessor(of: version).map { step(from: $0, to: version) },
      "path": JSONValue(path.map(\.name)),
    ])
  }

  private func step(from former: ModelVersion, to version: ModelVersion) -> JSONValue {
    let difference = VersionDifference(from: NamedVersion(former), to: NamedVersion(version))
    let mapping = mappings.first { $0.versionNames == [former.name, version.name] }
    let kind =
      mapping != nil
      ? "custom"
      : difference.hashes.isEmpty ? "same" : difference.obstacles.isEmpty ? "lightweight" : "refused"
    // What a mapping model reads of it is not known here.
    let lost =
      mapping != nil
      ? [] : difference.changes.filter { $0.kind == .removed && $0.fact == nil && $0.entity != nil }
    let changes = difference.changes.map { change -> JSONValue in
      .members([
        "kind": .string(change.kind.rawValue), "subject": change.subjectName.map { .string($0) },
        "text": .string(change.line),
      ])
    }
    let losses = lost.map { change -> JSONValue in
      let name = change.subjectName ?? ""
      let what = change.property == nil ? "every object of \(name)" : "every value of \(name)"
      return ["subject": .string(name), "text": .string("\(what) is dropped")]
    }
    let obstacles = (mapping == nil ? difference.obstacles : []).map { code -> JSONValue in
      ["code": .string(code.description), "text": .string(explanation(of: "\(code)")?.title ?? "")]
    }
    return .members([
      "from": .string(former.name), "kind": .string(kind),
      "mapping": mapping.map { .string("\($0.sourceVersionName) → \($0.destinationVersionName)") },
      "policies": JSONValue(mapping?.entityMappings.compactMap(\.policyName) ?? []),
      "changes": .array(changes), "losses": .array(losses), "obstacles": .array(obstacles),
    ])
  }

  private func json(of hashed: HashedEntity, in model: ManagedObjectModel) -> JSONValue {
    let entity = hashed.entity
    return .members([
      "name": .string(entity.name), "parent": entity.superentityName.map { .string($0) },
      "abstract": flag(entity.isAbstract), "class": entity.qualifiedClassName.map { .string($0) },
      "hash": hashed.hash.map { .string($0.hexadecimal) },
      "userInfo": texts(entity.userInfo), "renamedFrom": entity.renamingIdentifier.map { .string($0) },
      "attributes": .array(entity.attributes.map { json(of: $0, in: model) }),
      "relationships": .array(entity.relationships.map(json)),
      "fetchedProperties": .array(
        entity.fetchedProperties.map { ["name": .string($0.name), "predicate": .string($0.words)] }),
      "constraints": .array(entity.uniquenessConstraints.map { JSONValue($0) }),
      "indexes": .array(
        entity.fetchIndexes.map { ["name": .string($0.name), "elements": [.string($0.words)]] }),
    ])
  }

  private func json(of attribute: AttributeDescription, in model: ManagedObjectModel) -> JSONValue {
    let special: Set = [
      "optional", "composite", "default", "transient", "derivation", "renamingIdentifier", "transformer",
    ]
    let composite = model.composites.first {
      attribute.type == .composite && $0.name == attribute.compositeName
    }
    return .members([
      "name": .string(attribute.name),
      "type": .string(attribute.type == .composite ? attribute.compositeName ?? "" : attribute.type.name),
      "optional": flag(attribute.isOptional), "transient": flag(attribute.isTransient),
      "default": attribute.statedFacts.first { $0.key == "default" }.map { .string($0.value) },
      "derived": attribute.derivationExpression.map { .string($0) },
      "transformer": attribute.valueTransformerName.map { .string($0) },
      "renamedFrom": attribute.renamingIdentifier.map { .string($0) },
      "rules": JSONValue(attribute.statedFacts.filter { !special.contains($0.key) }.map { words([$0]) }),
      "userInfo": texts(attribute.userInfo),
      // A composite that holds itself is refused when the model is validated.
      "elements": composite.map {
        .array($0.elements.filter { $0.type != .composite }.map { json(of: $0, in: model) })
      },
    ])
  }

  private func json(of relationship: RelationshipDescription) -> JSONValue {
    .members([
      "name": .string(relationship.name), "to": .string(relationship.destinationEntityName),
      "toMany": flag(relationship.isToMany), "ordered": flag(relationship.isOrdered),
      "optional": flag(relationship.isOptional), "min": number(relationship.minCount),
      "max": relationship.isToMany ? number(relationship.maxCount) : nil,
      "delete": .string(relationship.deleteRule == .noAction ? "no action" : relationship.deleteRule.name),
      "inverse": relationship.inverseName.map { .string($0) },
      "transient": flag(relationship.isTransient),
      "renamedFrom": relationship.renamingIdentifier.map { .string($0) },
      "userInfo": texts(relationship.userInfo),
    ])
  }

  // MARK: Members

  private func flag(_ isSet: Bool) -> JSONValue? { isSet ? true : nil }
  private func number(_ number: Int) -> JSONValue? { number == 0 ? nil : .integer(Int64(number)) }
  private func texts(_ texts: [String: String]) -> JSONValue {
    .object(texts.sorted { $0 < $1 }.map { .init($0.key, .string($0.value)) })
  }
}

extension ModelChange {
  /// `Hut`, `Hut.fax`
  fileprivate var subjectName: String? {
    entity.map { entity in property.map { "\(entity).\($0)" } ?? entity }
  }
}
