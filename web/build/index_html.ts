/**
 * The first file of the page, with the names that the build has given to the others.
 *
 * @module
 */

/** `html` with the names of the files in folder `home`. */
export function indexHtml(html: string, home: string): string {
  const named = html
    .replace('href="page.css"', `href="${home}/page.css"`)
    .replace('src="main.js"', `src="${home}/main.js"`);
  if (named.split(`"${home}/`).length !== 3) {
    throw new Error('web/index.html must have href="page.css" and src="main.js" once each');
  }
  return named;
}
