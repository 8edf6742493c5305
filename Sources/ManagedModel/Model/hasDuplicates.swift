/// Whether one is listed twice.
extension [String] { package var hasDuplicates: Bool { Set(self).count < count } }
