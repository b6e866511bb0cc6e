"""One member of a group of MLS by MLS++, as DAVE has it; does what standard input says, one JSON array per line.

argv: the member's number, and that of the group
["key_package", external sender] -> [key package]; of a new session
["propose", message, ...]        -> [commit, with the Welcome behind it]; the messages are the external sender's
["commit", message]              -> ["done"]
["join", welcome]                -> ["joined"]
["state"]                        -> [epoch authenticator]
["frame", number, text]          -> [the first frame of audio that this member of the epoch would send]; text is as it is
All else is hex. What fails is answered with ["failed", words].
"""
import json
import sys

import dave

number, group = sys.argv[1], int(sys.argv[2])
everybody = {str(one) for one in range(1, 10_000)}
session = dave.Session()


def vector(items):
    """A vector of MLS, its length before it (RFC 9420 §2.1.2)."""
    data = b"".join(items)
    if len(data) < 64:
        return bytes([len(data)]) + data
    if len(data) < 1 << 14:
        return (len(data) | 1 << 14).to_bytes(2, "big") + data
    return (len(data) | 2 << 30).to_bytes(4, "big") + data


def key_package(sender):
    global session
    session = dave.Session()
    session.set_external_sender(bytes.fromhex(sender))
    session.init(1, group, number)
    return [session.get_marshalled_key_package().hex()]


def propose(*messages):
    made = session.process_proposals(b"\0" + vector([bytes.fromhex(one) for one in messages]), everybody)
    return [made.hex()] if made else ["failed", "no commit"]


def commit(message):
    done = session.process_commit(bytes.fromhex(message))
    return ["done"] if isinstance(done, dict) else ["failed", str(done)]


def join(welcome):
    return ["joined"] if session.process_welcome(bytes.fromhex(welcome), everybody) is not None else ["failed", "no"]


def state():
    return [session.get_last_epoch_authenticator().hex()]


def frame(member, text):
    encryptor = dave.Encryptor()
    encryptor.set_key_ratchet(session.get_key_ratchet(member))
    encryptor.assign_ssrc_to_codec(1, dave.Codec.opus)
    return [encryptor.encrypt(dave.MediaType.audio, 1, text.encode()).hex()]


COMMANDS = {work.__name__: work for work in (key_package, propose, commit, join, state, frame)}
print(json.dumps(["ready"]), flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    try:
        answer = COMMANDS[name](*arguments)
    except Exception as error:  # the words are the answer
        answer = ["failed", str(error)]
    print(json.dumps(answer), flush=True)
