"""One member of groups of MLS, by mls-rs; does what standard input says, one JSON array per line.

argv: which binding of mls-rs ("uniffi" or "rine"), and a name
["key_package"]        -> [message]
["create"]             -> ["created"]
["join", welcome]      -> ["joined"]
["add", key package]   -> [commit, welcome]
["remove", identity]   -> [commit]
["update"]             -> [commit]; only of "uniffi"
["merge"]              -> ["merged"]; the last commit counts
["propose_add", key package], ["propose_remove", identity] -> [message]; only of "uniffi"
["say", text]          -> [message]
["process", message]   -> ["commit"], ["proposal"], or ["application", text]
["state"]              -> [what all members agree on]
Messages, identities and states are hex. What fails is answered with ["failed", words].
"""
import hashlib
import json
import sys
import tempfile


class Uniffi:
    """mls-rs as its own bindings offer it."""

    def __init__(self, name):
        import mls_rs_uniffi

        self.library = mls_rs_uniffi
        suite = mls_rs_uniffi.CipherSuite.CURVE25519_AES128
        keys = mls_rs_uniffi.generate_signature_keypair(suite)
        self.client = mls_rs_uniffi.Client(name.encode(), keys, mls_rs_uniffi.client_config_default())
        self.identities = {}
        self.last = None

    def message(self, text):
        return self.library.Message.from_bytes(bytes.fromhex(text))

    def key_package(self):
        return [self.client.generate_key_package_message().to_bytes().hex()]

    def create(self):
        self.group = self.client.create_group(None)
        return ["created"]

    def join(self, welcome):
        self.group = self.client.join_group(None, self.message(welcome)).group
        return ["joined"]

    def commit(self, made):
        self.last = made.commit_message
        welcome = [made.welcome_message.to_bytes().hex()] if made.welcome_message else []
        return [self.last.to_bytes().hex(), *welcome]

    def add(self, package):
        return self.commit(self.group.add_members([self.message(package)]))

    def update(self):
        return self.commit(self.group.commit())

    def merge(self):
        self.group.process_incoming_message(self.last)
        return ["merged"]

    def propose_add(self, package):
        return [self.group.propose_add_members([self.message(package)])[0].to_bytes().hex()]

    def say(self, text):
        return [self.group.encrypt_application_message(text.encode()).to_bytes().hex()]

    def process(self, text):
        received = self.group.process_incoming_message(self.message(text))
        if received.is_APPLICATION_MESSAGE():
            return ["application", received.data.decode()]
        return ["commit" if received.is_COMMIT() else "proposal"]

    def state(self):
        return [self.group.export_secret(b"linnet", b"", 32).hex()]


class Rine:
    """mls-rs as rine has it: with commits from outside."""

    def __init__(self, name):
        import rine_mls

        self.folder = tempfile.TemporaryDirectory()
        seed = hashlib.sha256(name.encode()).digest()
        self.client = rine_mls.MlsClient(self.folder.name, seed, rine_mls.CIPHER_SUITE_CLASSICAL)
        self.tag = bytes([rine_mls.APP_MESSAGE_TAG])

    def key_package(self):
        return [self.client.generate_key_package().hex()]

    def create(self):
        self.group = self.client.create_group(b"rine")
        return ["created"]

    def join(self, welcome):
        self.group = self.client.join_from_welcome(bytes.fromhex(welcome))
        return ["joined"]

    def add(self, package):
        made = self.group.add_member(bytes.fromhex(package))
        return [made.commit.hex(), made.welcomes[0].hex()]

    def remove(self, identity):
        return [self.group.remove_member(self.group.member_index(bytes.fromhex(identity))).commit.hex()]

    def merge(self):
        return ["merged"]  # it is at once

    def say(self, text):
        return [self.group.encrypt_application_message(text.encode()).removeprefix(self.tag).hex()]

    def process(self, text):
        message = bytes.fromhex(text)
        # The wire format of a private message of the application (RFC 9420 §6) is 2; its type is behind the epoch.
        length = message[4]
        if message[:4] == b"\x00\x01\x00\x02" and message[5 + length + 8] == 1:
            return ["application", self.group.decrypt_application_message(self.tag + message).envelope.decode()]
        self.group.apply_commit(message)
        return ["commit"]

    def state(self):
        members = sorted((member.index, member.identity.hex()) for member in self.group.member_identities())
        return [json.dumps([self.group.epoch(), members])]

    def group_info(self):
        return [self.group.group_info().hex()]


member = {"uniffi": Uniffi, "rine": Rine}[sys.argv[1]](sys.argv[2])
print(json.dumps(["ready"]), flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    try:
        answer = getattr(member, name)(*arguments)
    except Exception as error:  # the words are the answer
        answer = ["failed", str(error)]
    print(json.dumps(answer), flush=True)
