/** Bundles the files of the page. A static server needs nothing else. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BundledFile, bundle } from '../src/node/bundle.ts'
import { style } from '../src/report/html/style.ts'
import { pageStyle } from './style.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export async function pageFiles(): Promise<readonly BundledFile[]> {
  return [
    { name: 'index.html', contents: readFileSync(here('index.html')) },
    { name: 'style.css', contents: new TextEncoder().encode(style + pageStyle) },
    ...(await bundle(here('main.ts'), { minify: true })),
  ]
}
