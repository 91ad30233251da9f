/**
 * The settings of the generator, as plain data that it reads.
 *
 * @module
 */

/** An entry of the side bar. */
export interface SideBarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SideBarItem[];
}

/** A picture for tabs of browsers: four tiles. */
const ICON = "data:image/svg+xml," + encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#3451b2" d="M0 0h3v3H0zm5 0h3v3H5zM0 5h3v3H0zm5 0h3v3H5z"/></svg>',
);

/** The theme as a module, beside `style.css`. */
export const THEME = `import theme from "vitepress/theme";
import "./style.css";
export default theme;
`;

/** The settings as a module; side bars by the beginning of the address. */
export function configModule(
  sidebar: Readonly<Record<string, readonly SideBarItem[]>>,
  outDir: string,
): string {
  const settings = {
    title: "Tilewise",
    description: "Computes on arrays larger than memory, tile by tile",
    head: [["link", { rel: "icon", href: ICON }]],
    outDir,
    metaChunk: true, // the list of all pages stands once, not in each of them
    vite: { build: { chunkSizeWarningLimit: 4096 } }, // the index of the search
    markdown: { theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
    themeConfig: {
      search: { provider: "local" },
      outline: [2, 3],
      nav: [
        { text: "Gallery", link: "/" },
        { text: "Sandbox", link: "/sandbox" },
        { text: "Start", link: "/start" },
        { text: "Command line", link: "/command_line" },
        { text: "Library", link: "/reference/tilewise" },
      ],
      sidebar,
      docFooter: { prev: false, next: false },
    },
  };
  return `export default ${JSON.stringify(settings, null, 2)};\n`;
}
