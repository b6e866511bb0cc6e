public import NostrSigner

extension ScriptedNetwork: SignerNetwork {}
