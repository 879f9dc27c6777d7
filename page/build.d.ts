// What build.js puts into the page.

declare global {
  /** The address of the same page as one file; empty in that file, and where files can't be saved. */
  const SAVED_PAGE: string;
}

export {};
