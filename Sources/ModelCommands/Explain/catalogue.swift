/// Every code that modelc raises, explained: the pages `MC0.md` to `MC6.md` beside this file, which are the reference
/// too. By code.
package let catalogue: [Explanation] = [
  PackageResources.MC0_md, PackageResources.MC1_md, PackageResources.MC2_md, PackageResources.MC3_md,
  PackageResources.MC5_md, PackageResources.MC6_md,
].flatMap { Explanation.parse(String(decoding: $0, as: UTF8.self)) }.sorted { $0.code < $1.code }

/// The explanation of a code as it is written anywhere: `MC1301`, `mc1301`, `1301`.
package func explanation(of text: String) -> Explanation? {
  let code = normalised(text)
  return catalogue.first { $0.code == code }
}

/// The codes that someone who wrote `text` may have meant: those of the same family with the nearest numbers.
package func nearestCodes(to text: String) -> [Explanation] {
  let code = normalised(text)
  guard let number = Int(code.dropFirst(2)), code.hasPrefix("MC") else { return [] }
  let sorted = catalogue.sorted { left, right in
    (distance(left, number), left.code) < (distance(right, number), right.code)
  }
  return sorted.prefix(3).sorted { $0.code < $1.code }
}

private func distance(_ explanation: Explanation, _ number: Int) -> Int {
  let own = Int(explanation.code.dropFirst(2)) ?? 0
  return number > own ? number - own : own - number
}

private func normalised(_ text: String) -> String {
  let code = text.uppercased().filter { !$0.isWhitespace }
  return code.allSatisfy(\.isNumber) ? "MC" + code : code
}
