extension Phrases {
    /// What German-speaking people of the world say.
    static let german = """
        wann = heute früh | gestern Abend | auf dem Heimweg | kurz nach Sonnenaufgang | am Wochenende | zwischen zwei Schauern
        birds.note = {v.satz} | {v.satz} {v.dazu} | {v.frage}
        v.satz = {v.Eins} {v.wo}, {wann}. | {wann2} {v.eins} {v.wo} gesehen. | Eine Stunde gezählt {v.wo}: {v.eins}, {v.eins} und {v.eins}.
        wann2 = Heute | Gestern | Am Sonntag | Eben
        v.Eins = Ein Eisvogel | Zwei Kraniche | Ein Gartenrotschwanz | Eine Wasseramsel | Ein Trupp Seidenschwänze | Ein Wendehals
        v.eins = einen Eisvogel | zwei Kraniche | einen Kleiber | eine Schleiereule | drei Kiebitze | einen Bluthänfling | einen sehr lauten Zaunkönig
        v.wo = am Mühlbach | über den Wiesen | hinterm Bahndamm | im alten Obstgarten | am Futterhaus | auf dem Kirchturm | im Moor
        v.dazu = Der Kaffee ist dabei kalt geworden, war es wert. | Kein Foto, nur Freude. | Jahresliste: {v.zahl}. | Ich stand da wie angewurzelt.
          | Die Hunde hat es nicht gekümmert. | Dafür stehe ich gern um fünf auf.
        v.zahl = 87 | 96 | 112 | 131
        v.frage = Fitis oder Zilpzalp, wenn keiner singt: woran erkennt ihr sie? | Was füttert ihr bei Dauerfrost?
          | Wer kennt ein gutes Mittel gegen Vogelschlag an großen Fenstern?
        birds.reply = Schön! Bei uns waren sie letzte Woche. | War ein zweiter dabei? | {v.dazu} | Neid. Hier nur Tauben, aber nette.

        bread.note = {b.satz} {b.dazu} | {b.frage} | {b.satz}
        b.satz = {b.Brot} ist {b.wie}. | {wann2} {b.brot} gebacken. | Nach drei Versuchen: {b.brot}, und zwar richtig.
        b.Brot = Das Roggenbrot | Der Sauerteig | Das Dinkelkastenbrot | Die Seelen | Der Zopf
        b.brot = ein Roggenmischbrot | Laugenbrezeln | ein Kartoffelbrot | Schusterjungen | einen Hefezopf
        b.wie = aufgegangen wie auf Bestellung | flach, dicht und trotzdem gut | weg, bevor es kalt war | im Korb kleben geblieben, samt meinem Stolz
        b.dazu = 36 Stunden kalte Gare. | Weniger Hefe, mehr Zeit. | Im alten Gusstopf gebacken. | Einmal das Salz vergessen. Nur einmal. | Die ganze Straße riecht danach.
        b.frage = Mein Anstellgut riecht nach Nagellack. Hunger? | Wie lange lasst ihr das Brot wirklich auskühlen? Ehrlich bitte.
        bread.reply = Diese Kruste! | Rezept bitte, und langsam zum Mitschreiben. | {b.dazu} | Anschneiden! Wir wollen die Krume sehen.

        code.note = {c.satz} {c.dazu} | {c.satz} | {c.frage} | {c.fakt}
        c.satz = {c.Ding} gelöscht, und nichts ging kaputt. | Den ganzen Nachmittag mit {c.mit} verbracht. | Erst der Test, dann der Rest: {c.Ding} ist fertig.
        c.Ding = Die Migration | Eine Funktion mit 400 Zeilen | Den Parser | Das Bauskript
        c.mit = einem wackligen Test | der Zeitzonenlogik | dem Cache | einer Fehlermeldung ohne Inhalt
        c.dazu = Es war der Cache. | Langweiliger Code ist ein Geschenk. | Der Compiler hatte recht und war unhöflich dabei. | Das Schönste ist der Diff: fast alles rot.
        c.fakt = Eine Sicherung, die nie zurückgespielt wurde, ist ein Gerücht. | Jede Warteschlange ohne Grenze ist ein Versprechen, das man nicht hält.
          | Jeder Netzaufruf braucht ein Ende. Das ist die billigste Freundlichkeit im Beruf.
        c.frage = Womit zeichnet ihr Diagramme, die den nächsten Umbau überleben? | Wie heißt das Ding, das kein Manager ist?
        code.reply = {c.dazu} | {c.fakt} | Hast du gemessen? | Würde ich gern länger lesen.

        day.note = {t.gruss} | {wann2} {t.klein}. {t.dazu} | {t.frage} | {t.klein2}. {t.dazu}
        t.gruss = Guten Morgen aus dem Regionalzug. | Erster Kaffee auf dem Balkon seit Oktober. | Moin. Nieselregen, Brötchen, alles gut.
          | Feierabend, Fahrrad, Fluss. | Sonntag: Suppe, Sofa, Socken.
        t.klein = hat der Busfahrer gesummt | hat mir ein Kind Kräne erklärt | gab es das hässliche Croissant umsonst | saß eine Katze auf der Wahlurne
          | hat die ganze Tram gegrüßt
        t.klein2 = Auf dem Markt riecht es nach Dill | Der Brunnen läuft wieder | Jemand hat dem Bronzehund einen Schal gestrickt
        t.dazu = Mehr nicht. | Guter Tag. | Das behalte ich. | Und bei euch?
        t.frage = Wie ist euer Wetter, in einem Wort? | Was kocht ihr heute? Ich habe Lauch. | Welche Straße in eurer Stadt verdient ein Lied?
        day.reply = Guten Morgen zurück vom Berg. | Das hat mir den Tag gerettet. | {t.dazu} | Lauchkuchen, immer.

        nostr.note = {n.satz} | {n.satz} {n.dazu} | {n.frage}
        n.satz = Meine Relayliste von vierzehn auf vier gekürzt. | Ein kleines Relay für den Chor aufgesetzt. | Tote Relays ausgekehrt. Die Leute sind noch da.
          | Schreib, wo deine Liste steht, lies, wo ihre steht. Mehr ist es nicht.
        n.dazu = Am Feed hat sich nichts geändert, was zu beweisen war. | Der Schlüssel ist das Konto. | Läuft jetzt neben dem Brotkasten. | Es ist ruhig hier. Ich mag das.
        n.frage = Wie viele Relays habt ihr in der Liste, ehrlich? | Wie erklärt ihr Schlüssel jemandem, der nur eine Katze posten will?
        nostr.reply = Vier reichen. | {n.dazu} | Genau so. | Mein Onkel hat das auch gefragt. Ich habe zwei Kästen und einen Pfeil gemalt.

        reply.short = Ja, genau. | Danke! | Sehr schön. | Gemerkt. | Echt? | Mehr davon. | Kenn ich. | 😄 | 👏
        reply.back = Danke dir! | Hat gedauert, aber ja. | Schau ich zu Hause nach. | Erwischt. | Bericht folgt. | Vielleicht beides?
        quote.words = Das hier, bitte, und langsam. | Sollte man einmal gelesen haben. | Zu wenige haben das gesehen.
        greet = {who}, das ist was für dich. | {who} hatte recht. | Frag {who}, die Fachfrau hier. | Danke an {who} für den Tipp.
        bio.line = {bio.a}. {bio.b}. | {bio.a}, {bio.c}. | {bio.b}.
        bio.a = Lehrerin | Tischler | Fährt Züge | Pfleger im Nachtdienst | Gärtnerin | Programmiert Leises | Übersetzerin | Bäckt seit 1998 | Geologin | Geigenbauer
        bio.b = Mag Hecken, Häfen und Leute, die Schilder lesen | Sammelt Wörter für Regen | Meistens wegen der Vögel hier | Glaubt an Suppe | Schreibt Briefe zurück
        bio.c = hält Bienen | repariert | schaut nach oben | singt zweiten Alt | schwimmt das ganze Jahr
        """
}
