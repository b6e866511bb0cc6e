/// The last so many distinct elements.
struct RecentSet<Element: Hashable & Sendable>: Sendable {
    private var elements: Set<Element> = []
    private var order: [Element] = []
    private var oldest = 0
    private let capacity: Int

    /// - Parameter capacity: at least 1.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// Adds an element, forgetting the oldest when full; `false` when it was there.
    mutating func insert(_ element: Element) -> Bool {
        guard elements.insert(element).inserted else { return false }
        if order.count < capacity {
            order.append(element)
        } else {
            elements.remove(order[oldest])
            order[oldest] = element
            oldest = (oldest + 1) % capacity
        }
        return true
    }

    func contains(_ element: Element) -> Bool {
        elements.contains(element)
    }
}
