// The command line: wrong arguments and absent servers are answered with what to do, and manifests and manuals use options that exist.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/pnpm.mjs'

interface Ended {
  readonly code: number | null
  readonly said: string
}

function run(...args: readonly string[]): Promise<Ended> {
  const command = ['--import', 'tsx', 'packages/cluster/src/cli.ts', ...args]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

describe('the command line of a cluster', () => {
  it('says what it expected, and ends with 2', async () => {
    const cases: readonly (readonly [RegExp, readonly string[]])[] = [
      [/unknown command "work"; expected worker or status/, ['work']],
      [/unexpected argument "more"/, ['status', 'more']],
      [/"--threads" expected integer >= 1, got "no"/, ['worker', '--threads', 'no']],
      [/"--nkey" expected a file that can be read, got "no\.nk"/, ['status', '--nkey', 'no.nk']],
      [
        /"servers" expected addresses such as nats:\/\/host:4222 .* got "http:\/\/host"/,
        ['status', '--servers', 'http://host'],
      ],
      [/"servers" expected addresses .* got ""/, ['status', '--servers', '']],
    ]
    const ended = await Promise.all(cases.map(([, args]) => run(...args)))
    for (const [n, [message]] of cases.entries())
      expect(ended[n]).toEqual({ code: 2, said: expect.stringMatching(message) })
  })

  it('says that no server answers, and ends with 1', async () => {
    expect(await run('status', '--servers', 'nats://127.0.0.1:1')).toEqual({
      code: 1,
      said: expect.stringMatching(/no NATS server answers at nats:\/\/127\.0\.0\.1:1: .* nats-server --jetstream/),
    })
  })

  it('has every option that manifests and manuals use', async () => {
    const { code, said } = await run('--help')
    expect(code).toBe(0)
    const known = new Set(said.match(/--[a-z-]+/g))
    const files = ['compose.yaml', 'kubernetes.yaml', 'workers.sbatch'].map((name) => `examples/cluster/${name}`)
    for (const file of [...files, 'docs/backends/cluster.md', 'packages/cluster/README.md']) {
      const uses = readFileSync(join(root, file), 'utf8').match(/@manybody\/cluster"?,? (worker|status)\b.*/g) ?? []
      expect(uses.length, file).toBeGreaterThan(0)
      for (const use of uses)
        for (const option of use.split('#')[0]?.match(/--[a-z-]+/g) ?? [])
          expect(known, `${file}: ${use}`).toContain(option)
    }
  })
})
