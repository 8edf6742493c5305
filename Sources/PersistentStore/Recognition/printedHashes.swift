import Foundation
package import ManagedModel

/// A store's version hashes as a log prints them: each whole, or its first and last bytes.
package struct PrintedHashes: Hashable, Sendable {
  /// Hexadecimal digits of one hash.
  package struct Digits: Hashable, Sendable {
    package var beginning: String
    /// Empty where the whole hash is printed.
    package var end: String

    func fit(_ hash: VersionHash) -> Bool {
      let digits = hash.hexadecimal
      return digits.hasPrefix(beginning) && digits.hasSuffix(end)
    }
  }

  package var digits: [String: Digits]

  package init(digits: [String: Digits]) { self.digits = digits }

  /// How many of the entities a version has with such a hash.
  func equalCount(_ hashes: [String: VersionHash]) -> Int {
    digits.count { entity, digits in hashes[entity].map(digits.fit) ?? false }
  }
}

/// Finds the dictionaries of version hashes in a text, in the forms in which Foundation prints data: `<8b3b0f0e …>` and,
/// since 2019, `{length = 32, bytes = 0x8b3b0f0e … 1a9a3c57 }`, where the middle may be left out.
///
/// Each once, in the order of the text.
package func findPrintedHashes(in text: String) -> [PrintedHashes] {
  var found: [PrintedHashes] = []
  var open: [String: PrintedHashes.Digits] = [:]
  func close() {
    let hashes = PrintedHashes(digits: open)
    if !open.isEmpty, !found.contains(hashes) { found.append(hashes) }
    open = [:]
  }
  for line in text.split(whereSeparator: \.isNewline) {
    if let (entity, digits) = printedHash(line) { open[entity] = digits } else { close() }
  }
  close()
  return found
}

/// `Name = {length = 32, bytes = 0x… };` or `Name = <…>;`; nil for any other line.
private func printedHash(_ line: Substring) -> (entity: String, digits: PrintedHashes.Digits)? {
  guard line.utf8.count < 1_000, let equals = line.firstRange(of: " = ") else { return nil }
  let name = line[..<equals.lowerBound].split(whereSeparator: \.isWhitespace).last ?? ""
  let value = line[equals.upperBound...]
  let isNew = value.hasPrefix("{length = 32, bytes = 0x")
  guard isNew || value.hasPrefix("<"), !name.isEmpty else { return nil }
  let inner = value.drop { $0 != (isNew ? "x" : "<") }.dropFirst().prefix { $0 != (isNew ? "}" : ">") }
  let halves = inner.split(separator: "...", omittingEmptySubsequences: false)
    .map { String($0.filter { !$0.isWhitespace }).lowercased() }
  guard halves.count <= 2, halves.allSatisfy({ $0.allSatisfy(\.isHexDigit) }), let first = halves.first,
    halves.count == 2 ? first.count >= 8 : first.count == 64
  else { return nil }
  let entity = name.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
  return (entity, PrintedHashes.Digits(beginning: first, end: halves.count == 2 ? halves[1] : ""))
}

/// What a log tells of a store: the versions that have all the hashes which it prints, or the one that comes nearest.
package struct PrintedRecognition: Hashable, Sendable {
  package struct Nearest: Hashable, Sendable {
    package var modelName: String
    package var versionName: String
    package var equal: Int
    /// Entities with other hashes, or that only one of the two has.
    package var differing: [String]
  }

  package var entityCount: Int
  /// Whether every hash is printed whole.
  package var isWhole: Bool
  package var versions: [RecognisedVersion] = []
  /// Nil where a version was found, or none has an entity with such a hash.
  package var nearest: Nearest?
}

/// Looks for the versions whose hashes a log prints.
package func recogniseStore(
  printed: PrintedHashes, among models: [VersionedModel]
) -> PrintedRecognition {
  var recognition = PrintedRecognition(
    entityCount: printed.digits.count, isWhole: printed.digits.values.allSatisfy(\.end.isEmpty))
  for model in models {
    for version in model.versions {
      let hashes = version.entityVersionHashesByName
      let equal = printed.equalCount(hashes)
      if equal == printed.digits.count, equal == hashes.count {
        recognition.versions.append(RecognisedVersion(modelName: model.name, versionName: version.name))
      } else if equal > 0, equal >= recognition.nearest?.equal ?? 0 {
        let names = Set(printed.digits.keys).union(hashes.keys)
        let differing = names.filter { name in
          !(hashes[name].flatMap { printed.digits[name]?.fit($0) } ?? false)
        }
        recognition.nearest = PrintedRecognition.Nearest(
          modelName: model.name, versionName: version.name, equal: equal, differing: differing.sorted())
      }
    }
  }
  if !recognition.versions.isEmpty { recognition.nearest = nil }
  return recognition
}
