internal import NostrSigner

/// The services of an account that need no unlocked key, put together.
///
/// The order of the initialiser is the order in which they stand on each other. One property for each service: an account
/// has many, and nothing else is done with them here.
public struct AccountServices: Sendable {
    /// What all of them stand on.
    public let context: AccountContext
    /// Who writes and reads where.
    public let gossip: Gossip
    /// What the account publishes.
    public let publishing: Publishing
    /// The account's own replaceable events.
    public let replaceable: ReplaceableEvents
    /// What the account does not want to see.
    public let mutes: MutesInForce
    /// The account's lists, and what follows from them.
    public let lists: Lists
    /// Whether the names people claim are theirs.
    public let names: NameChecks
    /// People as the account sees them.
    public let people: People
    /// The account's own profile.
    public let profile: Profile
    /// Whom the account follows.
    public let follows: Follows
    /// The account's own relay list.
    public let ownRelays: OwnRelays
    /// Notes as pages show them.
    public let timeline: Timeline
    /// Reactions by what they mean, and the account's emoji.
    public let reactions: Reactions
    /// Topics and people that much is made of.
    public let trends: Trends
    /// What people the account follows reported.
    public let reports: ReportReader
    /// Apps for kinds that Linnet does not show.
    public let apps: AppFinder
    /// Articles of everybody, and the account's own.
    public let articles: Articles
    let home: HomeTimeline
    let inbound: InboundLedger
    let zaps: Zaps
    /// Live streams and their chats.
    public let streams: LiveStreams
    /// Polls, and the account's votes.
    public let polls: Polls
    /// What concerns the account.
    public let notifications: Notifications
    /// Previews of pages that notes link to.
    public let previews: LinkPreviews
    /// The account's files on media servers.
    public let files: Files
    /// GIFs that others published.
    public let gifs: Gifs
    /// Pictures of others, for the account's pages.
    public let pictures: PictureCache
    /// Films and sounds of others, for the account's pages.
    public let recordings: Recordings
    /// Notes that wait for their signer.
    public let unsigned: UnsignedNotes
    /// Gift wraps on their way out, and coming in.
    let delivery: WrapDelivery, inbox: Inbox

    init(_ context: AccountContext, signer: (any EventSigner)?) {
        self.context = context
        gossip = Gossip(context)
        publishing = Publishing(context, signer: signer, gossip: gossip)
        replaceable = ReplaceableEvents(context, gossip: gossip, publishing: publishing)
        mutes = MutesInForce()
        lists = Lists(context, gossip: gossip, publishing: publishing, replaceable: replaceable, mutes: mutes)
        names = NameChecks(context, gossip: gossip)
        people = People(context, gossip: gossip, mutes: mutes, names: names)
        profile = Profile(context, replaceable: replaceable, publishing: publishing)
        follows = Follows(context, gossip: gossip, replaceable: replaceable, publishing: publishing)
        ownRelays = OwnRelays(context, gossip: gossip, replaceable: replaceable, publishing: publishing)
        inbound = InboundLedger()
        home = HomeTimeline(context, gossip: gossip, publishing: publishing, inbound: inbound)
        zaps = Zaps(context, people: people)
        polls = Polls(context, gossip: gossip, publishing: publishing, mutes: mutes, zaps: zaps)
        notifications = Notifications(context, gossip: gossip, people: people, mutes: mutes, zaps: zaps)
        timeline = Timeline(
            context, gossip: gossip, people: people, mutes: mutes, publishing: publishing, home: home, zaps: zaps,
            polls: polls)
        articles = Articles(context, gossip: gossip, publishing: publishing, replaceable: replaceable)
        streams = LiveStreams(
            context, gossip: gossip, people: people, mutes: mutes, publishing: publishing, zaps: zaps)
        reactions = Reactions(
            context, gossip: gossip, publishing: publishing, lists: lists, people: people, mutes: mutes)
        trends = Trends(context, gossip: gossip, people: people, mutes: mutes)
        reports = ReportReader(context, gossip: gossip, people: people, mutes: mutes)
        apps = AppFinder(context, gossip: gossip, people: people, mutes: mutes, home: home)
        previews = LinkPreviews(context)
        files = Files(context, gossip: gossip, publishing: publishing, replaceable: replaceable)
        gifs = Gifs(context, gossip: gossip, mutes: mutes, files: files)
        pictures = PictureCache(context)
        recordings = Recordings(context)
        unsigned = UnsignedNotes(context, publishing: publishing)
        let routes = InboxRoutes(context, gossip: gossip)
        delivery = WrapDelivery(context, gossip: gossip, routes: routes)
        inbox = Inbox(context, gossip: gossip, routes: routes, delivery: delivery, inbound: inbound)
        mutes.renew { [lists] in await lists.readInForce() }
    }

    /// Does the work of all of them with relays until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await gossip.run() }
            group.addTask { await home.run() }
            group.addTask { await timeline.run() }
            group.addTask { await people.run() }
            group.addTask { await zaps.run() }
            group.addTask { await streams.run() }
            group.addTask { await polls.run() }
            group.addTask { await notifications.run() }
            group.addTask { await apps.run() }
            group.addTask { await previews.load() }
            group.addTask { await publishing.run() }
            group.addTask { await lists.run() }
            guard publishing.signer != nil else { return }
            group.addTask { await unsigned.run() }
            group.addTask { await files.run() }
            group.addTask { await inbox.run() }
            group.addTask { await delivery.run() }
        }
    }
}
