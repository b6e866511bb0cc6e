internal import Foundation
internal import Mustache

/// The templates, parsed once.
struct Templates: Sendable {
    private let library: MustacheLibrary

    /// Reads all templates of the program.
    init() throws {
        guard let folder = Bundle.module.url(forResource: "Templates", withExtension: nil) else {
            throw ResourceMissing(name: "Templates")
        }
        var templates: [String: MustacheTemplate] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard file.pathExtension == "mustache" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8).replacing(
                "@assets", with: Assets.address)
            templates[file.deletingPathExtension().lastPathComponent] = try MustacheTemplate(string: text)
        }
        library = MustacheLibrary(templates: templates)
    }

    /// Fills in a template.
    func render(_ name: String, _ values: Any) -> HTML {
        guard let text = library.render(values, withTemplate: name) else {
            preconditionFailure("there is no template \(name)")
        }
        return HTML(markup: text)
    }
}
