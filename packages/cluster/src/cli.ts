#!/usr/bin/env node
/**
 * `npx @manybody/cluster worker` computes for others until it is interrupted; `status` lists the workers that wait.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { nkeyAuthenticator } from '@nats-io/nats-core'
import { whoIsThere } from './coordinator/hello.ts'
import { Replies } from './coordinator/replies.ts'
import { shown } from './wire/address.ts'
import { type LinkOptions, link } from './wire/link.ts'
import { joinCluster } from './worker/worker.ts'

const help = `Usage: npx @manybody/cluster <command> [options]

Commands
  worker             computes for others until it is interrupted; then it ends the calls that it has and leaves
  status             lists the workers that wait

Options
  --servers <list>   addresses of the NATS server, separated by commas (nats://127.0.0.1:4222)
  --name <name>      which cluster on this server (default)
  --nkey <file>      a file with the NATS nkey seed
  --token <text>     the token of the server
  --tls-ca <file>    the certificate authority of a server that speaks TLS
  --backend <name>   worker: cpu-wasm, webgpu or webgl; the best by default
  --threads <count>  worker: threads of cpu-wasm; all by default
  --cache <MiB>      worker: memory for arrays between calls (1024)`

const options = {
  servers: { type: 'string', default: 'nats://127.0.0.1:4222' },
  name: { type: 'string', default: 'default' },
  nkey: { type: 'string' },
  token: { type: 'string' },
  'tls-ca': { type: 'string' },
  backend: { type: 'string' },
  threads: { type: 'string' },
  cache: { type: 'string', default: '1024' },
  help: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parse>['values']

const parse = () => parseArgs({ options, allowPositionals: true })

try {
  const { values, positionals } = parse()
  const [command, ...extra] = positionals
  if (values.help || command === undefined) console.log(help)
  else if (extra.length > 0) throw new TypeError(`unexpected argument "${extra[0]}"`)
  else if (command === 'worker') await work(values)
  else if (command === 'status') await showStatus(values)
  else throw new TypeError(`unknown command "${command}"; expected worker or status`)
} catch (error) {
  // Wrong options are the caller's; 1 says that something else failed.
  const wrong = error instanceof TypeError || error instanceof RangeError
  const [message] = String(error instanceof Error ? error.message : error).split('. To specify')
  console.error(`manybody-cluster: ${message}${wrong ? '; see --help' : ''}`)
  process.exit(wrong ? 2 : 1)
}

async function work(values: Values): Promise<void> {
  const { backend, threads, cache } = values
  const worker = await joinCluster({
    ...linkOptions(values),
    ...(backend !== undefined && { backend }),
    ...(threads !== undefined && { threads: whole('--threads', threads) }),
    cacheBytes: whole('--cache', cache) * 2 ** 20,
  })
  const { backend: used, name, kind } = worker.device
  console.log(`worker ${shown(worker.id)} waits at ${values.servers}: ${used} on ${name} (${kind})`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      console.log(`worker ${shown(worker.id)} leaves after ${worker.calls} calls`)
      void worker.leave().finally(() => process.exit(0))
    })
  const reason = await worker.closed
  if (reason) throw reason
}

async function showStatus(values: Values): Promise<void> {
  const to = await link(linkOptions(values), { once: true })
  const workers = await whoIsThere(to, new Replies(to))
  const none = [...to.forbidden].join('; ') || `no worker waits at ${values.servers}`
  console.log(workers.length === 0 ? none : 'worker    calls  backend')
  for (const { id, calls, backend, name, kind } of workers)
    console.log(`${shown(id)}  ${String(calls).padStart(5)}  ${backend} on ${name} (${kind})`)
  await to.connection.close()
}

function linkOptions({ servers, name, nkey, token, 'tls-ca': caFile }: Values): LinkOptions {
  const authenticator = nkey === undefined ? undefined : nkeyAuthenticator(seedIn(nkey))
  if (caFile !== undefined) read('--tls-ca', caFile)
  return {
    servers: servers.split(','),
    name,
    credentials: {
      ...(authenticator && { authenticator }),
      ...(token !== undefined && { token }),
      ...(caFile !== undefined && { tls: { caFile } }),
    },
  }
}

/** The seed in a file, which may have lines around it. */
function seedIn(file: string): Uint8Array {
  const seed = /\bSU[A-Z2-7]{56}\b/.exec(new TextDecoder().decode(read('--nkey', file)))?.[0]
  if (seed === undefined)
    throw new TypeError(
      `"--nkey" expected a file with the seed of an nkey, which begins with SU, got ${JSON.stringify(file)}`,
    )
  return new TextEncoder().encode(seed)
}

function read(option: string, file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new TypeError(`"${option}" expected a file that can be read, got ${JSON.stringify(file)}: ${error}`)
  }
}

function whole(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1)
    throw new RangeError(`"${option}" expected integer >= 1, got ${JSON.stringify(text)}`)
  return number
}
