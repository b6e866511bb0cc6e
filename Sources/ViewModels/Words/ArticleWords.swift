/// What is said about articles.
package enum ArticleWords {
    static let untitled = "Untitled"
    package static let missing = "None of the relays that were asked has this article."
    package static let noArticle = "This is not the address of an article."
    package static func minutes(_ count: Int) -> String { "\(count) min read" }
}
