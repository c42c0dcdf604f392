// Runs scripts one after the other in one process, each with its own arguments, until each ends it: prints output, errors and status of each
// as JSON. A process for each script would load the same modules again. The arguments are lists as JSON: a file, and its words. Scripts that
// start other processes cannot run here.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Said {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

class Ended extends Error {}

const said: Said[] = []
const written = { stdout: '', stderr: '' }
let status: number | undefined
let ended = false
const write = process.stdout.write.bind(process.stdout)
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (text: Uint8Array | string) => {
    if (!ended) written[name] += text
    return true
  }
process.exit = (code) => {
  if (!ended) status = Number(code ?? process.exitCode ?? 0)
  ended = true
  throw new Ended()
}
for (const [n, given] of process.argv.slice(2).entries()) {
  const [file = '', ...words] = JSON.parse(given) as string[]
  process.argv = [process.execPath, file, ...words]
  Object.assign(written, { stdout: '', stderr: '' })
  status = undefined
  process.exitCode = undefined
  ended = false
  // The number makes it another module each time.
  await import(`${pathToFileURL(resolve(file)).href}?${n}`).catch((error: unknown) => {
    if (!(error instanceof Ended)) written.stderr += String((error as Error).stack)
  })
  said.push({ ...written, status: status ?? Number(process.exitCode ?? 0) })
}
process.exitCode = 0
write(JSON.stringify(said))
