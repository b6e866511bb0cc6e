extension Phrases {
    /// What French-speaking people of the world say.
    static let french = """
        quand = ce matin | hier soir | en rentrant | avant le petit déjeuner | au crépuscule
        birds.note = {o.phrase} | {o.phrase} {o.plus} | {o.question}
        o.phrase = {o.Un} {o.ou}, {quand}. | Vu {o.un} {o.ou} {quand}. | On entend {o.un} {o.ou} et personne ne lève la tête.
        o.Un = Un martin-pêcheur | Deux huppes | Une pie-grièche | Un vol de chardonnerets | Un cincle
        o.un = un martin-pêcheur | une huppe | un rouge-gorge très sérieux | deux cigognes | une linotte
        o.ou = près du moulin | le long du canal | au-dessus du marais | dans le verger | sur le clocher
        o.plus = Le café a refroidi, tant pis. | Pas de photo, juste la joie. | Premier de l'année. | C'est pour ça que je me lève tôt.
        o.question = Que donnez-vous aux mésanges quand il gèle une semaine ? | Vous notez aussi les oiseaux impossibles dans les films ?
        birds.reply = Quelle chance ! | {o.plus} | Ici, que des pigeons. De bons pigeons. | Il y en avait un deuxième ?
        bread.note = {b.phrase} {b.plus} | {b.question} | {b.phrase}
        b.phrase = La miche du dimanche a chanté dix minutes sur la grille. | Pain de seigle {quand}, plat, dense et délicieux. | La brioche n'a pas eu le temps de refroidir.
        b.plus = Trente-six heures au froid. | Moins de levure, plus de temps. | Oublié le sel. Une seule fois. | Toute la rue le sait.
        b.question = Mon levain sent le vernis à ongles : il a faim ? | Vous attendez vraiment qu'il refroidisse ?
        bread.reply = Cette croûte ! | La recette, lentement. | {b.plus} | Coupe-le, on veut voir la mie.
        books.note = {l.phrase} {l.plus} | {l.question}
        l.phrase = Fini un roman de phare {quand}. | Trouvé un atlas des îles dans la boîte à livres. | Relu les lettres de deux jardiniers.
        l.plus = J'ai raté ma station. | La page 112 ne me quitte pas. | Trop d'adverbes, tant de cœur. | J'ai rationné le dernier chapitre.
        l.question = Un livre court pour gens fatigués ? | Vous choisissez aussi par traducteur ?
        books.reply = {l.plus} | Sur la pile. La pile est devenue un meuble. | C'est triste ? Je dois savoir.
        day.note = {j.salut} | {j.phrase} {j.plus} | {j.question}
        j.salut = Bonjour du train lent. | Premier café au balcon depuis octobre. | Dimanche : soupe, canapé, chaussettes. | Pluie sur le toit, courrier fermé.
        j.phrase = La boulangère m'a donné le croissant moche. | Un enfant m'a expliqué les grues. | La fontaine coule de nouveau. | Tout le tram a dit bonjour.
        j.plus = C'est tout. | Bonne journée. | Je garde ça. | Et vous ?
        j.question = Vous mangez quoi ce soir ? J'ai des poireaux. | Quelle rue mérite une chanson ?
        day.reply = Tu me sauves la journée. | {j.plus} | Bonjour de la colline. | Poireaux vinaigrette, toujours.
        reply.short = Exactement. | Merci. | C'est beau. | Je note. | Vraiment ? | Encore. | 😂 | 👏
        reply.back = Merci ! | Ça a pris du temps, mais oui. | Je regarde à la maison. | Démasqué. | Les deux ?
        quote.words = Ceci, s'il vous plaît, et lentement. | Trop peu de gens ont vu ça.
        greet = {who}, c'est pour toi. | {who} avait raison. | Merci à {who} pour le conseil.
        bio.line = {bio.a}. {bio.b}. | {bio.a}. | {bio.b}.
        bio.a = Institutrice | Menuisier | Infirmière de nuit | Boulanger depuis 1998 | Traductrice | Luthier | J'écris de petits logiciels | Libraire
        bio.b = Ici pour les oiseaux | Croit à la soupe | Collectionne les mots de la pluie | Toujours à vélo | Répond aux lettres
        """
}
