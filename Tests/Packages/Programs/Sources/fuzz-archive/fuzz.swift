import FuzzArchive

/// The function that libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    fuzzArchive(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The entry point, which the package manager calls `<target>_main`; the one in libFuzzer is never reached.
@_cdecl("fuzz_archive_main")
public func main(
    _ argumentCount: CInt,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    var argumentCount = argumentCount
    var arguments = arguments
    return runDriver(&argumentCount, &arguments) { testOneInput($0, $1) }
}
