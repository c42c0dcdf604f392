// The command line: it answers wrong arguments and absent servers with advice. Manifests and manuals use options that exist.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cluster, joinCluster } from '@manybody/cluster'
import { createEngine, reference } from '@manybody/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import { natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'
import { saidByEach } from '../../support/said-by-each.ts'

const server = await natsServerProgram()
const program = 'packages/cluster/src/cli.ts'

interface Ended {
  readonly code: number | null
  readonly said: string
}

function run(...args: readonly string[]): Promise<Ended> {
  const command = ['--import', 'tsx', program, ...args]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

describe('the command line of a cluster', () => {
  it('says what it expected, and ends with 2', async () => {
    const cases: readonly (readonly [RegExp, readonly string[]])[] = [
      [/unknown command "work"; expected worker or status; see --help/, ['work']],
      [/Unknown option '--server'; see --help/, ['worker', '--server', 'nats://here']],
      [/Option '--name <value>' argument missing; see --help/, ['status', '--name']],
      [/"backend" expected .*"cuda".*; see --help/, ['worker', '--backend', 'cuda']],
      [/unexpected argument "more"/, ['status', 'more']],
      [/"--threads" expected integer >= 1, got "no"/, ['worker', '--threads', 'no']],
      [/"--nkey" expected a file that can be read, got "no\.nk"/, ['status', '--nkey', 'no.nk']],
      [
        /"servers" expected addresses such as nats:\/\/host:4222 .* got "http:\/\/host"/,
        ['status', '--servers', 'http://host'],
      ],
      [/"servers" expected addresses .* got ""/, ['status', '--servers', '']],
    ]
    const ended = await saidByEach(cases.map(([, args]) => [program, ...args]))
    for (const [n, [message]] of cases.entries())
      expect(ended[n]).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(message) })
  })

  it('says that no server answers, and ends with 1', async () => {
    expect(await run('status', '--servers', 'nats://127.0.0.1:1')).toEqual({
      code: 1,
      said: expect.stringMatching(/no NATS server answers at nats:\/\/127\.0\.0\.1:1: .* nats-server --jetstream/),
    })
  })

  it.skipIf('missing' in server)('says that the server asks for a key or a token, or has no JetStream', async () => {
    const { path } = server as { readonly path: string }
    const closed = await startNatsServer(path, ['--auth', 'secret'])
    onTestFinished(() => closed.stop())
    const at = ['--servers', closed.url]
    const refused = { code: 1, said: expect.stringMatching(/does not admit us: .*; give the key or the token/) }
    expect(await run('worker', ...at)).toEqual(refused)
    expect(await run('status', ...at, '--token', 'guess')).toEqual(refused)
    expect(await run('status', ...at, '--token', 'secret')).toEqual({
      code: 0,
      said: `no worker waits at ${closed.url}\n`,
    })
    const plain = await startNatsServer(path, ['--jetstream=false'])
    onTestFinished(() => plain.stop())
    const worker = await joinCluster({ servers: plain.url, backends: [reference()] })
    onTestFinished(() => worker.leave())
    await expect(createEngine({ backends: [cluster({ servers: plain.url })] })).rejects.toThrow(
      /the NATS server at .* has no JetStream, .*; start it with nats-server --jetstream/,
    )
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
