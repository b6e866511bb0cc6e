public import NostrStore
public import ViewModels

/// A store tells in plain words why it failed; screens show them.
extension StoreError: SpokenError {}
