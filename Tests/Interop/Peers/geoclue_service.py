"""A location service on a message bus, with GeoClue's interfaces and none of its insides.

    geoclue_service.py ADDRESS PLAY

Prints "ready" once it can be called. PLAY is what it does:
  walks   tells a position when it is started, and the next one each time a position is read
  denies  starts nobody
  asks    tells no position at all
  dies    is gone as soon as its first position is read
  leaves  gives its name back then, and stays on the bus
  skips   takes its first position back before anybody can read it
  lies    tells positions of odd types, and lets another tell one in its name
Source: the D-Bus interfaces org.freedesktop.GeoClue2.{Manager,Client,Location}.
"""
import asyncio
import os
import sys

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

NAME = "org.freedesktop.GeoClue2"
MANAGER = "/org/freedesktop/GeoClue2/Manager"
CLIENT = "/org/freedesktop/GeoClue2/Client/1"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Service:
    def __init__(self, bus, other, play):
        self.bus, self.other, self.play = bus, other, play
        self.wishes, self.count = {}, 0

    def path(self, number):
        return "/" if number < 0 else f"{CLIENT}/Location/{number}"

    def answer(self, message):
        """The answer to a call; None leaves it to the library."""
        called = (message.interface, message.member)
        if message.message_type != MessageType.METHOD_CALL:
            return None
        if called == (f"{NAME}.Manager", "GetClient") and message.path == MANAGER:
            return Message.new_method_return(message, "o", [CLIENT])
        if called == (PROPERTIES, "Set") and message.path == CLIENT:
            interface, name, value = message.body
            self.wishes[name] = (interface, value.signature, value.value)
            return Message.new_method_return(message)
        if called == (f"{NAME}.Client", "Start") and message.path == CLIENT:
            return self.start(message)
        if called == (f"{NAME}.Client", "Stop"):
            print("stopped", flush=True)
            return Message.new_method_return(message)
        if called == (PROPERTIES, "GetAll"):
            return self.location(message)
        return None

    def start(self, message):
        wanted = {
            "DesktopId": (f"{NAME}.Client", "s", "linnet"),
            "RequestedAccuracyLevel": (f"{NAME}.Client", "u", 8),
            "TimeThreshold": (f"{NAME}.Client", "u", 30),
        }
        if self.wishes != wanted:
            return Message.new_error(message, "org.freedesktop.DBus.Error.InvalidArgs", str(self.wishes))
        if self.play == "denies":
            return Message.new_error(message, "org.freedesktop.DBus.Error.AccessDenied", "not today")
        if self.play == "lies":
            self.tell(self.other, message.sender, 99)
        if self.play != "asks":
            self.after(lambda: self.news(message.sender))
        return Message.new_method_return(message)

    def after(self, work):
        asyncio.get_running_loop().call_soon(work)

    def news(self, client):
        """A new position; the one before it is no more."""
        self.tell(self.bus, client, self.count)
        self.count += 1
        if self.play == "skips" and self.count == 1:
            self.news(client)

    def tell(self, bus, client, number):
        bus.send(Message(
            destination=client, path=CLIENT, interface=f"{NAME}.Client", member="LocationUpdated",
            message_type=MessageType.SIGNAL, signature="oo", body=[self.path(number - 1), self.path(number)]))

    def location(self, message):
        number = self.count - 1
        if message.path == self.path(99):
            number = 99
        elif message.path != self.path(number) or message.body != [f"{NAME}.Location"]:
            return Message.new_error(message, "org.freedesktop.DBus.Error.UnknownObject", "gone")
        if self.play == "dies":
            os._exit(0)
        if self.play == "leaves":
            self.after(lambda: self.bus.send(Message(
                destination="org.freedesktop.DBus", path="/org/freedesktop/DBus",
                interface="org.freedesktop.DBus", member="ReleaseName", signature="s", body=[NAME])))
        else:
            self.after(lambda: self.news(message.sender))
        place = {
            "Latitude": Variant("d", 47.25 + number), "Longitude": Variant("d", 8.5), "Accuracy": Variant("d", 30.0),
            "Altitude": Variant("d", -sys.float_info.max), "Speed": Variant("d", -1.0), "Heading": Variant("d", -1.0),
            "Description": Variant("s", "é"), "Timestamp": Variant("(tt)", [1700000000 + number, 5]),
        }
        if self.play == "lies" and number == 0:
            place["Latitude"] = Variant("s", "north")
        return Message.new_method_return(message, "a{sv}", [place])


async def main():
    address, play = sys.argv[1:]
    bus = await MessageBus(bus_address=address).connect()
    other = await MessageBus(bus_address=address).connect()
    service = Service(bus, other, play)

    def handle(message):
        return service.answer(message)

    bus.add_message_handler(handle)
    await bus.request_name(NAME)
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
