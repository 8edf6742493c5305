package import Foundation

/// A property list of plain values that is written the same way every time: keys in code-point order.
///
/// Foundation's writer follows the order of its dictionaries, which is another one in every run.
package indirect enum PlainPropertyList: Sendable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case data(Data)
  case string(String)
  case array([PlainPropertyList])
  case dictionary([String: PlainPropertyList])

  package var binary: Data { encodeBinaryPropertyList(value) }

  private var value: PropertyListValue {
    switch self {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .data(let data): .data(data)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.value))
    case .dictionary(let entries):
      .dictionary(
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
          .init($0.key, $0.value.value)
        })
    }
  }
}
