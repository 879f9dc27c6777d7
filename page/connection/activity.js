// The page as Discord frames it: who it is there, how small it is shown, and what leads out of the frame.

import { addStyle } from "../later.js";
import { door } from "./door.js";
import { chance } from "./link.js";
import css from "./tiny.css";

const READY_MS = 15_000;
/** Discord's numbers for a picture in the picture, and for a tile of a call. */
const SMALL_MODES = [1, 2];

const brief = document.getElementById("sdk")?.dataset ?? {};
/** @type {import("./discord").Discord | null} */
let discord = null;
try {
  // What the console is told is nobody else's.
  discord = new DiscordSDK(brief.application ?? "", { disableConsoleLogOverride: true });
} catch {
  // Nobody frames it: the bot says what is to be done.
}

const ready = discord === null ? Promise.reject(new Error("no frame")) : Promise.race([
  discord.ready(),
  new Promise((_, late) => { setTimeout(() => late(new Error("no answer")), READY_MS); }),
]);

/**
 * Discord gives a code for whoever looks at the frame. It is good once: each try to come in asks for another.
 * A page that got none asks with nothing, and is told what to do in words of the bot.
 */
door.enter = async () => {
  const token = `${discord?.guildId ?? 0}.${chance()}${chance()}`;
  try {
    await ready;
    const wanted = /** @type {const} */ ({ client_id: brief.application ?? "", response_type: "code", state: "", prompt: "none", scope: ["identify"] });
    const given = await discord?.commands.authorize(wanted);
    return { token, ticket: "", code: given?.code ?? "", instance: discord?.instanceId ?? "" };
  } catch {
    return { token, ticket: "" };
  }
};
door.home = brief.home ?? "";
door.away = (url) => { discord?.commands.openExternalLink({ url }).catch(() => {}); };

addStyle(css);
let layout = 0;
/** Where there is room to look and none to play, the boards alone are shown. */
function shrink() {
  document.documentElement.classList.toggle("tiny", SMALL_MODES.includes(layout) || (innerWidth < 480 && innerHeight < 300));
}
shrink();
addEventListener("resize", shrink);
ready.then(() => discord?.subscribe("ACTIVITY_LAYOUT_MODE_UPDATE", ({ layout_mode }) => {
  layout = layout_mode;
  dispatchEvent(new Event("resize"));
})).catch(() => {});
