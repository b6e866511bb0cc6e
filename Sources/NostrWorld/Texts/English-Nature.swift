extension Phrases {
    /// What English-speaking people of the world say about birds, gardens, hills, the sea and stars.
    static let englishNature = """
        when = this morning | just after sunrise | on the way home | before breakfast | late last night | at dusk
          | around noon | today | yesterday | an hour ago | between two showers | on my lunch break

        birds.one = a kingfisher | a nuthatch | a pair of goldcrests | a great grey shrike | two ravens | a short-eared owl
          | a dipper | a firecrest | a whole charm of goldfinches | a lone curlew | a redstart | a marsh harrier
          | three lapwings | a black woodpecker | a very loud wren | a flock of waxwings | a linnet | a hobby
        birds.where = by the mill pond | along the canal | behind the allotments | over the salt marsh | at the quarry
          | in the old orchard | on the neighbour's chimney | near the weir | above the reed beds | at the feeder
          | in the churchyard yew | right outside the kitchen window | on the river island
        birds.doing = singing like it had something to prove | hunting along the ditch | carrying moss
          | being mobbed by crows | completely unbothered by the dogs | feeding two fledglings
          | hanging upside down from a twig | calling across the water | drying its wings
        birds.think = Made my day. | I stood there for twenty minutes and my coffee went cold. | No photo, sorry, just joy.
          | First one this year. | I had to check the book twice. | Worth getting up at five.
          | Nobody on the bus understood why I was grinning. | My ears found it before my eyes did.
          | I will never get used to this. | Year list: {birds.count}.
        birds.count = 83 | 91 | 104 | 117 | 126 | 139 | 148
        birds.ask = How do you tell a chiffchaff from a willow warbler when neither of them sings?
          | What do you feed when it freezes for a week? Sunflower hearts are gone in a day here.
          | Does anyone else keep a list of birds heard in films that could not possibly live there?
          | Binocular people: 8x32 or 10x42 for someone who mostly walks?
          | Is there a good way to keep window strikes down that does not look like a crime scene?
        birds.fact = Swifts sleep on the wing. I think about that on every night train.
          | Wrens build several nests and let their partner choose. I respect the process.
          | A treecreeper only ever goes up. Then it flies to the next tree and goes up again.
          | Starlings here have learnt the ringtone of the bakery. All of them.
          | Blackbirds in town sing earlier than those in the woods. Street lights, probably. It makes me a bit sad.
        birds.note = {birds.saw} | {birds.saw} {birds.think} | {birds.saw} {birds.think} | {birds.ask} | {birds.fact}
          | Counted for an hour {birds.where}: {birds.one}, {birds.one} and {birds.one}. {birds.think}
        birds.saw = Saw {birds.one} {birds.where} {when}. | {birds.Cap} {birds.where}, {birds.doing}.
          | Heard {birds.one} {birds.where} {when}, {birds.doing}.
          | There is {birds.one} {birds.where}, {birds.doing}.
        birds.Cap = Kingfisher | Nuthatch | Grey wagtail | Tawny owl | Jay | Redwing | Reed bunting | Spotted flycatcher
        birds.reply = What a find. I have been looking for one {birds.where} all year. | Lovely! Was it {birds.doing}?
          | We had {birds.one} {birds.where} last week, maybe the same movement. | Was there a second one?
          | Jealous. Here it is only pigeons. Good pigeons, but still. | Good ears. I would have walked right past.
          | Did you report it? The county recorder would want to know.

        garden.plant = the broad beans | the tomatoes | my one surviving quince | the dahlias | the rhubarb | the peas
          | the garlic | the espalier pear | the courgettes | the sweet peas | the chillies on the sill | the compost
          | the old rose by the shed | the strawberries | the leeks
        garden.state = came up overnight | gave up | got eaten by something invisible | wanted water again
          | flowered at last | outgrew the frame | survived the frost after all | decided to become a tree
          | came two weeks early | looked suspiciously happy
        garden.job = Mulched everything | Turned the compost | Sowed a second row of carrots | Pruned the currants
          | Repotted the lemon | Mended the water butt | Moved the cold frame | Divided the chives | Staked the beans
        garden.think = Hands like a root vegetable, head perfectly quiet. | The robin supervised.
          | My back has opinions. | There is no app for this and I am glad. | Slugs: 1, me: 0. | Nothing but weather now.
          | I keep learning the same lesson about spacing. | The soil smells like cake.
        garden.ask = Does anyone have a trick against blossom end rot that is not "water evenly"? I water evenly.
          | When do you stop picking rhubarb? | Hedge advice, please: native, fast, and good for birds?
          | Is it too late to sow kale? Asking for a small and hungry household.
          | Who has seeds of the purple podded pea to swap? I have far too many marigolds.
        garden.note = {garden.Plant} {garden.state}. {garden.think} | {garden.job} {when}. {garden.think} | {garden.ask}
          | {garden.job}, because {garden.plant} {garden.state}. | Note to self: {garden.plant} {garden.state}. Next year, less of it.
        garden.Plant = The lettuce | The asparagus bed | The fig | My sage | The apple tree | The lovage | The medlar
        garden.reply = Same here, {garden.plant} {garden.state}. | Try a collar of copper tape, it slowed mine down.
          | Send a picture when it fruits! | {garden.think} | I gave up and let the chickens have it.
          | Wood ash helped ours, a little and not often. | That is how it starts. Next you will want bees.

        hills.place = the north ridge | the long valley | the old drovers' road | the pass above the lake | the coast path
          | the three huts loop | the moor | the gorge | that hill everyone calls the Table | the pilgrim way
        hills.weather = fog until eleven, then everything at once | horizontal rain | the first real frost
          | warm wind from the south | snow down to the tree line | not one cloud | thunder, luckily far off
        hills.note = {hills.dist} on {hills.place} {when}: {hills.weather}. {hills.think}
          | {hills.Weather} on {hills.place}. {hills.think} | {hills.ask}
          | Slept in the bivvy on {hills.place}. {hills.think} | {hills.tip}
        hills.dist = 14 km | 22 km | 31 km | A slow 9 km | 1200 m of climbing
        hills.Weather = Fog | Sleet | Sun | A rainbow, a proper one, | Ice on the puddles | Larks
        hills.think = Met four people and one very serious dog. | The flask of soup was the right decision.
          | My knees have filed a complaint. | You could hear the cows before you could see them.
          | I would do it again tomorrow. | Everything smelled of thyme. | Came back with half a kilo of chanterelles.
          | No signal all day, which was rather the point. | The bus driver waited for me. People are kind.
        hills.tip = Put a spare pair of socks in a bag in a bag. That is the whole secret.
          | If the map and the path disagree, have a biscuit first and decide after.
          | Turning back is also a summit. It took me twenty years to believe it.
        hills.ask = Lightweight stove that works in wind: what do you use?
          | Has anybody walked {hills.place} in November? Is it madness?
          | Paper maps or phone? I carry both and trust neither.
        hills.reply = I know that stretch. The bench at the top has the best view of anything.
          | {hills.think} | Which way round did you go? | Adding {hills.place} to the list.
          | In that weather? Respect. | Careful with the bridge there, two planks are gone.

        stars.what = Jupiter | Saturn, rings nearly edge-on, | the Orion nebula | the Pleiades | a very thin moon
          | the double cluster | Andromeda | the ISS | Mars, tiny and red, | an aurora I nearly slept through
        stars.how = with the old 6-inch | through plain binoculars | from the roof | between clouds | from the allotment
          | with the neighbour's children | through a borrowed refractor
        stars.think = Light older than every language. | Cold feet, no regrets. | The children were quiet for a full minute.
          | Then the fog came. | Sketched it, badly, and I love the sketch. | I still whisper at the eyepiece.
          | One streetlamp less and this town would be famous. | The dew heater paid for itself.
        stars.note = {stars.what} {stars.how} {when}. {stars.think} | Caught {stars.what} {stars.how}. {stars.think}
          | {stars.ask} | {stars.fact}
        stars.ask = What is a good first telescope that will not end up in a cupboard?
          | Anyone else clouded out for every single meteor shower this year?
          | Stacking software that runs on a small old laptop: recommendations?
        stars.fact = The gas giant you look at tonight is further away than it was last night. It does not mind.
          | Space is only an hour away if your car could drive straight up. I like that this is true.
          | Half of what looks like one star is two. Patience shows it.
        stars.reply = Beautiful. Here it was all cloud, as usual. | Which eyepiece? | {stars.think}
          | I saw it too! From the other side of the country, at the same moment, probably.
          | Please do post the sketch. | This is why I keep the scope by the door.
        """
}
