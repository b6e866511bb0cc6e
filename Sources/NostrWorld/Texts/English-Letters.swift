extension Phrases {
    /// What English-speaking people of the world write to each other in private, line by line.
    static let englishLetters = """
        dm.walk.1 = Are you free {dm.day}? The {dm.bird} are back. | I am going to the reservoir {dm.day}, want to come?
        dm.walk.2 = Oh yes please. What time? | I would love that. How early are we talking? | If there is cake, yes.
        dm.walk.3 = {dm.time}. I can pick you up at the corner. | {dm.time}, so we have the place to ourselves.
        dm.walk.4 = You are cruel, but fine. | Perfect. I will bring the flask. | Deal. I will bring the scope.
        dm.walk.5 = See you there. Warm socks! | Good. It will be muddy. | 🐦
        dm.day = on Saturday | on Sunday | tomorrow | after work on Thursday
        dm.bird = lapwings | redwings | whooper swans | wheatears | terns
        dm.time = Half past five | Six, sharp | Seven, and not a minute earlier

        dm.loan.1 = Do you still have my {dm.thing}? No hurry at all. | Could I borrow your {dm.thing} for a week?
        dm.loan.2 = It is by the door, has been for a month. Sorry! | Of course. It misses being used.
        dm.loan.3 = Ha, no worries. I will come by {dm.day}. | You are a star. I owe you a loaf.
        dm.loan.4 = I am in until noon. | Just ring, the dog will tell me. | Rye, please.
        dm.thing = book on lichens | torque wrench | second tripod | tent | bread knife, the good one

        dm.starter.1 = Mine smells of nail varnish. Is it dead? | How do you keep your starter when you are away?
        dm.starter.2 = It is only hungry. Feed it twice a day for two days and be kind. | Stiff, in the fridge, and no guilt.
        dm.starter.3 = Rye or wheat? | And if I forget it again?
        dm.starter.4 = Rye. It forgives everything. | Then I give you some of mine. It has been to three countries.
        dm.starter.5 = You saved a life today. | I will report back with pictures.
        dm.starter.6 = Looking forward to it. | Pictures or it did not rise.

        dm.visit.1 = We are coming through your town next week. Is the sofa free? | I have to see your new place at last.
        dm.visit.2 = Always. The cat has opinions, but she can be bought. | Come on {dm.weekday}, I will cook.
        dm.visit.3 = Shall we bring something? | What does one bring to people who have everything?
        dm.visit.4 = Yourselves and that cheese. | Stories. We are out of stories.
        dm.visit.5 = On its way. The address is the same? | I can do stories.
        dm.visit.6 = The same. Mind the third step. | Good. Then it is settled.
        dm.weekday = Tuesday | Wednesday | Friday

        dm.patch.1 = Could you look at something before I make a fool of myself in public? | I broke the build. Do not tell.
        dm.patch.2 = Send it. I will be gentle. | Which one? | Your secret is safe with me.
        dm.patch.3 = It is twelve lines, and I do not trust four of them. | The one that was working yesterday.
        dm.patch.4 = Line seven waits for ever when the other side goes away. The rest is lovely. | Try it with the clock an hour ahead.
        dm.patch.5 = Of course it does. Thank you. | I hate that you are right.
        dm.patch.6 = That is what friends are for. | Any time.

        dm.photo.1 = May I use your picture of the {dm.bird} for the newsletter? | The print arrived. It is even better on paper.
        dm.photo.2 = With pleasure. Full size? | I am so glad. Where will it hang?
        dm.photo.3 = Whatever you have. Credit as always? | Above the stove, where I can see it every morning.
        dm.photo.4 = Just the name, thank you. | Then it has the best place in the house.

        dm.group.1 = Right, who is in? High water is at nine, so we should be on the sea wall by eight.
        dm.group.2 = In. I can take three, four if nobody minds the scope on their knees.
        dm.group.3 = Count me in, with bread. | In! I bring bread.
        dm.group.4 = I might be ten minutes late, the ferry decides.
        dm.group.5 = Then we begin with the bread.
        dm.group.6 = Has anybody seen the short-eared owls this winter?
        dm.group.7 = Two on Tuesday, at dusk, by the old pump house. | Not me, but I have heard of two by the pump house.
        dm.group.8 = Then we stay until dusk. I will tell my family not to wait.
        dm.group.9 = Weather says grey and still. Perfect.

        dm.stranger = Hello, we do not know each other. I read your note about the marsh and wondered whether you would speak to our small club. | Hi! Your list of relays was kind of you to share. May I ask how you choose them? | Sorry to write out of the blue: are you the Linnea who taught at the music school?
        dm.spam = CONGRATULATIONS dear friend, your airdrop of SHINY is waiting, only today!! | Your wallet was selected. Claim your airdrop before midnight. | Last chance for the airdrop, everybody is already rich.

        dm.reply = Just saw this. Yes! | Let me think about it over tea. | Ha, I was about to write you the same. | Good to hear from you.
          | Can I call you {dm.day}? | That made my day, thank you. | I am on the train, more tonight. | Of course. | {dm.counter}
        dm.counter = And how is the garden? | And how are you, honestly? | Did the loaf work out in the end? | What does your weekend look like?
        """
}
