// Builds the page into bot/web/built: parts with hashed names for browsers, and the same page as one file where no part
// can be asked for, which is in Discord's frame and where it was saved. `make page` runs it.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { build, transform } from "esbuild";

const [, , into, files] = process.argv;
const HERE = new URL(".", import.meta.url).pathname;
/** Parts that are loaded once they are needed. */
const LATER = {
  analysis: "analysis/part.js", audience: "watch/part.js", history: "history/part.js", judging: "judging/part.js", over: "duel/over.js", people: "people/part.js",
  puzzle: "puzzle/part.js",  reading: "sheets/reading.js", record: "verify/record.js", soon: "soon/part.js", sounds: "sounds/part.js", stream: "stream/part.js",
};
/** The colours of the page's felt and of the line above it, for the frame of an installed app. */
const BACKGROUND = "#0f4430";
const THEME = "#134733";
/** Stands in names for the digest of all parts, until that is known. */
const DIGEST = "0".repeat(12);

/** The whole of it is in notice.txt. */
const NOTICE = "/*! With lit-html, (c) 2017 Google LLC, BSD-3-Clause */";

const read = (/** @type {string} */ name) => readFileSync(HERE + name, "utf8");
const digest = (/** @type {string[]} */ ...texts) => createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, DIGEST.length);

/** Styles that modules import are text. @type {import("esbuild").Plugin} */
const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => path === `${HERE}style.css` ? undefined :
      ({ contents: (await transform(readFileSync(path, "utf8"), { loader: "css", minify: true })).code.trim(), loader: "text" }));
  },
};

/**
 * Leave modules out of a bundle.
 * @param {(path: string) => string | undefined} elsewhere where a module is; undefined for one that belongs to the bundle
 * @returns {import("esbuild").Plugin}
 */
const without = (elsewhere) => ({
  name: "without",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, kind, pluginData, ...from }) => {
      if (pluginData === without || kind === "entry-point") return undefined;
      const found = await resolve(path, { kind, ...from, pluginData: without });
      const other = elsewhere(relative(HERE, found.path));
      return other === undefined ? found : { path: other, external: true };
    });
  },
});

/**
 * @param {import("esbuild").BuildOptions} options
 * @param {string} [saved] the address of the page as one file
 */
async function bundle(options, saved = "") {
  const { plugins = [], ...more } = options;
  const made = await build({
    absWorkingDir: HERE, bundle: true, minify: true, format: "esm", target: ["chrome100", "firefox100", "safari15.4"], charset: "utf8", legalComments: "none",
    write: false, metafile: true, outdir: into, banner: { js: NOTICE }, define: { SAVED_PAGE: JSON.stringify(saved) }, plugins: [styles, ...plugins], ...more,
  });
  const texts = Object.fromEntries(made.outputFiles.map(({ path, text }) => [basename(path), text.trim()]));
  return { texts, text: made.outputFiles[0].text.trim(), inputs: Object.keys(made.metafile.inputs) };
}

/**
 * The page in parts. Those that come later use the modules of the first, which exports them. So each names the other, and
 * all have one digest in their names.
 * @param {string} saved
 */
async function parts(saved) {
  const later = (/** @type {string} */ path) => Object.entries(LATER).filter(([, entry]) => entry === path).map(([name]) => `./${name}-${DIGEST}.js`)[0];
  const { inputs } = await bundle({ entryPoints: ["main.js"], plugins: [without(later)] });
  /** @type {Set<string>} */
  const shared = new Set();
  const rest = await bundle({
    entryPoints: LATER, splitting: true, entryNames: `[name]-${DIGEST}`, chunkNames: `both[hash]-${DIGEST}`,
    plugins: [without((path) => (inputs.includes(path) ? (shared.add(path), `./main-${DIGEST}.js`) : undefined))],
  }, saved);
  const entry = ["main.js", ...[...shared].sort()].map((path) => `export * from "./${path}";`).join("\n");
  const main = await bundle({ stdin: { contents: entry, resolveDir: HERE }, plugins: [without(later)] }, saved);
  const texts = { [`main-${DIGEST}.js`]: main.text, ...rest.texts };
  const whole = digest(...Object.values(texts));
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text].map((one) => one.replaceAll(DIGEST, whole))));
}

/**
 * The page with this inside.
 * @param {string} head
 * @param {string} [body]
 */
const whole = (head, body = "") => read("page.html").replace(/\n\s*/g, "\n").replace("{{head}}", () => head).replace("{{body}}", () => body);

const style = (await bundle({ entryPoints: ["style.css"] })).text;
const inline = `<style nonce="{{nonce}}">${style}</style>`;
/** @param {string} entry */
const alone = async (entry) => `<script type="module" nonce="{{nonce}}">${(await bundle({ entryPoints: [entry] })).text}</script>`;
const sdk = `<script id="sdk" data-application="{{application}}" data-home="{{home}}" nonce="{{nonce}}">\n/*!\n${read("sdk/notice.txt")}*/\n${read("sdk/embedded-app-sdk.js")}</script>\n`;
const saved = whole(inline, await alone("main.js")).replaceAll(' nonce="{{nonce}}"', "");
const savedName = `saved-${digest(saved)}.html`;
const styleName = `style-${digest(style)}.css`;
const scripts = await parts(files + savedName);
// A bot that is being replaced may have other files than the page that it has just given: then the page is asked for again.
const again = '<script nonce="{{nonce}}">addEventListener("error",({target:t})=>t!==window&&setTimeout(()=>location.reload(),3e3),true)</script>';
const [main] = Object.keys(scripts);

// The page as an app on a device: its icons, and a manifest in each language. The server chooses one.
const ICONS = ["icon192", "icon512", "full512"];
/** @type {Record<string, Buffer>} */
const icons = {};
/** @type {Record<string, string>} */
const iconNames = {};
for (const name of ICONS) {
  const bytes = readFileSync(`${HERE}app/${name}.png`);
  iconNames[name] = `${name}-${createHash("sha256").update(bytes).digest("hex").slice(0, DIGEST.length)}.png`;
  icons[iconNames[name]] = bytes;
}
/** @type {Record<string, Record<string, string>>} */
const texts = JSON.parse(read("app/texts.json"));
/** @type {Record<string, string>} */
const manifests = {};
for (const [lang, told] of Object.entries(texts)) {
  const icon = (/** @type {string} */ name, /** @type {string} */ purpose) => ({ src: iconNames[name], sizes: name.replace(/^\D+(\d+)$/, "$1x$1"), type: "image/png", purpose });
  const table = `${files.replace(/[^/]+\//g, "../")}table`;
  const text = JSON.stringify({
    ...told, lang, dir: "ltr", start_url: table, scope: table, display: "standalone", background_color: BACKGROUND, theme_color: THEME,
    icons: [icon("icon192", "any"), icon("icon512", "any"), icon("full512", "maskable")],
  });
  manifests[`manifest_${lang}-${digest(text)}.webmanifest`] = text;
}
const installed = [`<meta name="theme-color" content="${THEME}">`, `<link rel="manifest" href="${files}{{manifest}}">`];
const head = [again, ...installed, `<link rel="stylesheet" href="${files}${styleName}" nonce="{{nonce}}">`, `<script type="module" nonce="{{nonce}}" src="${files}${main}"></script>`];

rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });
const built = { "activity.html": whole(inline, sdk + await alone("framed.js")), "table.html": whole(head.join("\n")), [savedName]: saved, [styleName]: style, "notice.txt": read("notice.txt"), ...scripts, ...manifests, ...icons };
for (const [name, text] of Object.entries(built)) writeFileSync(`${into}/${name}`, text);
