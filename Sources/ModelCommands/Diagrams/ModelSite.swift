import Foundation
import ManagedModel
import PersistentStore

/// The models of a project as pages in one folder, for GitHub Pages or any server of files: an index; for each model the
/// page with all its versions, a picture of the current one, and its tables and columns for people who query stores.
struct ModelSite {
  let pages: [ModelPage]

  /// - Throws: MC0012 where the folder has such files, and its index, which is written first, is not modelc's.
  func files(in folder: String) throws -> [ProjectFile] {
    let index = folder + "/index.html"
    let known = (try? String(contentsOf: URL(filePath: index), encoding: .utf8)) ?? ""
    let names = fileNames
    let files = zip(pages, names).flatMap { page, name -> [ProjectFile] in
      guard let current = page.model.currentVersion else { return [] }
      let picture = ModelDiagram(current.model, title: "\(page.model.name) \(current.name)").svg
      return [
        ProjectFile(path: "\(folder)/\(name).html", text: page.html()),
        ProjectFile(path: "\(folder)/\(name).svg", text: picture),
        ProjectFile(
          path: "\(folder)/\(name)-tables.html",
          text: PageTemplate(name: "site").page(
            titled: "\(page.model.name): tables and columns",
            body: TableReference(current, hasPage: name).body)),
      ]
    }
    let first = PageTemplate(name: "site").page(titled: "Models", body: body(names))
    let all = [ProjectFile(path: index, text: first)] + files
    if !known.contains(#"<meta name="generator" content="modelc">"#) {
      try all.filter(\.wouldOverwrite).refuse(
        each: "may not be modelc's: modelc's own index.html is not there",
        help: "name a folder of its own with -o")
    }
    return all
  }

  /// One for each model, of characters that mean nothing in a path or an address.
  private var fileNames: [String] {
    var taken: Set<String> = ["index"]
    return pages.map { page in
      let plain = String(
        page.model.name.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      let candidates = [plain] + (2...(pages.count + 2)).map { "\(plain)-\($0)" }
      let name = candidates.first { !taken.contains($0.lowercased()) } ?? plain
      taken.insert(name.lowercased())
      return name
    }
  }

  private func body(_ names: [String]) -> String {
    zip(pages, names).map { page, name in
      let model = page.model
      let current = model.currentVersion
      let facts = [
        counted(model.versions.count, "version"), "current \(model.currentVersionName)",
        counted(current?.model.entities.count ?? 0, "entity", plural: "entities"),
      ]
      let links = [("\(name).html", "Diagram and versions"), ("\(name)-tables.html", "Tables and columns")]
        .map { "<a href=\"\($0.0)\">\($0.1)</a>" }
      return "<h2><bdi>\(model.name.markup)</bdi></h2>\n<p>\(facts.joined(separator: ", ").markup). "
        + "\(links.joined(separator: " · "))</p>\n"
        + "<p><img src=\"\(name).svg\" alt=\"Entities and relationships of the current version\" loading=\"lazy\"></p>"
    }.joined(separator: "\n")
  }
}

/// A version's entities as a store holds them: which table, which columns, what is in them.
private struct TableReference {
  private let version: ModelVersion
  private let schema: StoreSchema
  private let hierarchy: EntityHierarchy
  private let page: String

  init(_ version: ModelVersion, hasPage page: String) {
    self.version = version
    self.page = page
    schema = layOutStore(for: version.model, frameworkVersion: 0)
    hierarchy = EntityHierarchy(version.model)
  }

  var body: String {
    let entities = version.model.entities.sorted { $0.name.precedesInCodePointOrder($1.name) }
    let list = entities.map { "<li><a href=\"#\(anchor($0.name))\"><bdi>\($0.name.markup)</bdi></a></li>" }
    return
      "<p>Version \(version.name.markup), as a new store has it. A store that was migrated may name some differently: "
      + "<code>modelc inspect STORE</code> shows its own. Dates are seconds since 2001-01-01, "
      + "<code>datetime(ZCOLUMN + 978307200, 'unixepoch')</code>. <a href=\"\(page).html\">Diagram and versions</a></p>\n"
      + "<ul class=\"entities\">\(list.joined())</ul>\n" + entities.map(section).joined(separator: "\n")
  }

  private func section(_ entity: EntityDescription) -> String {
    let table = schema.table(ofEntity: entity.name)
    let isShared = hierarchy.descendantNames(includingSelf: hierarchy.rootName(of: entity.name)).count > 1
    let numbers = hierarchy.descendantNames(includingSelf: entity.name)
      .compactMap { schema.entity(named: $0).map { "\($0.number)" } }.joined(separator: ", ")
    let source = table.map { "\($0.name)\(isShared ? " WHERE Z_ENT IN (\(numbers))" : "")" } ?? ""
    let rows =
      hierarchy.attributes(of: entity.name).map { row($0, of: entity, table) }
      + hierarchy.relationships(of: entity.name).map { row($0, of: entity, table) }
    let parent =
      entity.superentityName.map { " <span class=\"note\">of <bdi>\($0.markup)</bdi></span>" } ?? ""
    let notes = notes(entity.userInfo).joined(separator: "; ").markup
    let remarks = notes.isEmpty ? "" : " <span class=\"note\">\(notes)</span>"
    return "<h2 id=\"\(anchor(entity.name))\"><bdi>\(entity.name.markup)</bdi>\(parent)</h2>\n"
      + "<p><code>SELECT … FROM \(source.markup)</code>\(remarks)</p>\n"
      + PageTemplate.table(["property", "type", "column", "notes"], rows)
  }

  private func row(_ attribute: AttributeDescription, of entity: EntityDescription, _ table: TableLayout?)
    -> [String]
  {
    let owner = hierarchy.declaringEntityName(of: attribute.name, seenFrom: entity.name) ?? entity.name
    let columns = (table?.columns ?? []).filter { column in
      guard case .attribute(let reference) = column.role, reference.entity == owner else { return false }
      return reference.property == attribute.name || reference.property.hasPrefix(attribute.name + ".")
    }
    let facts = attribute.statedFacts.filter { $0.key != "optional" }.map { words([$0]) }
    let type = attribute.type == .composite ? attribute.compositeName ?? "" : attribute.type.name
    return row(
      attribute.name, type + (attribute.isOptional ? "?" : ""), columns.map(\.name),
      facts + notes(attribute.userInfo))
  }

  private func row(
    _ relationship: RelationshipDescription, of entity: EntityDescription, _ table: TableLayout?
  ) -> [String] {
    let reference =
      hierarchy.reference(to: relationship.name, seenFrom: entity.name)
      ?? PropertyReference(entity: entity.name, property: relationship.name)
    let destination = schema.table(ofEntity: relationship.destinationEntityName)
    var columns: [String] = []
    var facts: [String] = []
    if let column = table?.column(for: .toOne(reference)) {
      columns = [column.name]
      facts = ["the Z_PK of a row of \(destination?.name ?? "")"]
    } else if let join = schema.joinTable(of: reference) {
      columns = join.sides.map { "\(join.name).\($0.column)" }
      facts = ["the Z_PKs of both sides"]
    } else if let column = hierarchy.inverse(of: reference).flatMap({ destination?.column(for: .toOne($0)) })
      ?? destination?.column(for: .owner(reference))
    {
      columns = ["\(destination?.name ?? "").\(column.name)"]
      facts = ["holds this row's Z_PK"]
    }
    return row(
      relationship.name, "\(relationship.isToMany ? "many " : "")\(relationship.destinationEntityName)",
      columns, facts + notes(relationship.userInfo))
  }

  private func row(_ name: String, _ type: String, _ columns: [String], _ notes: [String]) -> [String] {
    [
      "<th scope=\"row\"><bdi>\(name.markup)</bdi></th>", "<td><bdi>\(type.markup)</bdi></td>",
      "<td>\(columns.map { "<code>\($0.markup)</code>" }.joined(separator: "<br>"))</td>",
      "<td class=\"note\">\(notes.joined(separator: "; ").markup)</td>",
    ]
  }

  private func notes(_ userInfo: [String: String]) -> [String] {
    userInfo.sorted { $0 < $1 }.map { "\($0.key): \($0.value)" }
  }

  /// Of letters and digits, whatever the name: an address takes nothing else as it is.
  private func anchor(_ name: String) -> String { "e" + (hierarchy.index(of: name).map { "\($0)" } ?? "") }
}
