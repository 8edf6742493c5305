import CBytes

/// The zlib that this program runs with.
package var zlibVersionInUse: String { unsafe String(cString: zlibVersion()) }
