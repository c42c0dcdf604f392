// Builds the page into bench/page/dist, for any static server: `npm run bench:page`. With `-- --serve` it also serves it
// here, isolated from other origins so that cpu-wasm may use all threads.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '../src/node/serve.ts'
import { pageFiles } from './files.ts'

const folder = fileURLToPath(new URL('dist', import.meta.url))
const files = await pageFiles()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { name, contents } of files) writeFileSync(join(folder, name), contents)
console.log(`The page is in ${relative(process.cwd(), folder)}.`)
if (process.argv.includes('--serve'))
  console.log(`It is served at ${(await serve(files)).address} until you press Ctrl-C.`)
