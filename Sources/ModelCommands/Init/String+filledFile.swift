import EmbeddedFiles
import Foundation
import ManagedModel

extension String {
  /// The file of this name in `Sources/EmbeddedFiles/Init`, with values in place of its `@names@`.
  ///
  /// A name that has a line of its own stands for all lines of its value, at its indentation; without a value the line goes.
  func filledFile(_ values: [String: String] = [:]) -> String {
    let file = unsafe embedded(initFiles).first { $0.name == self }?.content ?? Data()
    let lines = String(decoding: file, as: UTF8.self).lines.flatMap { line -> [String] in
      let start = line.prefix { $0 == " " }
      if let only = line.dropFirst(start.count).wholeMatch(of: #/@([a-z]+)@/#),
        let value = values[String(only.1)]
      {
        let lines = (value.hasSuffix("\n") ? String(value.dropLast()) : value).lines
        return value.isEmpty ? [] : lines.map { $0.isEmpty ? "" : start + $0 }
      }
      return [line.replacing(#/@([a-z]+)@/#) { values[String($0.1)] ?? String($0.0) }]
    }
    return lines.joined(separator: "\n")
  }
}
