/// Watches relays for requests to signers that sleep, and wakes their devices.
public enum PushProxy {}
