extension Phrases {
    /// What English-speaking people of the world say about bread, bicycles, photographs, music and books.
    static let englishHands = """
        bread.loaf = a rye | the Sunday sourdough | focaccia | a miche the size of a wheel | bagels | a spelt tin loaf
          | cardamom buns | baguettes, wonky ones, | a seeded loaf | brioche | a porridge loaf | pizza dough
        bread.result = came out with an ear you could hang a coat on | stuck to the basket and my pride
          | rose like it had an appointment | has a crumb like lace | is flat, dense and delicious anyway
          | was gone before it cooled | sang for ten minutes on the rack | blistered beautifully
        bread.how = Cold proof, 36 hours. | 80 % hydration and a little courage. | Starter fed twice {when}.
          | Less yeast, more time. | Freshly milled, you can smell the field. | Baked in the old cast-iron pot.
          | Forgot the salt once. Only once. | Oven at full tilt, stone in for an hour.
        bread.ask = My starter smells of nail varnish. Hungry, or worse? | Whole rye without the brick effect: how?
          | Does anyone score with a plain kitchen knife? The razor scares me.
          | How long do you really let it cool? Be honest. | What do you do with discard besides pancakes?
        bread.note = {bread.Loaf} {bread.result}. {bread.how} | Baked {bread.loaf} {when}. {bread.how}
          | {bread.ask} | {bread.how} {bread.Loaf} {bread.result}.
          | Baked {bread.loaf} for the street party and it {bread.result}.
          | Wrote down the formula for {bread.loaf}: https://bread.example/{slug}
        bread.Loaf = Today's loaf | The rye | My first challah | The potato bread | This morning's batch
          | The baguette | The olive loaf
        bread.reply = That crust! How long covered? | {bread.how} Works every time for me.
          | I can smell it from here. | Mine {bread.result}, so you are ahead of me. | Recipe, please, and slowly.
          | Which flour? I can only get supermarket stuff and it shows. | Cut it! Show us the crumb.

        wheels.ride = 40 km before work | the long way to the market | a century, my first | laps around the reservoir
          | the gravel loop | up the pass and straight down again | the school run with the cargo bike
        wheels.think = Headwind both ways, as is tradition. | The new tyres hum. | Legs empty, head full.
          | A fox kept pace with me for a hundred metres. | Somebody had swept the cycle lane. I nearly cried.
          | Stopped for cake twice, so it was training. | Only one car passed too close, which is a good day here.
          | The squeak turned out to be my bag. | Brought home eight kilos of potatoes.
        wheels.fix = Replaced the bottom bracket with a borrowed tool and a video. | Trued the wheel with a zip tie.
          | New chain, and now the cassette is jealous. | Finally found the creak. Seatpost. It is always the seatpost.
          | Built my own dynamo light and it works in the rain. | Rescued a 1982 frame from the skip.
        wheels.ask = Panniers that survive winter: what lasts? | Is friction shifting a phase or a way of life?
          | Who else has a town that paints bikes on the road and calls it infrastructure?
          | Best way to carry a sleeping child and a week of shopping?
        wheels.note = Rode {wheels.ride} {when}. {wheels.think} | {wheels.fix} {wheels.think} | {wheels.ask}
          | {wheels.Ride}. {wheels.think} | {wheels.think} {wheels.fix}
        wheels.Ride = Out at six, home by nine | Commute number 200 this year | Night ride with the club
          | First ride after the flu | Rain, mud, grin
        wheels.reply = {wheels.think} | Which tyres? | You should come along on Thursday nights.
          | That road has been promised a lane since I was at school. | Nice save! | Try wax on the chain, it changed my winter.

        photo.film = Portra 400 | HP5 pushed to 1600 | a roll of expired slide film | Tri-X | the last of my Acros
          | a half-frame roll I forgot for two years | Ektar
        photo.camera = the old folding camera | my grandfather's rangefinder | a plastic thing from the flea market
          | the twin-lens | a pinhole made from a biscuit tin | the little half-frame
        photo.what = the harbour before anyone was up | the allotments in fog | strangers waiting for a tram
          | my grandmother's hands | a whole street of yellow doors | the last day of the fair | frost on the moor
          | swimmers at the lido | the milk lorry at dawn
        photo.think = One frame in thirty-six is worth the whole roll. | The light leak is the best part.
          | I do not know why it works, but it does. | Scanned flat, printed soft. | Grain like gravel, and I like it.
          | The shutter sticks at a fifteenth and gives everything a dream.
        photo.note = {photo.what2}. {photo.camera2}, {photo.film}. {photo.think} | Developed {photo.film} {when}. {photo.think}
          | {photo.ask} | Walked around with {photo.camera} for three hours and pressed the button four times. {photo.think}
          | From {when2}: {photo.what}. {photo.think}
        when2 = last weekend | the week before | a walk with no plan | the archive | a wet Tuesday
        photo.what2 = The harbour before anyone was up | Fog on the allotments | The night tram | Frost on the moor
          | A yellow door, again | The last swimmer | Two chairs and a shadow
        photo.camera2 = Folding camera | Rangefinder | Twin-lens | Biscuit-tin pinhole | Half-frame
        photo.ask = What do you use to scan at home that is not the size of a cow?
          | Developing in coffee: joke or method? | How do you file negatives so that you ever find them again?
        photo.reply = The light in this one. | What was the exposure? | {photo.think} | This looks like a memory I do not have.
          | Print it big. | I know this corner! The bakery is just out of frame. | Lovely tones.

        music.thing = a fiddle tune from the islands | the Goldberg Variations, slowly | a borrowed accordion
          | the second cello suite | a modular patch that sounds like rain | three chords and a cold
          | the old upright | a song my uncle hummed | the choir's new piece
        music.think = The neighbours knocked, and then asked for the name of the tune. | Nearly in tune now.
          | It falls apart at bar 42 like everybody. | Recorded it on the phone and it is awful and alive.
          | We laughed more than we sang. | Metronomes are for the strong. | Played it for the cat. The cat left.
        music.note = Practised {music.thing} {when}. {music.think} | {music.ask} | {music.listen}
          | Played {music.thing} at the open stage. {music.think} | Learning {music.thing}. {music.think}
        music.listen = Listening to the rain and one record, again and again. | Found a box of cassettes. Every one a letter.
          | A stranger whistled the alto line on the tram. The alto line!
          | A brass band came round the corner and the whole street forgot what it was doing.
        music.ask = What piece do you play when you only have five minutes?
          | Is there a tuner app without an account? I just want an A.
          | Recommend me one album to walk home to. | How did you learn to sing harmony? Ear or paper?
        music.reply = {music.think} | Would love to hear it. | That tune has a second part nobody plays. Look it up!
          | My five minutes are always Satie. | We need a bass, by the way. Just saying.

        books.title = "The Sea Road" | a history of salt | "The Living Mountain" | a novel about a lighthouse
          | the letters of two gardeners | "Notes on Slow Trains" | an atlas of islands | a 1960s cookery book
          | "The Year of the Heron" | a thin book about silence
        books.think = Read it in one sitting and missed my stop. | Page 112 has been in my head for a week.
          | I want everyone I know to read it and nobody to talk to me about it. | Too many adverbs, so much heart.
          | The library copy has pencil notes by somebody who disagreed with everything.
          | I rationed the last chapter. | Made soup from page 40. It was good.
        books.note = Finished {books.title} {when}. {books.think} | Reading {books.title}. {books.think} | {books.ask}
          | Found {books.title} in the phone-box library. {books.think} | {books.fact}
        books.ask = What did you read twice this year? | Short books for tired people: go.
          | Do you finish books you do not like? I have stopped and it feels like flying.
          | Who translates your favourite book? I have started to choose by translator.
        books.fact = Our library now lends seeds, saws and a ukulele. Books too.
          | The little bookshop stays open on Thursdays until nobody is left.
          | Reading aloud is the oldest podcast.
        books.reply = {books.think} | Adding it to the pile. The pile is now furniture. | Loved that one.
          | Try the author's first, it is stranger. | Is it sad? I need to know before I start. | My copy is yours if you return it.
        slug = levain | tuesday-loaf | slow-rye | first-try | notes
        """
}
