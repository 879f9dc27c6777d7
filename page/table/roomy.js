// Whether a screen is large: there the others sit in an arc, and the streets of the hand stand at the side.

const roomy = matchMedia("(min-width: 1100px) and (min-height: 620px)");
const BOTH = 1500; // so wide a screen has room for an event or other tables too

export const isRoomy = () => roomy.matches;

/**
 * True where the streets of the running hand stand beside the table.
 * @param {import("../state/state.js").State} state
 */
export const hasHistory = ({ view, overlay, all }) =>
  isRoomy() && !overlay && !all && (view?.streets ?? []).length > 1 && (!(view?.event || view?.beside?.length) || innerWidth >= BOTH);
