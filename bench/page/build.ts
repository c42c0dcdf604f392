// Builds the page into bench/page/dist, for any static server. The server here isolates it from other origins, so that
// cpu-wasm may use all threads.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { argumentsFrom } from '../../tools/arguments.mjs'
import { serve } from '../src/node/serve.ts'
import { pageFiles } from './files.ts'

const options = argumentsFrom(
  `Usage: npm run bench:page -- [options]

Builds the page on which any browser can measure itself into bench/page/dist, for any static server.

  --serve  also serve it here, until Ctrl-C is pressed
  --help   print this text`,
  { serve: { type: 'boolean' } },
).values
const folder = fileURLToPath(new URL('dist', import.meta.url))
const files = await pageFiles()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { name, contents } of files) writeFileSync(join(folder, name), contents)
console.log(`The page is in ${relative(process.cwd(), folder)}.`)
if (options.serve) console.log(`It is served at ${(await serve(files)).address} until you press Ctrl-C.`)
