import { putTogether, replacePage, reroot, retable, retag, takeApart } from "../forge.js";
import { PAGE } from "../../../src/format/pages.js";
import type { Refusal } from "./refusal.js";

/** A first page that no package has, sealed by a holder of the file key: everything else about the package is right. */
function firstPage(id: string, why: string, edit: (page: DataView) => void): Refusal {
  return {
    id: `image-${id}`,
    group: "image",
    why,
    base: "unsigned",
    // Without the key nobody can see it, and an unsigned package is the word of any holder of the key.
    expect: { k: "bad-image", v: "accepted", p: "unsigned" },
    make: ({ unsigned }) => {
      const page = unsigned.image.slice(0, PAGE);
      edit(new DataView(page.buffer));
      const parts = replacePage(takeApart(unsigned.bytes), unsigned.fileKey, 0, page);
      return putTogether(retag(reroot(retable(parts)), unsigned.fileKey));
    },
  };
}

/** The rest of what an image must be is held to in test/image: a container asks no more than this. */
export const imageRefusals: readonly Refusal[] = [
  firstPage("not-sqlite", "The image does not begin as a SQLite database does.", (page) => {
    page.setUint8(0, 0x73);
  }),
  firstPage("page-size-4096", "Its pages have 4,096 bytes.", (page) => {
    page.setUint16(16, 4096);
  }),
  firstPage("page-size-65536", "Its pages have 65,536 bytes.", (page) => {
    page.setUint16(16, 1);
  }),
  firstPage("wal", "It is in write-ahead mode.", (page) => {
    page.setUint16(18, 0x0202);
  }),
  firstPage("reserved", "It reserves bytes in each page.", (page) => {
    page.setUint8(20, 32);
  }),
  firstPage("page-count-less", "It says a page less than is sealed.", (page) => {
    page.setUint32(28, page.getUint32(28) - 1);
  }),
  firstPage("page-count-more", "It says a page more than is sealed.", (page) => {
    page.setUint32(28, page.getUint32(28) + 1);
  }),
];
