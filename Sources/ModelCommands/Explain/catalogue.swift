import EmbeddedFiles
import Foundation
package import StoreRepair

/// Every code that modelc raises, explained: the pages `MC0.md` to `MC7.md` of EmbeddedFiles, which are the reference
/// too. By code.
package let catalogue: [Explanation] = unsafe embedded(explanationPages)
  .flatMap { Explanation.parse(String(decoding: $0.content, as: UTF8.self)) }.sorted { $0.code < $1.code }

/// The explanation of a code as it is written anywhere: `MC1301`, `mc1301`, `1301`.
package func explanation(of text: String) -> Explanation? {
  let code = normalised(text)
  return catalogue.first { $0.code == code }
}

/// The codes that `text` may mean: the nearest numbers, those of the same hundred first; or those whose titles have it.
package func nearestCodes(to text: String) -> [Explanation] {
  let code = normalised(text)
  guard code.hasPrefix("MC"), let number = Int(code.dropFirst(2)), (0...9999).contains(number) else {
    return Array(catalogue.filter { $0.title.localizedCaseInsensitiveContains(text) }.prefix(3))
  }
  func rank(_ explanation: Explanation) -> (Int, Int) {
    let own = Int(explanation.code.dropFirst(2)) ?? 0
    return (own / 100 == number / 100 ? 0 : 1, abs(own - number))
  }
  return catalogue.sorted { rank($0) < rank($1) }.prefix(3).sorted { $0.code < $1.code }
}

private func normalised(_ text: String) -> String {
  let code = text.uppercased().filter { !$0.isWhitespace }
  return code.allSatisfy(\.isNumber) ? "MC" + code : code
}

/// The kinds of trouble that modelc knows in logs.
package let logKinds: [LogKind] = unsafe embedded(logKindPages)
  .flatMap { LogKind.parse(String(decoding: $0.content, as: UTF8.self)) ?? [] }

/// The stores of the system that modelc knows in logs.
package let systemStores: [SystemStore] = unsafe embedded(logKindPages)
  .flatMap { SystemStore.parse(String(decoding: $0.content, as: UTF8.self)) }

/// The names and contents of a list of files that are part of the program.
func embedded(_ list: UnsafePointer<EmbeddedFile>) -> [(name: String, content: Data)] {
  var files: [(name: String, content: Data)] = []
  var next = unsafe list
  while let name = unsafe next.pointee.name, let bytes = unsafe next.pointee.bytes {
    unsafe files.append((String(cString: name), Data(bytes: bytes, count: Int(next.pointee.count))))
    unsafe next += 1
  }
  return files
}
