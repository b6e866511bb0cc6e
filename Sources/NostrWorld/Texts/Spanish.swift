extension Phrases {
    /// What Spanish-speaking people of the world say.
    static let spanish = """
        cuando = esta mañana | anoche | al volver a casa | antes del desayuno | al atardecer | ayer
        birds.note = {p.frase} | {p.frase} {p.mas} | {p.pregunta}
        p.frase = {p.Uno} {p.donde}, {cuando}. | He visto {p.uno} {p.donde} {cuando}. | Se oye {p.uno} {p.donde} y nadie más mira hacia arriba.
        p.Uno = Un martín pescador | Dos abubillas | Un alcaudón | Una bandada de jilgueros | Un mirlo acuático
        p.uno = un martín pescador | una abubilla | un petirrojo muy serio | dos cigüeñas | un pardillo | un cernícalo
        p.donde = junto al molino | en la acequia | sobre los campos | en el olivar | en la torre de la iglesia | en la marisma
        p.mas = Se me enfrió el café y valió la pena. | Sin foto, solo alegría. | Primera del año. | Por esto madrugo.
        p.pregunta = ¿Qué ponéis en el comedero cuando hiela? | ¿Prismáticos 8x32 o 10x42 para quien más bien pasea?
        birds.reply = ¡Qué suerte! | {p.mas} | Aquí solo palomas, pero simpáticas. | ¿Había otra más?
        garden.note = {h.frase} {h.mas} | {h.pregunta} | {h.frase}
        h.frase = Los tomates han decidido ser árboles. | Planté ajos {cuando}. | La higuera está feliz y no sé por qué. | Recogí las primeras habas {cuando}.
        h.mas = La espalda tiene opiniones. | Un petirrojo lo supervisó todo. | La tierra huele a bizcocho. | Caracoles 1, yo 0.
        h.pregunta = ¿Es tarde para sembrar acelgas? | ¿Alguien cambia semillas de guisante?
        garden.reply = Aquí igual. | {h.mas} | Foto cuando dé fruto, por favor. | Prueba con ceniza, poca y a menudo.
        day.note = {d.hola} | {d.frase} {d.mas} | {d.pregunta}
        d.hola = Buenos días desde el tren lento. | Primer café en el balcón desde octubre. | Domingo: sopa, sofá, silencio. | Lluvia en el tejado y el correo sin abrir.
        d.frase = El panadero me regaló el cruasán feo. | Un niño me explicó las grúas. | Todo el tranvía dio los buenos días. | La fuente vuelve a correr.
        d.mas = Nada más. | Me lo guardo. | Buen día. | ¿Y vosotros?
        d.pregunta = ¿Qué cenáis hoy? Tengo puerros. | ¿Qué calle de tu ciudad merece una canción? | ¿Qué tiempo hace, en una palabra?
        day.reply = Me has alegrado el día. | {d.mas} | Buenos días desde la colina. | Porrusalda, siempre.
        code.note = {c.frase} {c.mas} | {c.frase} | {c.dato}
        c.frase = Borré 400 líneas y no se rompió nada. | Toda la tarde con una prueba que falla los martes. | Primero el nombre, luego el código.
        c.mas = Era la caché. | Lo mejor es el diff: casi todo rojo. | El compilador tenía razón, y qué modales.
        c.dato = Una copia que nunca restauraste es un rumor. | Toda llamada a la red merece un final.
        code.reply = {c.mas} | {c.dato} | ¿Lo mediste? | Me gustaría leerlo con calma.
        reply.short = Tal cual. | Gracias. | Qué bonito. | Me lo apunto. | ¿En serio? | Más de esto. | 😂 | 👏
        reply.back = ¡Gracias! | Costó, pero sí. | Lo miro en casa. | Me pillaste. | Quizá las dos cosas.
        quote.words = Esto, por favor, y despacio. | Muy poca gente ha visto esto.
        greet = {who}, esto te va a gustar. | {who} tenía razón. | Gracias a {who} por el consejo.
        bio.line = {bio.a}. {bio.b}. | {bio.a}. | {bio.b}.
        bio.a = Profesora | Carpintero | Enfermera de noche | Panadero desde 1998 | Traductora | Cartógrafo | Programo cosas pequeñas | Librera
        bio.b = Aquí por los pájaros | Creo en la sopa | Colecciono palabras para la lluvia | Voy en bici a todas partes | Contesto cartas
        """
}
