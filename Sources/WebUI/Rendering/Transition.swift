internal import Hummingbird
internal import NostrCore
internal import ViewModels

// What pages that still use templates call; goes with the last of them.

func completionValues(_ found: [Completion], _ house: House, _ context: WebContext) -> [[String: Any]] {
    let style = house.noteStyle(context)
    return found.enumerated().map { index, completion in
        switch completion {
        case .person(let person):
            [
                "index": index, "isPerson": true, "person": PersonFields(person: person, style: style, isOwn: false),
                "insert": "@" + person.name, "name": person.name, "key": person.key.hex, "label": person.handle,
            ]
        case .emoji(let emoji, let name):
            ["index": index, "isPerson": false, "insert": emoji, "name": emoji, "key": "", "label": ":\(name):"]
        }
    }
}

/// Where a form wants to go back to: a path of this program.
func backPath(_ context: WebContext, else fallback: String) -> String {
    let path = context.form["back"]
    let isOurs =
        path.hasPrefix("/") && !path.hasPrefix("//")
        && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    return isOurs ? path : fallback
}

/// The receipts of a note for templates.
func receiptValues(_ receipts: [ReceiptItem], _ house: House) -> [String: Any] {
    let accepted = receipts.count { if case .accepted = $0.standing { true } else { false } }
    let rows = receipts.map { receipt -> [String: Any] in
        let (state, words): (String, String) =
            switch receipt.standing {
            case .accepted: ("accepted", "Accepted")
            case .waiting: ("waiting", "Will be offered again")
            case .givenUp: ("given-up", "Given up")
            }
        return [
            "relay": receipt.relay, "purpose": receipt.purpose, "state": state, "words": words,
            "answer": receipt.answer, "hasAnswer": !receipt.answer.isEmpty,
        ]
    }
    return ["receipts": rows, "accepted": accepted, "asked": receipts.count, "hasReceipts": !receipts.isEmpty]
}

/// Sends the browser on with GET (post, redirect, get).
func redirect(to path: String) -> Response {
    Response(status: .seeOther, headers: [.location: path])
}
