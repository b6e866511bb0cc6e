extension JSONWriter {
    /// Appends tags as an array of arrays of strings.
    mutating func tags(_ tags: [Tag]) {
        list(tags) { writer, tag in
            writer.list(tag.elements) { writer, element in writer.string(element) }
        }
    }
}
