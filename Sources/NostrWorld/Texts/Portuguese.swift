extension Phrases {
    /// What Portuguese-speaking people of the world say.
    static let portuguese = """
        quando = hoje cedo | ontem à noite | no caminho de casa | antes do café | ao entardecer
        birds.note = {o.frase} | {o.frase} {o.mais} | {o.pergunta}
        o.frase = {o.Um} {o.onde}, {quando}. | Vi {o.um} {o.onde} {quando}.
        o.Um = Um guarda-rios | Duas poupas | Um bando de pintassilgos | Um pisco muito sério | Uma garça
        o.um = um guarda-rios | uma poupa | um pintarroxo | duas cegonhas | uma garça
        o.onde = perto do moinho | na salina | no pomar velho | em cima da igreja | à beira do rio
        o.mais = O café arrefeceu e valeu a pena. | Sem foto, só alegria. | Primeiro do ano. | É por isto que acordo cedo.
        o.pergunta = O que põem no comedouro quando faz frio? | Alguém faz lista das aves impossíveis nos filmes?
        birds.reply = Que sorte! | {o.mais} | Aqui só pombos, mas simpáticos. | Havia outro?
        music.note = {m.frase} {m.mais} | {m.pergunta} | {m.frase}
        m.frase = Ensaiei um choro {quando}. | Toquei acordeão emprestado na praça. | A gravar no telemóvel: horrível e viva.
        m.mais = O vizinho bateu à porta e perguntou o nome da música. | Rimos mais do que cantámos. | Desafina no compasso 42, como toda a gente.
        m.pergunta = Que música toca quem só tem cinco minutos? | Um disco para voltar a pé para casa?
        music.reply = {m.mais} | Quero ouvir. | Falta-nos um baixo, só digo isto.
        day.note = {d.ola} | {d.frase} {d.mais} | {d.pergunta}
        d.ola = Bom dia do comboio lento. | Primeiro café na varanda desde outubro. | Domingo: sopa, sofá, silêncio. | Chuva no telhado, correio por abrir.
        d.frase = O padeiro deu-me o croissant feio. | Uma criança explicou-me as gruas. | A fonte voltou a correr.
        d.mais = É só isto. | Bom dia. | Vou guardar. | E por aí?
        d.pergunta = O que vai ser o jantar? Tenho alho-francês. | Que rua merece uma canção?
        day.reply = Ganhei o dia. | {d.mais} | Bom dia da colina. | Caldo verde, sempre.
        reply.short = Isso mesmo. | Obrigado. | Que bonito. | A sério? | Mais disto. | 😂 | 👏
        reply.back = Obrigada! | Demorou, mas sim. | Vejo em casa. | Apanhaste-me. | Talvez os dois?
        quote.words = Isto, por favor, e devagar. | Pouca gente viu isto.
        greet = {who}, vais gostar disto. | {who} tinha razão. | Obrigado a {who} pela dica.
        bio.line = {bio.a}. {bio.b}. | {bio.a}. | {bio.b}.
        bio.a = Professora | Carpinteiro | Enfermeira da noite | Padeiro desde 1998 | Tradutora | Escrevo programas pequenos | Livreira
        bio.b = Aqui pelas aves | Acredito na sopa | Coleciono palavras para a chuva | Sempre de bicicleta | Respondo a cartas
        """
}
