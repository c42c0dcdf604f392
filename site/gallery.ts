// The gallery: each page of `examples/gallery`, built for a static server, and the pages of the manual that show it beside its source.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../tools/pnpm.mjs'

const folder = join(root, 'examples/gallery')

/** An entry of the gallery: one HTML file, which needs `manybody` and nothing else. */
export interface Entry {
  /** The name of its file, without `.html`. */
  readonly name: string
  readonly title: string
  readonly about: string
  readonly html: string
}

export const entries: readonly Entry[] = readdirSync(folder)
  .filter((file) => file.endsWith('.html'))
  .sort()
  .map((file) => {
    const html = readFileSync(join(folder, file), 'utf8')
    const part = (pattern: RegExp): string => {
      const found = html.match(pattern)?.[1]
      if (found === undefined) throw new Error(`examples/gallery/${file} has no ${pattern.source}`)
      return found
    }
    const [title, about] = [part(/<title>(.*)<\/title>/), part(/<meta name="description" content="(.*)">/)]
    return { name: file.replace('.html', ''), title, about, html }
  })

/** The package.json of an entry that runs elsewhere. */
const manifest = JSON.stringify(
  {
    private: true,
    scripts: { start: 'vite' },
    dependencies: { manybody: 'latest' },
    devDependencies: { vite: 'latest' },
  },
  undefined,
  2,
)

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('\n', '&#10;')

/** The form that opens an entry in StackBlitz, by its public interface: https://developer.stackblitz.com/platform/api/post-api */
function sandbox({ title, about, html }: Entry): string {
  const fields = {
    'project[title]': title,
    'project[description]': about,
    'project[template]': 'node',
    'project[files][index.html]': html,
    'project[files][package.json]': manifest,
  }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${attribute(value)}">`,
  )
  return `<form v-pre class="sandbox" method="post" action="https://stackblitz.com/run?file=index.html" target="_blank">
${inputs.join('\n')}
<button type="submit">Open in a sandbox</button>
</form>`
}

/** The page of an entry, as Markdown: it runs above its source, which can be copied. */
export const entryPage = (entry: Entry): string => `---
outline: false
---

<script setup>
import { withBase } from 'vitepress'
</script>

# ${entry.title}

${entry.about}

<iframe class="scene" title="${attribute(entry.title)}" :src="withBase('/scenes/${entry.name}.html')"></iframe>

${sandbox(entry)}

This is the whole page. [The gallery](../gallery.md) has the others.

\`\`\`html
${entry.html.trimEnd()}
\`\`\`
`

const scriptOf = /<script type="module">([\s\S]*)<\/script>/

/** The pages with their scripts and the chunks that these share. */
export async function galleryFiles(): Promise<readonly { readonly name: string; readonly contents: Uint8Array }[]> {
  const { outputFiles } = await build({
    entryPoints: entries.map(({ name }) => ({ in: `gallery:${name}`, out: name })),
    ...({ bundle: true, splitting: true, minify: true, write: false, format: 'esm', target: 'es2022' } as const),
    outdir: '/',
    external: ['node:*', 'webgpu'],
    logLevel: 'warning',
    plugins: [
      {
        name: 'gallery',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^gallery:/ }, ({ path }) => ({ path: path.slice(8), namespace: 'gallery' }))
          onLoad({ filter: /./, namespace: 'gallery' }, ({ path }) => ({
            contents: entries.find(({ name }) => name === path)?.html.match(scriptOf)?.[1] ?? '',
            resolveDir: folder,
          }))
        },
      },
    ],
  })
  const pages = entries.map(({ name, html }) => ({
    name: `${name}.html`,
    contents: new TextEncoder().encode(html.replace(scriptOf, `<script type="module" src="${name}.js"></script>`)),
  }))
  return [...pages, ...outputFiles.map(({ path, contents }) => ({ name: path.slice(1), contents }))]
}
