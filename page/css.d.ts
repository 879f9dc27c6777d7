// A style as text, which build.js has made small.

declare module "*.css" {
  const css: string;
  export default css;
}
