// `npm run site`: installs the tools of the site, lays out its pages, writes the reference from the doc comments, and lets VitePress build
// all of it. VitePress fails on a broken link.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pageFiles } from '../bench/page/files.ts'
import { argumentsFrom } from '../tools/arguments.mjs'
import { root } from '../tools/pnpm.mjs'
import { galleryFiles } from './gallery.ts'
import { layOut } from './pages.ts'

const { base, serve } = argumentsFrom(
  `Usage: npm run site -- [options]

Builds the documentation into site/dist, for any static server.

  --base <path>  the path below which it will be served, such as /manybody/; by default /
  --serve        also serve it here, until Ctrl-C is pressed
  --help         print this text`,
  { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } },
).values
if (!/^\/(.*\/)?$/.test(base)) throw new RangeError(`"--base" expected a path such as /manybody/, got "${base}"`)

const here = join(root, 'site')
const dist = join(here, 'dist')

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit', env: { ...process.env, SITE_BASE: base } })
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed`)
}
const tool = (name: string, ...args: readonly string[]) => run(join(here, 'node_modules/.bin', name), ...args)

const stamp = join(here, 'node_modules/.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(here, 'package-lock.json')))
  .digest('hex')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
  writeFileSync(stamp, wanted)
}
// The built live page, the page of the benchmark and the scenes of the gallery are copied beside the documentation.
const live = join(root, 'live')
run(join(root, 'node_modules/.bin/tsx'), join(live, 'run.ts'), '--build')
layOut(join(here, '.pages'))
tool('typedoc')
tool('vitepress', 'build')

cpSync(join(live, 'dist'), join(dist, 'live'), { recursive: true })
mkdirSync(join(dist, 'measure-here'))
for (const { name, contents } of await pageFiles()) writeFileSync(join(dist, 'measure-here', name), contents)
mkdirSync(join(dist, 'scenes'))
for (const { name, contents } of await galleryFiles()) writeFileSync(join(dist, 'scenes', name), contents)

console.log(`The site is in ${relative(process.cwd(), dist)}.`)
if (serve) tool('vitepress', 'preview')
