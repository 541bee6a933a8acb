import ChordataModel
import ChordataTestSupport
import Testing

struct SHA256Tests {
    /// The examples of FIPS 180-4 and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func vectors(_ text: String, _ hash: String) { expectEqual(sha256(Array(text.utf8)), hash) }

    /// Every length around the ends of a block; another implementation computed the expected hash of all results.
    @Test func lengths() {
        let hashes = (0...130).map { sha256([UInt8](repeating: UInt8($0), count: $0)) }
        expectEqual(
            sha256(Array(hashes.joined().utf8)),
            "d0baea72526dad7349caefa1eb0367cdf14831720b58b6ab382f9386e8ad7be9"
        )
    }
}
