internal import Crypto
struct Probe {}
