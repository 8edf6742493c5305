import EmbeddedFiles
import Foundation
import ManagedModel
import PersistentStore

/// Objects of the sample model's first version: the same thousand every time.
///
/// 40 huts, 25 trails of 5 stages, 300 visits, 510 photos.
func sampleDiary() -> [ManagedObject] {
  var random = SeededRandom(2024)
  var objects = (1...40).map { (key: Int) -> ManagedObject in
    ManagedObject(
      "Hut", Int64(key),
      values: [
        "name": .string(hutNames[(key - 1) % hutNames.count] + (key > hutNames.count ? " Nova" : "")),
        "beds": .integer(Int64(random.number(below: 90) + 4)),
        "elevation": .double(Double(random.number(below: 2200) + 900)),
        "warden": key % 3 == 0 ? .string(names[key % names.count]) : nil,
      ].compactMapValues(\.self))
  }
  for trail in 1...25 {
    let stages = (1...5).map {
      ManagedObject.ID(entityName: "Stage", primaryKey: Int64((trail - 1) * 5 + $0))
    }
    objects.append(
      ManagedObject(
        "Trail", Int64(trail),
        values: [
          "name": .string("\(places[trail - 1]) Traverse"),
          "region": trail % 4 == 0 ? nil : .string(["Vallais", "Ticino", "Engadin"][trail % 3]),
          "opened": .date(Double(random.number(below: 8000)) * 86400),
        ].compactMapValues(\.self), toMany: ["stages": stages]))
    for (place, stage) in stages.enumerated() {
      objects.append(
        ManagedObject(
          "Stage", stage.primaryKey,
          values: [
            "title": .string("\(places[trail - 1]), day \(place + 1)"),
            "length": .double(Double(random.number(below: 180) + 60) / 10),
            "ascent": .integer(Int64(random.number(below: 1500))),
          ],
          toOne: [
            "trail": .init(entityName: "Trail", primaryKey: Int64(trail)),
            "hut": .init(entityName: "Hut", primaryKey: Int64(random.number(below: 40) + 1)),
          ]))
    }
  }
  return objects + sampleVisits(&random)
}

private func sampleVisits(_ random: inout SeededRandom) -> [ManagedObject] {
  var photosOfVisit: [[ManagedObject.ID]] = Array(repeating: [], count: 300)
  var photos: [ManagedObject] = []
  for key in 1...510 {
    let visit = random.number(below: 300)
    let id = ManagedObject.ID(entityName: "Photo", primaryKey: Int64(key))
    photosOfVisit[visit].append(id)
    photos.append(
      ManagedObject(
        "Photo", id.primaryKey,
        values: [
          "takenAt": .date(600_000_000 + Double(random.number(below: 100_000_000))),
          "caption": key % 2 == 0 ? .string("Étoile \(key), seen from the terrace") : nil,
          "thumbnail": .binary(Data((0..<32).map { _ in UInt8(random.number(below: 256)) })),
        ].compactMapValues(\.self),
        toOne: ["visit": .init(entityName: "Visit", primaryKey: Int64(visit + 1))]))
  }
  let visits = (1...300).map { (key: Int) -> ManagedObject in
    ManagedObject(
      "Visit", Int64(key),
      values: [
        "id": .uuid(random.uuid()),
        "date": .date(600_000_000 + Double(random.number(below: 1000)) * 86400),
        "text": key % 5 == 0
          ? nil : .string("\(names[key % names.count]) cooked; the \(weather[key % weather.count])."),
      ].compactMapValues(\.self),
      toOne: ["hut": .init(entityName: "Hut", primaryKey: Int64(random.number(below: 40) + 1))],
      toMany: ["photos": photosOfVisit[key - 1]])
  }
  return visits + photos
}

private let hutNames = [
  "Monte Rosa", "Aletsch", "Bergli", "Cristallina", "Diavolezza", "Es-cha", "Fridolin", "Gelmer", "Hollandia",
  "Jenatsch",
  "Konkordia", "Lischana", "Mischabel", "Naupe", "Oberaar", "Planura", "Rotondo", "Salbit", "Terri", "Voralp",
]
private let places = [
  "Albula", "Bernina", "Calanda", "Dent Blanche", "Eiger", "Finsteraar", "Grand Combin", "Hübsch", "Isenthal",
  "Jungfrau",
  "Kesch", "Linard", "Morteratsch", "Niesen", "Ortstock", "Palü", "Quatervals", "Rheinwald", "Säntis", "Tödi",
  "Uri",
  "Verzasca", "Weisshorn", "Zinal", "Zwischbergen",
]
private let names = ["Ada", "Beat", "Chiara", "Dorje", "Émile", "Fiona", "Göran"]
private let weather = ["fog lifted", "sun went early", "föhn blew", "snow held"]

/// The files of the sample model Trails, a hiking diary.
enum SampleModel {
  static let name = "Trails"

  /// File name → content.
  static let files = unsafe embedded(sampleModelFiles)

  /// Mapping models of its steps: file name → content.
  static let mappings = unsafe embedded(sampleMappingFiles)
}
