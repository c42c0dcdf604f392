// Lays out the input of VitePress: the pages of `docs/` as they are, and a home page made from parts of the README. Links that leave
// `docs/` become links to the repository, or to a page of the gallery. It renders nothing.

import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { root } from '../tools/pnpm.mjs'
import { entries, entryPage } from './gallery.ts'
import { homePage } from './home.ts'
import { chapters } from './navigation.ts'
import { partsOf } from './readme.ts'

const docs = join(root, 'docs')

/** The address of the repository, as package.json gives it. */
export const repository: string = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository: { url: string } }
).repository.url.replace(/^git\+|\.git$/g, '')

/** Rewrites the links of a page for the site. `page` is its path from the root of the repository. */
function linked(markdown: string, page: string): string {
  return markdown.replaceAll(
    /(\]\(|<img src=")([^)#"\s]+)(#[^)"\s]*)?(?=[)"])/g,
    (whole, before, link, anchor = '') => {
      if (/^\w+:/.test(link)) return whole
      const target = resolve(root, dirname(page), link)
      const [, scene] = /^examples\/gallery\/(.+)\.html$/.exec(relative(root, target)) ?? []
      if (scene !== undefined) return `${before}/gallery/${scene}.md`
      const inDocs = relative(docs, target)
      // Without a leading dot, Vite would look for a picture among the packages.
      if (!inDocs.startsWith('..')) return link.startsWith('.') ? whole : `${before}./${link}${anchor}`
      const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
      return `${before}${repository}/${kind}/main/${relative(root, target)}${anchor}`
    },
  )
}

/** The README's parts refer to files from the root, the home page from `docs/`. */
const fromDocs = (markdown: string) => linked(markdown, 'README.md').replaceAll(/(\]\(|<img src=")\.\/docs\//g, '$1./')

/** Fills an empty folder. */
export function layOut(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const page of chapters.flatMap(({ pages }) => pages)) {
    const path = join(folder, page)
    mkdirSync(dirname(path), { recursive: true })
    const text = linked(readFileSync(join(docs, page), 'utf8'), join('docs', page))
    // Inside a paragraph, a picture that is wider than a phone can scroll.
    writeFileSync(path, text.replaceAll(/^<img .*>$/gm, '<p>$&</p>'))
  }
  // Pages refer to pictures beside them. The menu and the head of the home page refer to pictures that are served unchanged.
  for (const place of ['pictures', 'public/pictures'])
    cpSync(join(docs, 'pictures'), join(folder, place), { recursive: true })
  mkdirSync(join(folder, 'gallery'))
  for (const entry of entries) writeFileSync(join(folder, 'gallery', `${entry.name}.md`), entryPage(entry))
  const readme = partsOf(fromDocs(readFileSync(join(root, 'README.md'), 'utf8')))
  writeFileSync(join(folder, 'index.md'), homePage(readme))
}

/** The title of a page: its first heading. */
export function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8')) ?? []
  return title?.replaceAll('`', '') ?? basename(page)
}
