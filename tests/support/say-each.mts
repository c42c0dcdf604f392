// Runs scripts one after the other in one process, each with its own arguments: prints output, errors and status of each as JSON. A process
// for each script would load the same modules again. The arguments are lists as JSON: a file, and its words. Each script runs until nothing
// is left to wait for, as in a process of its own; if it never ends, this process does not. Scripts that start others cannot run here.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Said {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

class Ended extends Error {}

const calls = process.argv.slice(2).map((given) => JSON.parse(given) as string[])
const said: Said[] = []
const written = { stdout: '', stderr: '' }
let status: number | undefined
let loaded = true
const write = process.stdout.write.bind(process.stdout)
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (text: Uint8Array | string, ...rest: readonly unknown[]) => {
    if (status === undefined) written[name] += text
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }
process.exit = (code) => {
  status ??= Number(code ?? process.exitCode ?? 0)
  throw new Ended()
}

/** As Node does with an error that nobody catches. */
function fail(error: unknown): void {
  if (error instanceof Ended) return
  process.stderr.write(String((error as Error).stack))
  status ??= 1
}
process.on('uncaughtException', fail)

function start([file = '', ...words]: readonly string[]): void {
  process.argv = [process.execPath, file, ...words]
  Object.assign(written, { stdout: '', stderr: '' })
  status = undefined
  process.exitCode = undefined
  loaded = false
  // The number makes it another module each time.
  void import(`${pathToFileURL(resolve(file)).href}?${said.length}`).catch(fail).then(() => {
    loaded = true
  })
}

// Nothing is left to wait for: the script has ended. Node's status for a module that waits in vain is 13.
process.on('beforeExit', function next() {
  said.push({ ...written, status: status ?? Number(process.exitCode ?? (loaded ? 0 : 13)) })
  const call = calls[said.length]
  if (call) return start(call)
  process.off('beforeExit', next)
  process.exitCode = 0
  write(JSON.stringify(said))
})
start(calls[0] ?? [])
