/**
 * The first file of the page, with the names that the build has given to the others.
 *
 * @module
 */

/** `html` with the names of the files in folder `home`, and scripts that are loaded at once named before they are met. */
export function indexHtml(html: string, home: string, scripts: readonly string[]): string {
  const preloads = ["main.js", ...scripts].map((name) =>
    `    <link rel="modulepreload" href="${home}/${name}">\n`
  );
  const named = html
    .replace('href="page.css"', `href="${home}/page.css"`)
    .replace('src="main.js"', `src="${home}/main.js"`);
  if (named.split(`"${home}/`).length !== 3) {
    throw new Error('web/index.html must have href="page.css" and src="main.js" once each');
  }
  return named.replace(/^ *<\/head>/m, (end) => preloads.join("") + end);
}
