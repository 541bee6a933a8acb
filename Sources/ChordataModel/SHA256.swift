/// Returns the SHA-256 of bytes as 64 lower-case hexadecimal digits, as specified in FIPS 180-4.
///
/// The digest identifies versions and detects changes of files; it is not used for security.
package func sha256(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in sha256Digest(bytes) { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
}

/// Returns the SHA-256 of bytes: 32 bytes.
package func sha256Digest(_ bytes: [UInt8]) -> [UInt8] {
    // Tools that a plug-in runs are built without optimisation, and hash each version of a model. So the rounds work on
    // memory directly: checked arrays take ten times as long in such a build.

    // The last blocks have the remaining bytes, a 1 bit, and the number of bits in the last eight bytes.
    let wholeCount = bytes.count / 64 * 64
    var rest = Array(bytes[wholeCount...])
    rest.append(0x80)
    while rest.count % 64 != 56 { rest.append(0) }
    let bitCount = UInt64(bytes.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
        rest.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }

    var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    var schedule = [UInt32](repeating: 0, count: 64)
    state.withUnsafeMutableBufferPointer { state in
        schedule.withUnsafeMutableBufferPointer { schedule in
            roundConstants.withUnsafeBufferPointer { constants in
                // None of the three buffers is empty.
                guard let state = state.baseAddress, let schedule = schedule.baseAddress,
                    let constants = constants.baseAddress
                else { return }
                func compress(_ blocks: UnsafeBufferPointer<UInt8>, _ count: Int) {
                    guard let start = blocks.baseAddress else { return }
                    var offset = 0
                    while offset < count {
                        compressBlock(start + offset, schedule, constants, state)
                        offset += 64
                    }
                }
                bytes.withUnsafeBufferPointer { compress($0, wholeCount) }
                rest.withUnsafeBufferPointer { compress($0, $0.count) }
            }
        }
    }

    var digest: [UInt8] = []
    for word in state {
        for shift in stride(from: 24, through: 0, by: -8) {
            digest.append(UInt8(truncatingIfNeeded: word >> UInt32(shift)))
        }
    }
    return digest
}

/// Processes one block of 64 bytes; the schedule is scratch memory of 64 words, and the state has 8 words.
private func compressBlock(
    _ block: UnsafePointer<UInt8>,
    _ schedule: UnsafeMutablePointer<UInt32>,
    _ constants: UnsafePointer<UInt32>,
    _ state: UnsafeMutablePointer<UInt32>
) {
    var word = 0
    while word < 16 {
        let start = block + word &* 4
        schedule[word] =
            UInt32(start[0]) &<< 24 | UInt32(start[1]) &<< 16 | UInt32(start[2]) &<< 8 | UInt32(start[3])
        word &+= 1
    }
    while word < 64 {
        let a = schedule[word &- 15]
        let b = schedule[word &- 2]
        let s0 = (a &>> 7 | a &<< 25) ^ (a &>> 18 | a &<< 14) ^ (a &>> 3)
        let s1 = (b &>> 17 | b &<< 15) ^ (b &>> 19 | b &<< 13) ^ (b &>> 10)
        schedule[word] = schedule[word &- 16] &+ s0 &+ schedule[word &- 7] &+ s1
        word &+= 1
    }

    var a = state[0]
    var b = state[1]
    var c = state[2]
    var d = state[3]
    var e = state[4]
    var f = state[5]
    var g = state[6]
    var h = state[7]
    var round = 0
    while round < 64 {
        let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
        let choice = (e & f) ^ (~e & g)
        let first = h &+ s1 &+ choice &+ constants[round] &+ schedule[round]
        let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        h = g
        g = f
        f = e
        e = d &+ first
        d = c
        c = b
        b = a
        a = first &+ s0 &+ majority
        round &+= 1
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
}

private let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
