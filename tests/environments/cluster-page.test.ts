// A page as a worker of a cluster. It joins over the server's WebSocket, and computes the same bits as a worker in Node. It may be closed
// in the middle of a run.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { cluster, joinCluster } from '@manybody/cluster'
import { build } from 'esbuild'
import { accelerations, createEngine, gravity } from 'manybody'
import { chromium, type Page } from 'playwright'
import { afterAll, describe, expect, test } from 'vitest'
import { chromiumLaunch } from '../../tools/chromium.ts'
import { freePort, natsServerProgram, startNatsServer } from '../cluster/nats-server.ts'
import { numbers } from '../support/numbers.ts'

const program = await natsServerProgram()
const workload = accelerations(gravity({ softening: 0.05 }))
const particles = { position: numbers(3 * 8000, 1), mass: numbers(8000, 2) }

/** The files of a bundle by their names; the first is `page.js`. @param splitting whether code that loads later gets its own files */
async function filesOf(splitting: boolean): Promise<ReadonlyMap<string, string>> {
  const contents = `import { joinCluster } from '@manybody/cluster'; Object.assign(globalThis, { joinCluster })`
  const { outputFiles } = await build({
    ...{
      stdin: { contents, resolveDir: import.meta.dirname, sourcefile: 'page.js' },
      bundle: true,
      write: false,
      splitting,
    },
    ...{ format: 'esm', outdir: '/', entryNames: 'page', external: ['webgpu', 'gpu.js'] },
  })
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
}

if ('missing' in program) {
  describe.skip(`a page as a worker: ${program.missing}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  const folder = mkdtempSync(join(tmpdir(), 'manybody-page-'))
  const port = await freePort()
  writeFileSync(join(folder, 'server.conf'), `websocket { host: "127.0.0.1", port: ${port}, no_tls: true }`)
  const server = await startNatsServer(program.path, ['--config', join(folder, 'server.conf')])
  const browser = await chromium.launch(await chromiumLaunch())
  afterAll(async () => {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  /** The backend of the worker, or the reason why it could not join. */
  const joinIn = async (page: Page, files: ReadonlyMap<string, string>): Promise<string> => {
    await page.addScriptTag({ type: 'module', content: files.get('page.js') ?? '' })
    // A module without a source runs some time after its tag was added.
    await page.waitForFunction(() => 'joinCluster' in globalThis)
    return page.evaluate(async (servers) => {
      const { joinCluster: join } = globalThis as unknown as { joinCluster: typeof joinCluster }
      return join({ servers, backend: 'cpu-wasm', threads: 1 }).then(({ device }) => device.backend, String)
    }, `ws://127.0.0.1:${port}`)
  }

  /** A page of a secure origin that serves these files. */
  const secure = async (files: ReadonlyMap<string, string>): Promise<Page> => {
    const page = await browser.newPage()
    await page.route('http://localhost/**', (route) => {
      const name = basename(new URL(route.request().url()).pathname)
      const script = files.get(name)
      return route.fulfill(
        script === undefined
          ? { contentType: 'text/html', body: '' }
          : { contentType: 'text/javascript', body: script },
      )
    })
    await page.goto('http://localhost/')
    return page
  }

  test('a page whose bundle has chunks joins a cluster', async () => {
    const files = await filesOf(true)
    expect(files.size).toBeGreaterThan(1)
    const page = await secure(files)
    expect(await joinIn(page, files)).toBe('cpu-wasm')
    await page.close()
  })

  test('a page joins a cluster, computes, and may be closed in the middle of a run', async () => {
    const files = await filesOf(false)
    const insecure = await browser.newPage()
    await insecure.setContent('')
    expect(await joinIn(insecure, files)).toMatch(/serve the page over https or from localhost/)
    const page = await secure(files)
    const device = await joinIn(page, files)
    expect(device).toBe('cpu-wasm')
    const engine = await createEngine({ backends: [cluster({ servers: server.url, always: true })] })
    const alone = await engine.run(workload, particles)
    expect(alone.report.spread).toMatchObject({ repeated: 0, workers: expect.stringMatching(/^1 x cpu-wasm/) })
    expect((await engine.verify(workload, particles)).ok).toBe(true)

    const second = await joinCluster({ servers: server.url, backend: 'cpu-wasm', threads: 1 })
    let closed: Promise<void> | undefined
    const shared = await engine.run(workload, particles, {
      onProgress: () => {
        closed ??= page.close()
      },
    })
    await closed
    expect(shared.acceleration).toEqual(alone.acceleration)
    engine.dispose()
    await second.leave()
  })
}
