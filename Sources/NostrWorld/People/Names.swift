/// A person's name: as shown, and as a handle of plain letters.
struct PersonName: Hashable {
    var full: String
    var handle: String
}

extension Language {
    /// Draws a name that fits the language.
    func name(using dice: inout Dice) -> PersonName {
        let first = Self.words(firstNames)
        let last = Self.words(lastNames)
        let a = dice.pick(first, or: "Alva")
        let b = dice.pick(last, or: "Lind")
        guard self == .japanese else {
            return PersonName(full: "\(a) \(b)", handle: Self.handle(a, b, using: &dice))
        }
        // Written as kanji:romaji.
        let (given, family) = (a.split(separator: ":"), b.split(separator: ":"))
        let full = "\(family.first ?? "")\(given.first ?? "")"
        return PersonName(
            full: full, handle: Self.handle(String(given.last ?? ""), String(family.last ?? ""), using: &dice))
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
    }

    private static func handle(_ first: String, _ last: String, using dice: inout Dice) -> String {
        let (a, b) = (plain(first), plain(last))
        switch dice.whole(0...6) {
        case 0: return a
        case 1: return "\(a).\(b)"
        case 2: return "\(a)\(b.prefix(1))"
        case 3: return "\(b)\(dice.whole(2...99))"
        case 4: return "\(a)_\(b)"
        case 5: return "\(a.prefix(1))\(b)"
        default: return "\(a)\(dice.pick(["bird", "writes", "bakes", "outside", "offgrid", "byfoot"], or: ""))"
        }
    }

    /// Lowercase letters without marks.
    private static func plain(_ text: String) -> String {
        let marks: [Character: String] = [
            "á": "a", "à": "a", "ã": "a", "â": "a", "ä": "ae", "å": "a", "é": "e", "è": "e", "ê": "e", "ë": "e",
            "í": "i", "ï": "i", "ó": "o", "ô": "o", "õ": "o", "ö": "oe", "ø": "o", "ú": "u", "ü": "ue", "ñ": "n",
            "ç": "c", "ß": "ss", "'": "", "ı": "i",
        ]
        return text.lowercased().map { marks[$0] ?? String($0) }.joined()
    }

    private var firstNames: String {
        switch self {
        case .english:
            """
            Ada Alva Amara Asha Beatrix Bryn Callum Cleo Dara Devi Edith Elowen Emeka Esme Ewan Fern Fiadh Finn Freya Gwen
            Hamish Hattie Idris Imogen Iona Isla Ivo Jago Jonah Joss Kavi Keir Lena Lowri Mabel Magnus Maeve Merryn Mina Morag
            Nia Noor Orla Oscar Otis Pearl Priya Quinn Ravi Rhys Roisin Rowan Rufus Saoirse Selma Silas Sorcha Tamsin Tariq
            Theo Tilda Una Vera Wilf Yara Zadie
            """
        case .german:
            """
            Anke Annika Bastian Birte Clara Elke Emil Franziska Frieda Gesine Greta Hannes Henrike Ida Jakob Jette Johanna
            Jonas Käthe Kilian Lasse Leni Lorenz Malte Marit Matthis Mette Nele Ole Oskar Paula Rieke Svenja Thies Tjark Wiebke
            """
        case .spanish:
            "Aitana Alba Álvaro Amaia Bruno Carmen Daniela Elena Gael Inés Iker Jimena Lola Lucía Mateo Nerea Nicolás Olivia Pablo Pilar Rocío Sofía Tomás Unai Valeria"
        case .french:
            "Agathe Anaïs Baptiste Camille Clémence Élise Étienne Gaspard Hélène Jeanne Joséphine Léo Léonie Lucien Maëlle Margaux Mathis Noémie Océane Rémi Solène Théo Violette"
        case .portuguese:
            "Afonso Beatriz Benedita Caetano Catarina Duarte Francisca Gonçalo Inês Joana João Lourenço Mafalda Matilde Rita Salvador Teresa Tomé Vasco"
        case .japanese:
            "葵:aoi 蓮:ren 陽菜:hina 湊:minato 凛:rin 大和:yamato 結衣:yui 樹:itsuki 紬:tsumugi 悠真:yuma 美咲:misaki 直樹:naoki 千尋:chihiro 健太:kenta 桜:sakura 光:hikaru"
        }
    }

    private var lastNames: String {
        switch self {
        case .english:
            """
            Ashdown Barrow Birch Blackwood Brook Calder Carrick Chandra Cole Darrow Drummond Ekwueme Fairley Fenn Finch Fletcher
            Garrow Glenn Hale Harrow Hart Hazell Holm Hughes Ingram Kaur Kerr Kestle Lark Linden Lockhart MacRae Marlow Mistry
            Moss Nair Nightingale O'Dowd Okafor Osei Pascoe Penrose Pike Quill Rao Reed Rook Rowe Sallow Sayer Sinclair Thorne
            Tregear Underhill Vale Wainwright Ward Weaver Wells Whitlock Winter Yarrow
            """
        case .german:
            """
            Ahlers Bergmann Böhme Brandt Claasen Dietz Eggers Feddersen Förster Gärtner Hansen Harms Hinrichs Jansen Jürgens
            Kessler Köhler Lüders Meinert Neumann Ohlsen Petersen Quandt Reimers Sander Schäfer Seidel Tönnies Vogel Wendt Zander
            """
        case .spanish:
            "Aguirre Álvarez Barrios Benítez Campos Castaño Domínguez Etxeberria Fuentes Gallardo Herrero Iglesias Lozano Marín Montes Navarro Olmedo Peña Quiroga Robles Salas Vega Zamora"
        case .french:
            "Aubert Barbier Bellanger Chevalier Delmas Dubois Fontaine Garnier Guérin Hébert Lacroix Lambert Lefèvre Marchand Moreau Noël Perrin Renard Rousseau Tessier Vidal"
        case .portuguese:
            "Almeida Azevedo Barbosa Carvalho Coelho Esteves Falcão Figueiredo Lourenço Magalhães Moreira Nogueira Oliveira Pinheiro Queirós Ribeiro Salgueiro Tavares"
        case .japanese:
            "小林:kobayashi 山本:yamamoto 中村:nakamura 石川:ishikawa 清水:shimizu 森:mori 池田:ikeda 橋本:hashimoto 藤田:fujita 岡田:okada 長谷川:hasegawa 西村:nishimura 松本:matsumoto 原:hara"
        }
    }
}
