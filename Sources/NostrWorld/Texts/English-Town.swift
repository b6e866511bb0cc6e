extension Phrases {
    /// What English-speaking people of the world say about programs, Nostr and the day, and to one another.
    static let englishTown = """
        code.thing = the parser | a state machine | that flaky test | the build script | an off-by-one in the date code
          | a 400-line function | the migration | the retry logic | a config nobody owned | the tiny Rust tool | the Swift port
        code.did = Deleted {code.thing} and nothing broke | Rewrote {code.thing} as a value with one pure function
          | Spent {code.time} on {code.thing} | Finally understood {code.thing} | Found the comment "temporary" in {code.thing}, dated 2014
          | Pair-programmed {code.thing} | Wrote the test first and {code.thing} fell out of it
        code.time = two hours | the whole afternoon | ten minutes, then three days | a lunch break
        code.think = It was the cache. It is always the cache, except when it is time zones. | Small is a feature.
          | The best part is the diff: mostly red. | Names first, then code. Every time I forget, I pay.
          | Nobody noticed, which is the nicest review. | The compiler was right and rude about it.
          | Boring code is a gift to whoever is tired next. | I left a note for future me. Future me is grateful already.
        code.fact = A deadline on every network call is the cheapest kindness in programming.
          | If a state can be illegal, sooner or later somebody will store it.
          | A backup you have not restored is a rumour. | Unbounded queues are where latency goes to die.
          | "It works on my machine" is a confession about machines.
          | The fastest query is the one you stopped making.
        code.ask = What do you use to draw diagrams that survive the next refactoring?
          | Property-based tests: who uses them for real, and for what?
          | Which old paper should everyone in our trade have read?
          | How do you name the thing that is not a manager?
        code.note = {code.did}. {code.think} | {code.fact} | {code.ask} | {code.did}. | {code.fact} {code.think}
          | Wrote up how we did it: https://notes.example/{code.slug}
        code.slug = state-machines | no-more-flaky | small-tools | queues | reading-diffs
        code.reply = {code.think} | {code.fact} | Did you measure it? | Would read a longer post about this.
          | We did the opposite and regretted it for a year. | Link? | This, a thousand times.

        nostr.note = {nostr.fact} | {nostr.did}. {nostr.think} | {nostr.ask} | {nostr.did}. | {nostr.fact} {nostr.think}
        nostr.did = Moved my relay list from fourteen entries to four | Set up a small relay for the choir
          | Cleaned out dead relays | Showed my sister how to keep her key on paper | Turned off the push notifications
          | Wrote a tiny client in an evening | Found my old notes on a relay I had forgotten | Switched clients and brought everything with me
        nostr.think = My feed did not change at all, which proves the point. | It is quiet here. I like quiet.
          | Nobody had to ask anybody for permission. | The key is the account. It took me a year to feel that.
          | Now it runs on a box next to the bread bin. | Protocol over platform, soup over everything.
        nostr.fact = Write where your list says, read where theirs says. That is the whole trick.
          | A follow list is a garden. Prune it, but never by accident.
          | Half the relays in my old list were gone. The people were not.
          | A relay is a library card, not a home. | One big relay is just a website with extra steps.
          | Signing an event is the opposite of shouting: anyone can check it was you.
        nostr.ask = How many relays are in your list, honestly? | Which small relays do you love? I will add two.
          | Does your client tell you where a note was really accepted? Mine keeps it secret.
          | How do you explain keys to somebody who just wants to post a cat?
        nostr.reply = {nostr.fact} | Four is plenty. | {nostr.think} | I read you through the outbox, so: hello from a relay you never heard of.
          | Three write, two read, no regrets. | My uncle asked the same. I drew two boxes and an arrow.

        day.small = the bus driver hummed | a child explained cranes to me | the baker gave me the ugly croissant for free
          | somebody had knitted a scarf for the bronze dog | the lift played Bach | a cat sat on the ballot box
          | the whole tram said good morning | my left shoe squeaked a perfect fifth | the market smelled of dill
          | an old man taught me to fold a map | the fountain is running again | the library fine was forgiven
        day.think = That is all. That is the post. | Good day. | I am keeping this one. | Small things hold the rest up.
          | No lesson, just a nice thing. | Tell me yours.
        day.coffee = First coffee on the balcony since October. | Coffee, window, nothing. | Good morning from the slow train.
          | Good morning. The kettle and I are on speaking terms again. | GM to everyone who fed a plant today.
          | Rain on the roof, tea in the pot, inbox unopened. | Good night from the night shift.
          | Sunday: soup, sofa, socks.
        day.ask = What is the kindest thing a stranger did for you this year? | What is your weather like, in one word?
          | What are you having for dinner? I need ideas and I have leeks. | Best word in your language for a lazy morning?
          | Which street in your town deserves a song?
        day.note = Today {day.small}. {day.think} | {day.coffee} | {day.ask} | {when2} {day.small}. {day.think}
          | {day.Small}, {day.small}, and {day.small}. {day.think}
        day.Small = Report from a walk: {day.small}
        day.reply = {day.think} | This made me smile. | Here too! And then {day.small}. | Good morning back from the hill.
          | I needed this today, thank you. | Leek and potato, always. | Can confirm, I was the scarf.

        reply.short = Ha, yes. | Exactly this. | Thank you for sharing. | Oh, I like that. | Same. | Well put. | Saving this one.
          | Wait, really? | More of this, please. | You are not wrong. | Tell me more? | That is lovely. | 😂 | 🙌 | 👀 | 💛
        reply.back = Thank you! | It took a while, but yes. | Good question, I will look when I am home. | Ha, guilty.
          | I will post an update. | That is kind of you. | Maybe both? | No idea, honestly, but it worked.
          | Come and see for yourself. | You have convinced me.
        quote.words = This, please, and slowly. | Everyone should read this once. | I have been thinking about this since {when}.
          | Not enough people saw this. | Friend of mine, quietly right again. | Adding only: yes.
        greet = Hey {who}, you might like this. | Thinking of you, {who}. | {who} was right about this. | Ask {who}, the expert here.
          | With thanks to {who} for the tip. | Met {who} at last, in person, with cake.
        warn.note = Spoilers for the last chapter: the lighthouse keeper is the narrator's father. There, I said it.
          | Photographs of a rather large spider in the bath. Beautiful animal. It stays.
          | A long and slightly sad note about our old dog. He had a good life and the best spot by the stove.
          | Food talk, and quite a lot of garlic.
        warn.reason = spoiler | spiders | sad | food | medical |
        bio.line = {bio.a}. {bio.b}. | {bio.a}, {bio.c}. | {bio.b}. {bio.d} | {bio.a}. {bio.d} | {bio.c}, mostly. {bio.d}
        bio.a = Teacher by day | Retired nurse | Carpenter | Works on trains | Civil engineer | Baker since 1998 | Student of too many things
          | Gardener | Writes software that stays out of the way | Translator | Runs a small bookshop | Geologist | Violin maker | Bus driver
          | Two children, one goat | Paramedic | Lives on a boat | Librarian | Cartographer
        bio.b = Likes hedges, harbours and people who read signs | Slow walker, fast talker | Mostly here for the birds
          | Collects words for rain | Takes the stairs | Bad at chess, keeps playing | Believes in soup | Answers letters
          | Knows three jokes | Left-handed
        bio.c = keeps bees | mends things | looks up | grows too many tomatoes | reads the footnotes | sings second alto
          | carries a spare pencil | swims all year | rides everywhere
        bio.d = Opinions my own, recipes borrowed. | Say hello. | Kind replies only. | No crypto, no drama, some poetry. | Based near the sea.
          | Notes in English and sometimes not. | She/her. | He/him. | They/them. | Here since the quiet days.
        """
}
