import Foundation
import ManagedModel
import Testing

private typealias Conversion = (value: ExpressionValue, type: AttributeType, result: AttributeValue?)
private typealias Refusal = (value: ExpressionValue, type: AttributeType)

private let decimal = Decimal(string: "1.1") ?? 0

@Suite struct `Values as an attribute's` {
  @Test func `What loses nothing is converted`() throws {
    let conversions: [Conversion] = [
      (.null, .string, nil), (.integer(7), .integer16, .integer(7)), (.double(7), .integer16, .integer(7)),
      (.decimal(7), .integer64, .integer(7)), (.boolean(true), .integer32, .integer(1)),
      (.integer(1), .boolean, .boolean(true)), (.integer(7), .double, .double(7)),
      (.decimal(decimal), .double, .double(1.1)), (.double(1.1), .decimal, .decimal(decimal)),
      (.string("a"), .string, .string("a")), (.date(1), .date, .date(1)),
      (.string("https://a"), .uri, .uri("https://a")), (.uri("https://a"), .uri, .uri("https://a")),
      (.binary(Data([1])), .transformable, .binary(Data([1]))),
    ]
    for conversion in conversions {
      #expect(
        try conversion.value.attributeValue(as: conversion.type) == conversion.result,
        "\(conversion.value) as \(conversion.type)")
    }
  }

  @Test func `What would lose something, or is of another kind, is an error`() {
    let refusals: [Refusal] = [
      (.integer(32_768), .integer16), (.double(1.5), .integer64), (.double(1e30), .integer64),
      (.integer(2), .boolean), (.integer(1), .string), (.string("1"), .integer16),
      (.string("2024-01-01"), .date), (.integer(1), .date), (.string("x"), .uuid),
      (.double(.infinity), .decimal), (.collection(ValueCollection([.integer(1)])), .integer16),
      (.date(1), .double),
    ]
    for refusal in refusals {
      #expect(throws: EvaluationError.self, "\(refusal.value) as \(refusal.type)") {
        try refusal.value.attributeValue(as: refusal.type)
      }
    }
  }
}
