// The other JavaScript runtimes, from npm, as packages of `tests/runtimes` that contain only the binary for Linux x64. Other platforms have
// none of them.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../tools/pnpm.mjs'

const folder = join(root, 'tests/runtimes')

const here = `${process.platform} ${process.arch}`
export const hasRuntimes: boolean = here === 'linux x64'
export const noRuntimes: string = `their binaries are installed on linux x64 only, and this is ${here}`

/** A program, with the flags that make it run a file. */
type Runtime = readonly [program: string, ...flags: string[]]

const inFolder = (binary: string, ...flags: string[]): Runtime => [join(folder, 'node_modules', binary), ...flags]

export const runtimes = {
  'Node 22': inFolder('node-22/bin/node'),
  'Node 24': inFolder('node-24/bin/node'),
  Deno: inFolder('deno/deno', 'run', '--allow-all', '--no-remote'),
  Bun: inFolder('bun/bin/bun', 'run'),
} as const

/** Installs the runtimes, unless they are there. */
export async function installRuntimes(): Promise<void> {
  if (!hasRuntimes) return
  const stamp = join(folder, 'node_modules/.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  writeFileSync(stamp, wanted)
}
