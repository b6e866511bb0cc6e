import NIOSSL
