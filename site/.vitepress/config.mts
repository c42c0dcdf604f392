// How VitePress builds the site. The pages come from `.pages`, which ../build.ts fills.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { chapters } from '../navigation.ts'
import { repository, titleOf } from '../pages.ts'

const base = process.env.SITE_BASE ?? '/'
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const page = (name: string): DefaultTheme.SidebarItem => ({
  text: titleOf(name),
  link: `/${name.replace(/\.md$/, '')}`,
})
const guide: DefaultTheme.SidebarItem[] = chapters.map(({ heading, pages, folded = false }) => ({
  text: heading,
  items: pages.map(page),
  collapsed: folded,
}))

// Each module of the reference has its own menu. One menu of all names would fill most of every page.
const modules = JSON.parse(
  readFileSync(path('../.pages/api/typedoc-sidebar.json'), 'utf8'),
) as (DefaultTheme.SidebarItem & { link: string })[]
const reference = { text: 'Reference', link: '/api/' }
const api: DefaultTheme.SidebarMulti = {
  '/api/': [{ ...reference, items: modules.map(({ text, link }) => ({ text, link })) }],
  ...Object.fromEntries(modules.map(({ link, text, items }) => [link, [reference, { text, link, items }]])),
}

export default defineConfig({
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.cache',
  title: 'manybody',
  description: 'Describe a point interaction once; run it on whatever compute the device has.',
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}pictures/icon.svg` }]],
  // Programs beside the pages, which VitePress does not know.
  ignoreDeadLinks: [/^\/(live|measure-here)\//],
  // The reference comes from the sources, so its pages have no link for editing.
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath.startsWith('api/')) frontmatter.editLink = false
  },
  markdown: {
    languageAlias: { wat: 'wasm' },
    config(md) {
      const fence = md.renderer.rules.fence
      md.renderer.rules.fence = (tokens, index, options, env, self) => {
        const token = tokens[index]
        if (token?.info.trim() === 'mermaid') return `<MermaidDiagram text="${md.utils.escapeHtml(token.content)}" />`
        return fence?.(tokens, index, options, env, self) ?? ''
      }
    },
  },
  themeConfig: {
    logo: '/pictures/icon.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/installing', activeMatch: '^/(?!api/|recipes/|benchmarks)' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '^/recipes/' },
      { text: 'Reference', link: '/api/', activeMatch: '^/api/' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Live', link: '/live/index.html', target: '_self' },
    ],
    sidebar: { '/': guide, ...api },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'MIT licence' },
  },
})
