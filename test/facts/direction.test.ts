import { describe, expect, it } from "vitest";
import { directionByName, GivenDirections } from "../../src/direction.js";

const of = (folder: string) => directionByName(`${folder}/letter.md`);

describe("a top folder says by a whole word that it holds what was sent, or received", () => {
  it.each([
    ["English", "Sent", "Received"],
    ["English, with other words", "2024 sent mail", "Letters received 2019-2024"],
    ["English, as programs write it", "SentItems", "received_items"],
    ["English, glued to a year", "Sent2024", "2024received"],
    ["English, by the place", "Outbox", "INBOX"],
    ["Spanish", "Correos enviados", "Recibidos"],
    ["Spanish, feminine", "Cartas enviadas", "Facturas recibidas"],
    ["Spanish, by the place", "Bandeja de salida", "Bandeja de entrada"],
    ["German", "Gesendete Objekte", "Empfangene Nachrichten"],
    ["German, in capitals", "GESENDET", "ERHALTEN"],
    ["German, by the place", "Postausgang", "Posteingang 2024"],
    ["French", "Éléments envoyés", "Messages reçus"],
    ["French without accents", "Elements envoyes", "Messages recus"],
    ["French, singular", "Courrier envoyé", "Courrier reçu"],
    ["French, by the place", "Boîte d’envoi", "Boîte de réception"],
    ["Italian", "Posta inviata", "Ricevuti"],
    ["Italian, by the place", "Posta in uscita", "Posta in arrivo"],
    ["Portuguese", "Itens enviados", "Recebidos"],
    ["Portuguese, by the place", "Caixa de saída", "Caixa de Entrada"],
    ["Dutch", "Verzonden items", "Ontvangen berichten"],
    ["Dutch, by the place", "Postvak UIT", "Postvak IN"],
  ])("%s: %s, %s", (_, sent, received) => {
    expect(of(sent)).toBe("sent");
    expect(of(received)).toBe("received");
    for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const) {
      expect(of(sent.normalize(form)), form).toBe("sent");
      expect(of(received.normalize(form)), form).toBe("received");
      expect(of(sent.toUpperCase().normalize(form)), form).toBe(/[a-z][A-Z]/.test(sent) ? null : "sent");
    }
  });

  it.each([
    "Presentations",
    "Presentation sentences",
    "Sentencing",
    "sentiment",
    "Consent forms",
    "absent",
    "Représentations",
    "Gesandtschaft",
    "Versandhandel",
    "receivables",
    "Receipts",
    "Recibos",
    "Recettes",
    "Recueil",
    "Envois",
    "Rezepte",
    "enviadores",
    "Aussenden",
    "Eingangshalle",
    "inboxes",
    "Unsent",
    "Reports",
    "入库",
    "отправленные",
    "2024",
    "_",
  ])("%s says neither", (folder) => {
    expect(of(folder)).toBeNull();
  });

  it.each([
    "Sent and received",
    "Gesendet/empfangen",
    "Envoyés & reçus",
    "Inbox and outbox",
    "Ein- und Ausgang, Eingang",
  ])("%s says both, and so neither", (folder) => {
    expect(of(folder.replace("/", " "))).toBeNull();
  });

  it.each([
    "Not sent",
    "nicht gesendet",
    "No enviados",
    "Non envoyés",
    "non inviati",
    "Não enviados",
    "Niet verzonden",
  ])("%s is not taken for sent", (folder) => {
    expect(of(folder)).toBeNull();
  });

  it("a place for post counts only where nothing is said of what lies in it", () => {
    expect(of("INBOX.Sent")).toBe("sent");
    expect(of("Inbox (sent to me: received)")).toBeNull();
    expect(of("Outbox, received copies")).toBe("received");
  });

  it("a folder further in, or a file of that name, says nothing", () => {
    expect(directionByName("projects/sent/letter.md")).toBeNull();
    expect(directionByName("sent/projects/received/letter.md")).toBe("sent");
    expect(directionByName("sent.md")).toBeNull();
    expect(directionByName("sent")).toBeNull();
  });
});

describe("the direction of a folder can be given", () => {
  const paths = ["post/in/a.md", "post/in/copies/b.md", "post/out/c.md", "Sent/d.md", "e\u0301tude/f.md", "g.md"];
  const given = (directions: ConstructorParameters<typeof GivenDirections>[0]) => {
    const directed = new GivenDirections(directions, paths);
    return Object.fromEntries(paths.map((path) => [path, directed.of(path)]));
  };

  it("for any folder, and the innermost one counts", () => {
    expect(given({ "post/in": "received", "post/in/copies": "sent", post: "none" })).toEqual({
      "post/in/a.md": "received",
      "post/in/copies/b.md": "sent",
      "post/out/c.md": "none",
      "Sent/d.md": undefined,
      "e\u0301tude/f.md": undefined,
      "g.md": undefined,
    });
  });

  it("however it is written: with @/ or ./ or a slash behind it, by Windows, composed or not", () => {
    for (const name of ["@/post/in", "./post/in/", "post\\in", "post/in//"])
      expect(given({ [name]: "sent" })["post/in/a.md"], name).toBe("sent");
    expect(given({ "\u00e9tude": "sent" })["e\u0301tude/f.md"]).toBe("sent");
  });

  it("a point is all of them", () => {
    expect(Object.values(given({ ".": "received", Sent: "sent" }))).toEqual(
      paths.map((path) => (path.startsWith("Sent/") ? "sent" : "received")),
    );
  });

  it("a folder without a document is named, and so is one that is given twice", () => {
    expect(() => given({ postin: "sent" })).toThrow(/No document lies in the folder "postin"/);
    expect(() => given({ "post/o": "sent" })).toThrow(/"post\/o"/);
    expect(() => given({ "post/in/a.md": "sent" })).toThrow(/"post\/in\/a.md"/);
    expect(() => given({ post: "sent", "@/post/": "received" })).toThrow(/given twice/);
  });
});
