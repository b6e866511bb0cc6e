// The façade: its members are the services.
extension LiveAccount {
    public nonisolated var timeline: any TimelineReading { services.timeline }
    public nonisolated var people: any PeopleReading { services.people }
    public nonisolated var publishing: any NotePublishing { services.publishing }
    public nonisolated var mining: any WorkControl { services.publishing.mining }
    public nonisolated var profile: any ProfileEditing { services.profile }
    public nonisolated var follows: any Following { services.follows }
    public nonisolated var network: any NetworkReporting {
        let services = services
        return NetworkReports(
            services.context, gossip: services.gossip, people: services.people, home: services.home
        ) {
            await services.publishing.waiting + services.delivery.waiting
        }
    }
}
