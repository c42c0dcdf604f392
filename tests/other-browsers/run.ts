// `npm run browsers -- firefox webkit`: the conformance suite in installed browsers, in a cross-origin isolated page. Missing browsers are
// named and skipped, unless the command line asks for them. It is not a part of `npm test`.

import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { argumentsFrom } from '../../tools/arguments.mjs'
import { root } from '../../tools/pnpm.mjs'
import { browsers, type Installed } from './browsers.ts'
import type { Told } from './told.ts'

/** Milliseconds within which a page must report its next result. */
const patience = 600_000

/** The folder of gpu.js. Our packages do not bring it. */
const drivers = join(root, 'packages/backend-webgl/node_modules')

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** Resolves our packages from a project, whoever imports them. */
const packagesOf = (project: string): Plugin => ({
  name: 'packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(@manybody\/|manybody)/ }, ({ path, kind, pluginData }) =>
      pluginData === project ? undefined : resolve(path, { kind, resolveDir: project, pluginData: project }),
    )
  },
})

/** The page's script, with the packages of this repository or the packages installed in a project. */
async function pageScript(project: string | undefined): Promise<string> {
  const entry = fileURLToPath(new URL('page.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    ...(project ? { plugins: [packagesOf(project)], nodePaths: [drivers] } : {}),
    ...({ bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'silent' } as const),
    external: ['webgpu'],
  })
  return outputFiles[0]?.text ?? ''
}

function serve(script: string, hear: (told: Told) => void): Promise<Server> {
  const html = '<!doctype html><meta charset=utf-8><title>manybody</title><script type=module src=/page.js></script>'
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (path === '/tell') {
      let body = ''
      request.on('data', (part) => {
        body += String(part)
      })
      request.on('end', () => {
        response.writeHead(204).end()
        hear(JSON.parse(body) as Told)
      })
      return
    }
    const [type, text] = path === '/page.js' ? ['text/javascript', script] : ['text/html', html]
    response
      .writeHead(path === '/' || path === '/page.js' ? 200 : 404, { ...isolation, 'content-type': type })
      .end(text)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Prints the findings of one browser as they arrive, and returns whether all passed. */
async function tryOut(installed: Installed, script: string, only: string): Promise<boolean> {
  const profile = await mkdtemp(join(tmpdir(), 'manybody-browser-'))
  let process_: ChildProcess | undefined
  let server: Server | undefined
  let well = true
  try {
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout
      const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => reject(new Error(`the page told nothing for ${patience / 1000} s`)), patience)
      }
      wait()
      const hear = (told: Told) => {
        wait()
        const lines = linesOf(told)
        for (const line of lines) console.log(`  ${line}`)
        if (told.kind === 'suite' && told.failed.length > 0) well = false
        if (told.kind !== 'end') return
        clearTimeout(timer)
        if (told.error) reject(new Error(told.error))
        else resolve()
      }
      serve(script, hear).then(async (opened) => {
        server = opened
        const { port } = opened.address() as AddressInfo
        process_ = await installed.open(`http://localhost:${port}/?only=${encodeURIComponent(only)}`, profile)
        process_.on('error', reject)
      }, reject)
    })
  } catch (error) {
    console.log(`  failed: ${error instanceof Error ? error.message : error}`)
    well = false
  } finally {
    server?.close()
    server?.closeAllConnections()
    if (process_?.pid) process.kill(-process_.pid, 'SIGKILL')
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return well
}

function linesOf(told: Told): readonly string[] {
  switch (told.kind) {
    case 'threads':
      return [`cross-origin isolated: ${told.isolated}; ${told.features.join(', ')}`, ...told.notes]
    case 'unavailable':
      return [`${told.backend}: unavailable: ${told.reason}`]
    case 'suite':
      return [
        `${told.backend} on ${told.device}: ${told.cases - told.failed.length} of ${told.cases} cases pass`,
        ...told.failed.map((result) => `  ${JSON.stringify(result)}`),
      ]
    case 'end':
      return []
  }
}

const help = `Usage: npm run browsers -- [<browser> ...] [options]

Runs the conformance suite in browsers that are installed here: ${Object.keys(browsers).join(', ')}. All by default;
those that you name must be installed.

  --only <pattern>     the cases whose names match
  --project <folder>   a project in which the packages are installed; by default this repository`
const { values, positionals } = argumentsFrom(
  help,
  { only: { type: 'string', default: '.' }, project: { type: 'string' } },
  { positionals: Object.keys(browsers).length },
)
const wanted = positionals.length > 0 ? positionals : Object.keys(browsers)
const unknown = wanted.find((name) => !(name in browsers))
if (unknown) throw new RangeError(`"${unknown}" expected one of ${Object.keys(browsers).join(', ')}`)
const script = await pageScript(values.project)
for (const name of wanted) {
  const installed = await browsers[name]?.()
  console.log(installed ? `${name}: ${installed.version}` : `${name}: skipped, as it is not installed here`)
  if (installed ? !(await tryOut(installed, script, values.only)) : positionals.length > 0) process.exitCode = 1
}
