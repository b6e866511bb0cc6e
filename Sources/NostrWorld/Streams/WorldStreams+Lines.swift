extension WorldStreams {
    /// What people of the chats say.
    static let lines = [
        "good morning from the hill", "is that a heron on the left?", "I have my coffee, go on",
        "the sound is clear today", "who else is here from the mountains?", "that boat again!",
        "can you turn the camera a little?", "the light is lovely", "I can only listen, I am kneading",
        "hello everybody", "two gulls, one sandwich", "how cold is it where you are?", "I missed the beginning",
        "somebody please write down the name of that ship", "this is the best hour of my week",
        "the wind takes half the words", "back from the garden", "third cup", "we hear you well",
        "my cat watches too", "what is that bell?", "greetings from the night shift", "the tide is turning",
        "somebody waved!", "the picture stood still for a moment, now it is fine", "that was a seal, I am sure",
    ]
    /// What somebody says again and again.
    static let spam = "FREE GULLS at gulls.example, only today"
    /// What somebody says whom the demo person muted.
    static let unwanted = "nobody wants to see your harbour"
}
