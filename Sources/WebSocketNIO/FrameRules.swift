import NIOCore
import NIOWebSocket

/// What breaks the protocol in a frame that came.
enum FrameError: Error, Equatable {
    /// A client's frame without a mask, or a server's with one.
    case wrongMasking
    /// A reserved bit, which only an extension may set, and none was agreed on.
    case reservedBit
    /// An opcode that no standard defines.
    case unknownOpcode
    /// A goodbye whose code is cut off or may not be sent.
    case badCloseCode
    /// Text, or the words of a goodbye, that is no UTF-8.
    case notUTF8

    /// The code that the goodbye to such a peer carries.
    ///
    /// Source: RFC 6455 §7.4.1.
    var code: WebSocketErrorCode { self == .notUTF8 ? .dataInconsistentWithMessage : .protocolError }
}

/// Passes on only frames that keep RFC 6455; NIO's decoder leaves these rules to whoever knows the extensions.
///
/// After the first frame that breaks one, nothing more of the peer is read: its stream cannot be trusted.
final class FrameRules: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    private let wantsMasks: Bool
    private var isBroken = false

    /// - Parameter wantsMasks: `true` on the server's side. Source: RFC 6455 §5.1.
    init(wantsMasks: Bool) {
        self.wantsMasks = wantsMasks
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        if let error = violation(in: Self.unwrapInboundIn(data)) {
            isBroken = true
            context.fireErrorCaught(error)
        } else {
            context.fireChannelRead(data)
        }
    }

    private func violation(in frame: WebSocketFrame) -> FrameError? {
        if (frame.maskKey != nil) != wantsMasks { return .wrongMasking }
        if frame.rsv1 || frame.rsv2 || frame.rsv3 { return .reservedBit }
        switch frame.opcode {
        case .continuation, .text, .binary, .ping, .pong: return nil
        case .connectionClose: return Self.violation(inGoodbye: frame.unmaskedData)
        default: return .unknownOpcode
        }
    }

    /// Source: RFC 6455 §5.5.1 and §7.4; 1012 to 1014 stand in IANA's registry of close codes.
    private static func violation(inGoodbye payload: ByteBuffer) -> FrameError? {
        var payload = payload
        guard payload.readableBytes > 0 else { return nil }
        guard let code = payload.readInteger(as: UInt16.self) else { return .badCloseCode }
        switch code {
        case 1000...1003, 1007...1014, 3000...4999:
            return isUTF8(Array(payload.readableBytesView)) ? nil : .notUTF8
        default: return .badCloseCode
        }
    }
}

/// Whether bytes are UTF-8.
func isUTF8(_ bytes: [UInt8]) -> Bool {
    // Where they are not does not matter.
    (try? UTF8Span(validating: bytes.span)) != nil
}
