// An address is given away: by the phone's own sheet, or by the clipboard.

/** Phones and tablets, whose sheet leads to the people that one writes to. */
const HELD = matchMedia("(pointer: coarse)");

/**
 * @param {{ address: string, said: string }} deed
 * @param {import("../main.js").Send} send
 */
export async function give({ address, said }, send) {
  if (HELD.matches && navigator.share) {
    try {
      await navigator.share({ url: address });
      return;
    } catch (error) {
      // Whoever has closed it wants nothing else. Where it may not open, the clipboard does as well.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(address);
    send({ type: "tell", text: said });
  } catch {
    send({ type: "share", address });
  }
}
