// A NATS server with JetStream for tests and for `npm run cluster`: the program in PATH, or Debian's package, unpacked without root into a
// cache. If there is neither, `natsServerProgram` says why and how to install one.

import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type ServerProgram = { readonly path: string } | { readonly missing: string }

const install = 'install nats-server (https://docs.nats.io/running-a-nats-service/introduction/installation)'

let found: Promise<ServerProgram> | undefined

/** Finds the server's program, and unpacks it at most once. */
export function natsServerProgram(): Promise<ServerProgram> {
  found ??= find()
  return found
}

async function find(): Promise<ServerProgram> {
  const known = await run('nats-server', ['--version']).catch(() => undefined)
  if (known) return { path: 'nats-server' }
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'manybody-nats-server')
  const path = join(cache, 'usr/sbin/nats-server')
  if (existsSync(path)) return { path }
  try {
    await unpackDebian(cache)
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0]
    return { missing: `nats-server is not in PATH, and Debian's package could not be fetched (${reason}); ${install}` }
  }
  return existsSync(path) ? { path } : { missing: `Debian's package has no ${path}; ${install}` }
}

/** Runs Debian's tools with separate package lists, because only root may write the system's lists. */
async function unpackDebian(cache: string): Promise<void> {
  const lists = join(cache, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'APT::Sandbox::User=']
  const options = { cwd: cache, timeout: 120_000 }
  await run('apt-get', [...own, 'update'], options)
  await run('apt-get', [...own, 'download', 'nats-server'], options)
  const [archive] = readdirSync(cache).filter((name) => /^nats-server.*\.deb$/.test(name))
  if (!archive) throw new Error('apt-get downloaded nothing')
  await run('dpkg', ['-x', archive, cache], options)
  rmSync(lists, { recursive: true })
}

export interface NatsServer {
  readonly url: string
  readonly pid: number | undefined
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again on the same port, with its files or, by default, with an empty store. */
  restart(how?: { readonly keep?: boolean }): Promise<void>
  /** Ends the server and removes its store. */
  stop(): Promise<void>
}

/**
 * The server has little memory in use. By default it collects garbage after every 4 MB that it moves, which takes half of its processor
 * time. The limit applies when the server keeps many arrays.
 */
const rareCollection = { GOGC: '400', GOMEMLIMIT: '2560MiB' }

/** Starts a server on this machine alone. */
export async function startNatsServer(path: string, config: readonly string[] = []): Promise<NatsServer> {
  const port = await freePort()
  const store = mkdtempSync(join(tmpdir(), 'manybody-nats-'))
  const start = async () => {
    const args = ['--jetstream', '--addr', '127.0.0.1', '--port', String(port), '--store_dir', store, ...config]
    const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...rareCollection, ...process.env } })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await new Promise<void>((resolve, reject) => {
      let log = ''
      child.stderr.on('data', (text) => {
        log += text
        if (/Server is ready/.test(log)) resolve()
      })
      child.once('error', reject)
      void ended.then(() => reject(new Error(`nats-server ended:\n${log}`)))
    })
    return { child, ended }
  }
  let running = await start()
  const kill = async () => {
    running.child.kill('SIGKILL')
    await running.ended
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return running.child.pid
    },
    kill,
    async restart({ keep = false } = {}) {
      if (!keep) rmSync(store, { recursive: true, force: true })
      running = await start()
    },
    async stop() {
      await kill()
      rmSync(store, { recursive: true, force: true })
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
