"""The attacks: each is a program of its own, so that the honest clients' clock runs beside it, not after it.

Every attacker has an address of its own in 127/8; none is 127.0.0.1, where the person's own programs are.
"""
import asyncio
import functools
import json
import os
import random
import resource
import sys

from sockets import PING, drain, frame, open_socket

WORDS = ["linnet", "heath", "gorse", "barley", "thistle", "moor", "finch", "song", "nest", "wing"]
# What is wide enough to cost something: all, a word, a tag, a time.
QUESTIONS = [{"limit": 500}, {"kinds": [1], "search": "gorse"}, {"#t": ["moor"], "limit": 500},
             {"kinds": [1], "since": 1, "limit": 500}]


def address(number):
    return f"127.7.{number // 250}.{number % 250 + 1}"


@functools.cache
def say_begun():
    """Tells whoever waits for it that an attacker is at work; once, however many are."""
    print("begun", flush=True)


async def together(tasks):
    # One that is turned away does not hold up the others.
    return await asyncio.gather(*tasks, return_exceptions=True)


async def questions(port, count=200, each=20):
    """Many connections, each with as many questions as a relay takes, asked again when they are answered."""
    async def one(number):
        reader, writer = await open_socket(port, address(number))
        reading = asyncio.create_task(drain(reader))
        while not reading.done():
            for name in range(each):
                writer.write(frame(json.dumps(["REQ", f"q{name}", QUESTIONS[name % len(QUESTIONS)]])))
            say_begun()
            await writer.drain()
            await asyncio.sleep(0.5)
    await together(one(number) for number in range(count))


async def pings(port, count=20):
    """Pings as fast as the socket takes them."""
    async def one(number):
        reader, writer = await open_socket(port, address(number))
        reading = asyncio.create_task(drain(reader))
        flood = frame(b"p" * 100, PING) * 500
        while not reading.done():
            writer.write(flood)
            say_begun()
            await writer.drain()
    await together(one(number) for number in range(count))


async def forged(port, events, count=8):
    """Events whose ids are right and whose signatures are not: what costs most to refuse."""
    async def one(number):
        reader, writer = await open_socket(port, address(number))
        reading = asyncio.create_task(drain(reader))
        texts = [json.loads(event) for event in events]
        while not reading.done():
            for event in random.sample(texts, 50):
                writer.write(frame(json.dumps(["EVENT", {**event, "sig": os.urandom(64).hex()}])))
            say_begun()
            await writer.drain()
    await together(one(number) for number in range(count))


async def search(port, count=8, size=500_000):
    """One client with searches of half a megabyte each."""
    reader, writer = await open_socket(port, address(0))
    reading = asyncio.create_task(drain(reader))
    for name in range(count):
        words, length = [], 0
        while length < size:
            words.append(random.choice(WORDS) + str(random.randrange(10 ** 6)))
            length += len(words[-1]) + 1
        writer.write(frame(json.dumps(["REQ", f"s{name}", {"search": " ".join(words)}])))
        say_begun()
        await writer.drain()
    await reading


async def idle(port, count=2000):
    """Sockets that say nothing."""
    held = await together(open_socket(port, address(number)) for number in range(count))
    held = [one for one in held if not isinstance(one, BaseException)]
    if held:
        print(len(held), "of", count, "are open", flush=True)
    await together(drain(one[0]) for one in held)


async def bodies(port, count=200):
    """Forms that come at two bytes a second."""
    async def one(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address(number), 0))
        writer.write(f"POST /login HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 100000\r\n\r\n".encode())
        reading = asyncio.create_task(drain(reader))
        while not reading.done():
            writer.write(b"a")
            say_begun()
            await writer.drain()
            await asyncio.sleep(0.5)
    await together(one(number) for number in range(count))


def main():
    """NAME PORT COUNT [a file of events]: attacks until it is killed."""
    name, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if name == "forged":
        with open(sys.argv[4], encoding="utf-8") as file:
            asyncio.run(forged(port, file.read().splitlines(), count))
    else:
        attack = {"questions": questions, "pings": pings, "search": search, "idle": idle, "bodies": bodies}[name]
        asyncio.run(attack(port, count=count))


if __name__ == "__main__":
    main()
