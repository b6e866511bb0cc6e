public import NostrCore

/// Notes with one control character each, made by nostr-sdk 0.45.1 for Python (rust-nostr), which hashes them as JSON has them.
///
/// Each says `a`, the character, `b`, has the tag `["t", character]`, the moment 1 750 000 000, and is signed by the secret
/// key 1. U+007F stands there for what is no control character to JSON.
public enum ControlCharacterEvents {
    /// One for each character below U+0020, and for U+007F.
    public static let all: [UnverifiedEvent] = table.compactMap { code, id, first, second in
        guard let id = try? EventID(hex: id), let author = try? PublicKey(hex: author),
            let signature = try? Signature(hex: first + second)
        else { return nil }
        let character = String(UnicodeScalar(code))
        return UnverifiedEvent(
            id: id, pubkey: author, createdAt: Timestamp(seconds: 1_750_000_000), kind: 1, tags: [["t", character]],
            content: "a\(character)b", signature: signature)
    }

    private static let author = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    private static let table: [(UInt8, String, String, String)] = [
        (
            0x00, "d1b6577e2e9ad56dcb5ea4081840533d14d4fbc7c2e4111cfac6743405cafdbd",
            "4d8a265c1507b288debb07494149369250b4da3750fc2801d1ddbf186738e5d1",
            "6c0a57cced8dee814fd85df341b3f3774dde25bc590e9b88fba7e0d94d02781d"
        ),
        (
            0x01, "9582d35497cde22ba6d324516605baf99142a72f05c63fa434b86df3707f2b2e",
            "c52ec01e11464165f66a46819de97d122f657dbcb7e6669c49cd716853af4fb0",
            "df33b88ec869a2ee3eaadf8209d05a0eeae5e293b81c1894ed1a1aa58c5f55a8"
        ),
        (
            0x02, "c99f29fe1de8e11430ad7f529f2652acc045800e86993ed7b4ae31d9b3497f96",
            "f0c51c7211f344561b05ecfb925eb4f09062cdf1e21e76f5b9f121cc1ef6c43d",
            "eabbb4e1cce2f30eb78a843fe52c509d355cd2ce07c1fec5e8729175ce892be5"
        ),
        (
            0x03, "50558b1b26d6f56e54f5433634907ca3ab03043c5dda861c5a29f01ca1d186f9",
            "1410c0d272cb59553d8b030f2ddc1e652a5ff043f02da86dd3e0bd4cdc75bd83",
            "2a768999745f370a8d81832dfcb67312bd995344bcd7059782ecbd9ba4d2e8a8"
        ),
        (
            0x04, "f7abc634b9be7acd89d9ebb847ea5b3d4e09889988fae2c2d6fd6fe95088dc83",
            "f7fc6b26b11ee668d060102873b3fd28d9c4c079ce388404a2fbc6e5f28889b0",
            "2d58312b9c6797af4bf591d54561c244adfbd8e64387554971cd18f3c60e2afd"
        ),
        (
            0x05, "d03a03fc8065d8f9ff329e63d1fee4da6664107fa262d03bed65f0613e0284c1",
            "55ea00de1abe2b61449aadad711b6b35cea3e4088cc74489924bd132f93713c5",
            "932c3f0e92150afed1b7c2b9050c4c93988583ad2a984c978c9b1b666b2c993c"
        ),
        (
            0x06, "b35c78ec8addf6970c4cdb37fc566bcc01ca980427d7203e4687b7a80f3b0f48",
            "87ee69c6a903b34353ebd24cc70836f79b5631e35840fe7acf20f57dd46136c9",
            "26f378a2650eb046d31d8d6e77ad44b96a1ba664f99c84b0321235d05bb405a5"
        ),
        (
            0x07, "01ea19dfaa9cfaadc6e8e6d6eb612352dc76d2eb7360034af1b9bc8c65112717",
            "4910e65a12b95705e55a8ae625eaa1f2a2f4c45b86c4321d89dfb1d844a86873",
            "134c7a3ff23d907baef199a9d05e9ede7f594a7519b4f0dbf5c87401ea875a8e"
        ),
        (
            0x08, "c919f397c604a7b40411ab0c90b8c33319267ca9a7fd13d40f88e58e55ece534",
            "974f667d0bbe6f1009c9884c2145e29409592037b175c7339ff2de340512ad41",
            "79093a4e2b75d9a43ea2de798368afcc089478c371bf149081a9359a2f9a17f7"
        ),
        (
            0x09, "b9a5741761e952274f035219c9864e26c4ba97f642a7af68bf753e05f483a5b9",
            "864e6f135a2403cf80bc009b7fd764b366325a25eea5570ba2ba0f4ae546d177",
            "721e7e19c777b68bd5f80ff9a23ac450cdc45fff337a676788b3c003ea82ef86"
        ),
        (
            0x0A, "fbca2467bf3f198c9ba1390819617cc3d535ffab080c298943934a5b54c4f302",
            "a6a9f0242a9817494e0613a4ea3a8cad48f27d1dfb820a9905292d90fe62909c",
            "ed50e24131aa70da10f6e9d3140d4cfcfa1199a0d7d78dbbb9dec119ba381956"
        ),
        (
            0x0B, "6bd5e38762e2ac90e78e0154e855e0cead6f466f8553f2fc01fe3c465d4eeb1d",
            "a7005fe6e0415630f436534e4c746ddb51b7aa26f4dd3256599f516c36b36062",
            "195dbc44c9f4ff97307a3216d94b50f72f1274463ac3377560f58c522e62567d"
        ),
        (
            0x0C, "0be9bc8d433684cbcd11e9a986dbb0f2d84d21c564681b2c7da0aa230a6d6828",
            "7645010ac8a1832b89931f41fdddd5654c1f90ff2c4d51c2aa3033f5ac0e6052",
            "08b0852c5bf4fe67b008317f829c9f221b6f2fb5ea3602be5a0d33ad3f53f611"
        ),
        (
            0x0D, "a75c2c4f1d62ee66126419a0c3caf0ba93e014a7a7d910fe422ea2851975e221",
            "5d5e990ff93932c84bbda4b5c76550ffb647f84e71010460b5d7c8b564182b04",
            "07b7254c8e53bd1b2cf53d49590a8e2983a7ca2c9afa92055bebbb6f8400f8fd"
        ),
        (
            0x0E, "b0dc2ec52b9cb459130c040fb43260125ff55de4ede2f52893637b6cada68d76",
            "5a70631afed41432f82e8713f99c93a5961d262be15f4e7b376ff95e3d5f1e6a",
            "9c981aa06a0792a43327478b63cbe06f097f730e1e00130173bc44640d15d364"
        ),
        (
            0x0F, "23f10cfb4eaa1a807304298a6a3b05ea5b608d5e214d177b74d3be9c3377a572",
            "7cdacb0a937f87dfbf5f405287b1756c680f6ebfa47f0d5012b199fbe2dc5fbf",
            "9265a7bdd415f97d8f33d6f2c0eda37241ebc3c06abe13e6f04789fec03b7719"
        ),
        (
            0x10, "b39fd1bc984d9792e8669389db251c8aa125926802a6302edc1b1d03666d4b47",
            "b50d6fd4b9218ef2a2323ec0126a3ae5bd33172dfa8e6e7f5f39aeb684faf8fc",
            "ab92a1a5e38d4aaf2ba1e56344afdf0db7aea6af8729450bffef27a15a7c584b"
        ),
        (
            0x11, "5a3f73272dc56de96047569b28147b2b9d23e35cbc3887f8e529e3c32ad0abc5",
            "bf7d487548f1c251af4d039f599395d5ae6457580d0e69ef73bc8ba153c5f581",
            "59f04159ea0450c288aef0fbbfaff3ac2c6163363ed79fb93c4d623d5f93c01c"
        ),
        (
            0x12, "fb995a4674355bd89b200051d317e8cfda52b13e19809b29ea75a0e72bc15052",
            "8d4b671a1df27529937d439051e9bb150c641354c0e92a2e769a77aeb12cf4ed",
            "49dadd656087eb916d291b2a2db298609620acb9b819de1cd79670843a8ddd01"
        ),
        (
            0x13, "195ee5f7a6b7ee422355145aa36a128f5cfaa8119eaf639dc893cb373d252cc5",
            "cb05cccc1bb0df69609d16163a34ec081d5e2fccff3409614dd17e1046dd58b1",
            "74e230705aff0deea690e899998434e30732a5c836c0bba44374cc2439c088d0"
        ),
        (
            0x14, "e1534957bbff378ed2bd3c759f0aa960a3faf7279db51b82d8e3ffc455790b2b",
            "3485da14782a1c4b37f9d8e63d7803de3c27a7445a641aadc97d2ab9b55f64a6",
            "c572e8a5036ae7f5910a23e5da352a282b4e752c5bb73c78d1294a10b29babec"
        ),
        (
            0x15, "8c9c3db99666afe3f47d1f8870720e59fe0bb7b481666ea1e7734c3c7951cf24",
            "ff821bbe247608a73dc173f45d5d60bd081a6735e20e026bda12d6ce6998da5e",
            "58b3fe5a7a4e907271313e960f441eb7ff05d287d7355e9f61d3030c394623f6"
        ),
        (
            0x16, "1fcb6db961f5153b10866a1790524727a595e8c9b38111924a716e514e1d59eb",
            "4cc222231982836d1bdd2fd7a7bd96c8f0db9f5ff6da3e36afd388d2d7aa3ee7",
            "d681e21e79993c6fda5c87f755d1ee5cd940bf337cdc0a8996631a7f94b0eca8"
        ),
        (
            0x17, "a2487794d8f8ee2e631cf90364b3c59dca6177f9731b0035fab5aeb71af732ed",
            "b4f9ba80d3bf0440c4a5d1119ff1f148f7e6f6e069723337383368d74375cb6d",
            "e61f8fbea21abc6058e0f9713eb647d55566e59dc074768d04c6ecb002cfc9c8"
        ),
        (
            0x18, "aaf7a6d276df9b0cabb5e4946bb78883e8a5dc799b1c6f01f55f0eb9505c9e61",
            "07db6808f5b6bc814a55bee57b782d5a749d821d806adc8976167cd730185421",
            "f598b7b41d4983cdae04c7e98c8f5819d03805ebaffaa9b264544b923255c720"
        ),
        (
            0x19, "abe9362d8dda395f02f717c147f9f793cfadcd44d083d63622964da1e4c83d76",
            "ab381843eefbf4b9f98eb5a4a1b5065fe5d9f354394a9d05feaf98004bfc255a",
            "fda0e189fb3d3bb838dc389cd78b10d862aabfc2bbbf0360bac7c1091751b1f8"
        ),
        (
            0x1A, "739f80266def78ecafd434f90b0bd33f040d8feae187c22a244cc1ba2e645c00",
            "c5499ce3200dd02577bf5f915f9a1fcc614f023aeb0f9eca9d835859be138555",
            "86dce0d6906d150e35bf00b0073171476768e6d2b98251486a14fe92e166db62"
        ),
        (
            0x1B, "3edcebb75d46817f1a21e9a5f372bb7736f29eecfcaf8276b28d10a31230bf74",
            "dbd1dff15f3226cadc9ceeaeff7bbbaee3fb0cc5a28642663f802eedd1e56da7",
            "a93ea2e890bbbea8c1ffeecf4bd7619acfab4bf1af4dd5fae5280160e741d0a8"
        ),
        (
            0x1C, "12ed5b521546a616863032734d2eb043cf8cc7e7117446734cddd835ae184b5b",
            "ba485ac9ea38b57c0a81d340d462e1a3ca0ef63e2964b9c2c5058092e3df2bbc",
            "df7c982bace7fddebe93868a498515ce4aabebec9f9942e1c1ff0f36c8de1b4d"
        ),
        (
            0x1D, "ebd070f3279c4424edf678708b689d89581f9b60a76996b7bc77bee7a5ef364c",
            "91639b6604651a58e6a80986001ecc7b565304f25cdead20176eadc82003cb67",
            "c30ba23b232cb5e9b3ca9eeb039d31b1537e7637c9f60733ecce42273bb41235"
        ),
        (
            0x1E, "5c1bff30c20f92b157fec08ecdab655ae3e5176c61f2d1414df679d08acb8586",
            "3b12fc01f7686f4487e8d10133e89ac1c5ecbe82e798da749935f5d4b518062e",
            "14435d640ca604cf23331f5b511dc193b02baf0f51774fde80f003882650a9b3"
        ),
        (
            0x1F, "e45fcbedd709d052ff1b1fefff09cb683b3b545e078f3c69eb2d42fdda2c72e4",
            "6057be09d58647582bdbdde495dd345152e0eccde5ce2537b9905e9401f3b7b5",
            "7349b45c048d29626d1b99e275bce0b88f94259cc28c23b5e587c422f7c51bf4"
        ),
        (
            0x7F, "a4b587866bf70a291d2ae5f9761abcc36e90fa7df299cf60c592f66c37334048",
            "b26e2867cd78f2f9f4c256b8a5ac03d7e08c267772882bc3a139bba606ae3ba9",
            "ac969cb1fdcff966fc6cb43af679f3905d2823f968b2fde58fd2cb3620cdb680"
        ),
    ]
}
