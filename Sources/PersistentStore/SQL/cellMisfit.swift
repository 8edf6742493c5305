package import ManagedModel

/// That a cell which is not null holds no value of an attribute's type.
///
/// SQLite puts numbers before texts and texts before blobs, whatever they are, so that one comparison tells what
/// `typeof` tells at four times the cost. The column's own collation, which may be unknown here, has no say.
package func misfit(
  _ value: String, _ type: AttributeType, usesExternalStorage: Bool, declaredType: String
) -> String {
  let value = "(\(value) COLLATE BINARY)"
  // A column with INTEGER affinity keeps no whole number as a real, and one with REAL affinity keeps all as such.
  let declared = declaredType.uppercased()
  let isWhole = ["INT", "REAL", "FLOA", "DOUB"].contains { declared.contains($0) }
  let fraction = isWhole ? "\(value) <> CAST(\(value) AS INTEGER)" : "typeof(\(value)) <> 'integer'"
  switch type {
  case .boolean: return "\(value) NOT IN (0, 1)" + (isWhole ? "" : " OR typeof(\(value)) <> 'integer'")
  case .integer16: return "\(value) NOT BETWEEN -32768 AND 32767 OR \(fraction)"
  case .integer32: return "\(value) NOT BETWEEN -2147483648 AND 2147483647 OR \(fraction)"
  case .integer64: return fraction
  // Core Data stores a decimal that is not a number as a text.
  case .decimal: return "\(value) <> 'NaN' AND \(value.exceedsDecimal)"
  case .double, .float, .date: return "\(value) >= ''"
  case _ where type.isText: return "\(value) < '' OR \(value) >= x'' OR NOT \(textFunction)(\(value))"
  // A UUID.
  case _ where type.isSpelled: return "\(value) < x'' OR length(\(value)) <> 16"
  default:
    return usesExternalStorage
      ? "\(value) < x'' OR NOT (substr(\(value), 1, 1) = x'01' OR \(value.isExternalReference))"
      : "\(value) < x''"
  }
}

extension String {
  /// That a cell is no number, or one whose 17 digits no exponent of a decimal (-128 to 127) puts in their place.
  var exceedsDecimal: String {
    "(\(self) NOT BETWEEN -9.999999999999999e127 AND 9.999999999999999e127 "
      + "OR \(self) BETWEEN -1e-111 AND 1e-111 AND \(self) <> 0)"
  }

  /// That a number changes where it is read with four bytes: it is too large, has more than 24 significant bits (which
  /// Veltkamp's splitting keeps, in SQLite's own arithmetic), or is no multiple of 2 to the -149.
  var exceedsFloat: String {
    let split = "\(self) * 536870913.0"
    let scaled = "\(self) * 4611686018427387904.0 * 4611686018427387904.0 * 33554432.0"
    let (most, least) = ("3.4028234663852886e38", "1.1754943508222875e-38")
    return "\(self) NOT BETWEEN -\(most) AND \(most) AND \(self) NOT IN (9e999, -9e999) "
      + "OR \(split) - (\(split) - \(self)) <> \(self) "
      + "OR \(self) BETWEEN -\(least) AND \(least) AND \(scaled) <> CAST(\(scaled) AS INTEGER)"
  }

  /// What a cell may not hold that is computed with: a decimal that is not a number is nothing to compute.
  package func misread(_ type: AttributeType, usesExternalStorage: Bool, declaredType: String) -> String {
    let misfit = misfit(self, type, usesExternalStorage: usesExternalStorage, declaredType: declaredType)
    return type == .decimal ? "\(misfit) OR \(self) = 'NaN'" : misfit
  }
}
