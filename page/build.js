// Builds the page into bot/web/built: parts with hashed names for browsers, and the same page as one file where no part
// can be asked for, which is in Discord's frame and where it was saved. `make page` runs it.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build, transform } from "esbuild";

const [, , into, files] = process.argv;
const here = new URL(".", import.meta.url).pathname;
const read = (/** @type {string} */ name) => readFileSync(here + name, "utf8");
const hashed = (/** @type {string} */ name, /** @type {string} */ kind, /** @type {string} */ text) =>
  `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.${kind}`;

/** Styles that modules import are text. @type {import("esbuild").Plugin} */
const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /sheets\.css$/ }, async ({ path }) =>
      ({ contents: (await transform(readFileSync(path, "utf8"), { loader: "css", minify: true })).code.trim(), loader: "text" }));
  },
};

/**
 * @param {string} entry
 * @param {string} saved
 * @param {import("esbuild").BuildOptions} [more]
 */
async function bundle(entry, saved, more = {}) {
  const made = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, format: "esm", target: ["chrome100", "firefox100", "safari15.4"], charset: "utf8",
    legalComments: "none", write: false, plugins: [styles], outdir: into, metafile: true, define: { SAVED_PAGE: JSON.stringify(saved) }, ...more,
  });
  return { outputs: made.outputFiles, meta: made.metafile };
}

/**
 * The page with this inside.
 * @param {string} head
 * @param {string} body
 */
const whole = (head, body) => read("page.html").replace(/\n\s*/g, "\n").replace("{{head}}", () => head).replace("{{body}}", () => body);

const [style] = (await bundle("style.css", "")).outputs.map(({ text }) => text.trim());
const inline = `<style nonce="{{nonce}}">${style}</style>`;
/** @param {string} entry */
const alone = async (entry) => `<script type="module" nonce="{{nonce}}">${(await bundle(entry, "")).outputs[0].text.trim()}</script>`;

rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });
/**
 * @param {string} name
 * @param {string} text
 */
const write = (name, text) => {
  writeFileSync(`${into}/${name}`, text);
  return name;
};

const sdk = `<script id="sdk" data-application="{{application}}" data-home="{{home}}" nonce="{{nonce}}">\n/*!\n${read("sdk/notice.txt")}*/\n${read("sdk/embedded-app-sdk.js")}</script>\n`;
write("activity.html", whole(inline, sdk + await alone("framed.js")));
const savedText = whole(inline, await alone("main.js")).replace(/ nonce="\{\{nonce\}\}"/g, "");
const saved = write(hashed("saved", "html", savedText), savedText);
const sheet = write(hashed("style", "css", style), style);
const parts = await bundle("main.js", files + saved, { splitting: true, entryNames: "[name]-[hash]", chunkNames: "part-[hash]" });
for (const { path, text } of parts.outputs) write(basename(path), text);
const [main, { imports }] = Object.entries(parts.meta.outputs).find(([, one]) => one.entryPoint === "main.js") ?? [];
// What the first card needs is asked for at once.
const first = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
const preloads = first.map((name) => `<link rel="modulepreload" href="${files}${name}" nonce="{{nonce}}">`);
const script = `<script type="module" nonce="{{nonce}}" src="${files}${basename(main)}"></script>`;
// A bot that is being replaced may have other files than the page that it has just given: then the page is asked for again.
const again = `<script nonce="{{nonce}}">addEventListener("error",({target:t})=>t!==window&&setTimeout(()=>location.reload(),3e3),true)</script>`;
write("table.html", whole([again, `<link rel="stylesheet" href="${files}${sheet}" nonce="{{nonce}}">`, ...preloads, script].join("\n"), ""));
